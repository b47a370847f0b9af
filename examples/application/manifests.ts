import { emitYaml } from '../../index.ts';
import { crdManifest, roleObjects } from '../../runtime.ts';
import { applicationController } from './controller.ts';
import { application } from './definition.ts';

const name = 'application-operator';

/** What the operator needs in a cluster, its rights by what its controller declares. */
export const manifests = [
  crdManifest(application),
  { apiVersion: 'v1', kind: 'Namespace', metadata: { name } },
  { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace: name } },
  ...Object.values(roleObjects({ name, namespace: name, access: applicationController.access })),
];

if (import.meta.main) process.stdout.write(emitYaml(manifests));
