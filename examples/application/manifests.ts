import { crdManifest } from '../../crd.ts';
import { emitYaml } from '../../index.ts';
import { rolesOf } from '../../runtime.ts';
import { applicationController } from './controller.ts';
import { application } from './definition.ts';

const name = 'application-operator';
const rbac = 'rbac.authorization.k8s.io';
const metadata = { name };

/** What the operator needs in a cluster, its rights by what its controller declares. */
export const manifests = [
  crdManifest(application),
  { apiVersion: 'v1', kind: 'Namespace', metadata },
  { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace: name } },
  {
    apiVersion: `${rbac}/v1`,
    kind: 'ClusterRole',
    metadata,
    rules: rolesOf(applicationController.access).cluster,
  },
  {
    apiVersion: `${rbac}/v1`,
    kind: 'ClusterRoleBinding',
    metadata,
    roleRef: { apiGroup: rbac, kind: 'ClusterRole', name },
    subjects: [{ kind: 'ServiceAccount', name, namespace: name }],
  },
];

if (import.meta.main) process.stdout.write(emitYaml(manifests));
