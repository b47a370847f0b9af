import { crdManifest } from '../../crd.ts';
import { emitYaml } from '../../index.ts';
import { roleObjects, type AccessRule } from '../../runtime.ts';
import { ruleSets, statuses } from './controllers.ts';
import { portRule } from './definition.ts';
import { NAMESPACE as name } from './host.ts';
import { access } from './loop.ts';

/** What the operator needs in a cluster, its rights by what it declares. */
const manifestsFor = (access: readonly AccessRule[]) => [
  crdManifest(portRule),
  { apiVersion: 'v1', kind: 'Namespace', metadata: { name } },
  { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace: name } },
  ...Object.values(roleObjects({ name, namespace: name, access })),
];

export const manifests = manifestsFor([...ruleSets.access, ...statuses.access]);

/** For the loop in place of the controllers. */
export const loopManifests = manifestsFor(access);

if (import.meta.main) {
  process.stdout.write(emitYaml(process.argv[2] === 'loop' ? loopManifests : manifests));
}
