import { emitYaml } from '../../index.ts';
import { crdManifest, roleObjects } from '../../runtime.ts';
import { ruleSets, statuses } from './controllers.ts';
import { portRule } from './definition.ts';
import { NAMESPACE as name } from './host.ts';

const access = [...ruleSets.access, ...statuses.access];

/** What the operator needs in a cluster, its rights by what its controllers declare; the loop needs the same. */
export const manifests = [
  crdManifest(portRule),
  { apiVersion: 'v1', kind: 'Namespace', metadata: { name } },
  { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace: name } },
  ...Object.values(roleObjects({ name, namespace: name, access })),
];

if (import.meta.main) process.stdout.write(emitYaml(manifests));
