import { emitYaml } from '../../index.ts';
import { crdManifest, roleObjects } from '../../runtime.ts';
import { namespacePlusController } from './controller.ts';
import { namespacePlus } from './definition.ts';

const name = 'namespaceplus';

/** What the operator needs in a cluster, its rights by what its controller declares. */
export const manifests = [
  crdManifest(namespacePlus),
  { apiVersion: 'v1', kind: 'Namespace', metadata: { name } },
  { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace: name } },
  ...Object.values(roleObjects({ name, namespace: name, access: namespacePlusController.access })),
];

if (import.meta.main) process.stdout.write(emitYaml(manifests));
