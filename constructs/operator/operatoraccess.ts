import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { ownObject } from './ownobject.ts';

/** Where the operator runs. */
export interface OperatorAccessProps {
  /** @default tenantry-system */
  readonly namespace?: string;
}

const NAME = 'tenantry-operator';
const RBAC = 'rbac.authorization.k8s.io';

/** What the operator reads to compare a tenant with the cluster: the kinds that it declares. */
const observed: readonly (readonly [group: string, resources: readonly string[]])[] = [
  ['', ['namespaces', 'resourcequotas', 'limitranges', 'serviceaccounts']],
  [RBAC, ['roles', 'rolebindings']],
  ['networking.k8s.io', ['networkpolicies']],
  ['policy', ['poddisruptionbudgets']],
];

/**
 * The operator's namespace, ServiceAccount and rights: it reads what tenants consist of and writes
 * only the status of Tenants, Events, and the Lease by which one of its replicas leads. It can
 * neither read Secrets nor change anything of a tenant.
 *
 * @example
 * ```ts
 * import { Chart } from 'cdk8s';
 * import { App, OperatorAccess } from 'tenantry';
 *
 * const app = new App();
 * const chart = new Chart(app, 'operator');
 * new OperatorAccess(chart, 'access', { namespace: 'tenantry-system' });
 * app.synth();
 * ```
 */
export class OperatorAccess extends Construct {
  constructor(scope: Construct, id: string, props: OperatorAccessProps = {}) {
    super(scope, id);
    const namespace = props.namespace ?? 'tenantry-system';
    const subjects = [{ kind: 'ServiceAccount', name: NAME, namespace }];
    const add = (id: string, manifest: ConstructorParameters<typeof ApiObject>[2]): void => {
      new ApiObject(this, id, ownObject(manifest));
    };
    const read = ['get', 'list', 'watch'];
    add('namespace', {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: {
        name: namespace,
        labels: { 'pod-security.kubernetes.io/enforce': 'restricted' },
        annotations: { 'argocd.argoproj.io/sync-options': 'Prune=confirm,Delete=confirm' },
      },
    });
    add('service-account', {
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { name: NAME, namespace },
    });
    add('cluster-role', {
      apiVersion: `${RBAC}/v1`,
      kind: 'ClusterRole',
      metadata: { name: NAME },
      rules: [
        { apiGroups: ['tenantry.dev'], resources: ['tenants', 'tenantclasses'], verbs: read },
        { apiGroups: ['tenantry.dev'], resources: ['tenants/status'], verbs: ['patch', 'update'] },
        ...observed.map(([group, resources]) => ({ apiGroups: [group], resources, verbs: read })),
        { apiGroups: ['events.k8s.io'], resources: ['events'], verbs: ['create', 'patch'] },
      ],
    });
    add('cluster-role-binding', {
      apiVersion: `${RBAC}/v1`,
      kind: 'ClusterRoleBinding',
      metadata: { name: NAME },
      roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name: NAME },
      subjects,
    });
    add('leader-election-role', {
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
    });
    add('leader-election-role-binding', {
      apiVersion: `${RBAC}/v1`,
      kind: 'RoleBinding',
      metadata: { name: `${NAME}-leader-election`, namespace },
      roleRef: { apiGroup: RBAC, kind: 'Role', name: `${NAME}-leader-election` },
      subjects,
    });
  }
}
