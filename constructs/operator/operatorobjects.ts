import type { KubeObject } from '../../kube/object.ts';
import { ownObject } from './ownobject.ts';

const NAME = 'tenantry-operator';
const RBAC = 'rbac.authorization.k8s.io';

/** What the operator reads to compare a tenant with the cluster: the kinds that it declares. */
const observed: readonly (readonly [group: string, resources: readonly string[]])[] = [
  ['', ['namespaces', 'resourcequotas', 'limitranges', 'serviceaccounts']],
  [RBAC, ['roles', 'rolebindings']],
  ['networking.k8s.io', ['networkpolicies']],
  ['policy', ['poddisruptionbudgets']],
];

const read = ['get', 'list', 'watch'];

/** What the operator needs on a cluster, see `OperatorAccess`; each by its id as a construct. */
export function operatorObjects(
  namespace = 'tenantry-system',
): Readonly<Record<string, KubeObject>> {
  const subjects = [{ kind: 'ServiceAccount', name: NAME, namespace }];
  const objects: Record<string, KubeObject> = {
    namespace: {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: {
        name: namespace,
        labels: { 'pod-security.kubernetes.io/enforce': 'restricted' },
        annotations: { 'argocd.argoproj.io/sync-options': 'Prune=confirm,Delete=confirm' },
      },
    },
    'service-account': {
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { name: NAME, namespace },
    },
    'cluster-role': {
      apiVersion: `${RBAC}/v1`,
      kind: 'ClusterRole',
      metadata: { name: NAME },
      rules: [
        { apiGroups: ['tenantry.dev'], resources: ['tenants', 'tenantclasses'], verbs: read },
        { apiGroups: ['tenantry.dev'], resources: ['tenants/status'], verbs: ['patch', 'update'] },
        ...observed.map(([group, resources]) => ({ apiGroups: [group], resources, verbs: read })),
        { apiGroups: ['events.k8s.io'], resources: ['events'], verbs: ['create', 'patch'] },
      ],
    },
    'cluster-role-binding': {
      apiVersion: `${RBAC}/v1`,
      kind: 'ClusterRoleBinding',
      metadata: { name: NAME },
      roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name: NAME },
      subjects,
    },
    'leader-election-role': {
      apiVersion: `${RBAC}/v1`,
      kind: 'Role',
      metadata: { name: `${NAME}-leader-election`, namespace },
      rules: [
        {
          apiGroups: ['coordination.k8s.io'],
          resources: ['leases'],
          verbs: ['get', 'create', 'update'],
        },
      ],
    },
    'leader-election-role-binding': {
      apiVersion: `${RBAC}/v1`,
      kind: 'RoleBinding',
      metadata: { name: `${NAME}-leader-election`, namespace },
      roleRef: { apiGroup: RBAC, kind: 'Role', name: `${NAME}-leader-election` },
      subjects,
    },
  };
  return Object.fromEntries(Object.entries(objects).map(([id, one]) => [id, ownObject(one)]));
}
