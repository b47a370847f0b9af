import { emitYaml } from '../../index.ts';
import { crdManifest, roleObjects } from '../../runtime.ts';
import { redisController } from './controller.ts';
import { redis } from './definition.ts';

const name = 'redis-operator';

/** What the operator needs in a cluster, its rights by what its controller declares. */
export const manifests = [
  crdManifest(redis),
  { apiVersion: 'v1', kind: 'Namespace', metadata: { name } },
  { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace: name } },
  ...Object.values(roleObjects({ name, namespace: name, access: redisController.access })),
];

if (import.meta.main) process.stdout.write(emitYaml(manifests));
