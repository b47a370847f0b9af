import { crdManifest } from '../../crd.ts';
import { emitYaml } from '../../index.ts';
import { rolesOf } from '../../runtime.ts';
import { redisController } from './controller.ts';
import { redis } from './definition.ts';

const name = 'redis-operator';
const rbac = 'rbac.authorization.k8s.io';
const metadata = { name };

/** What the operator needs in a cluster, its rights by what its controller declares. */
export const manifests = [
  crdManifest(redis),
  { apiVersion: 'v1', kind: 'Namespace', metadata },
  { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace: name } },
  {
    apiVersion: `${rbac}/v1`,
    kind: 'ClusterRole',
    metadata,
    rules: rolesOf(redisController.access).cluster,
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
