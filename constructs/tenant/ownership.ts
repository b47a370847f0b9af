import { TENANT_LABEL } from '../../kube/holder.ts';
import { COMPARE_OPTIONS, CONFIRM, SYNC_OPTIONS, SYNC_WAVE } from '../argocd-keys.ts';

/**
 * What Tenantry adds to the metadata of an object that a tenant declares, and nothing more:
 * equality with an imported original ignores exactly these (docs/reference/metadata.md).
 */
export { COMPARE_OPTIONS, SYNC_OPTIONS, SYNC_WAVE, TENANT_LABEL };
/** By which whoever has a live namespace gives it to a tenant that is healed. */
export const ADOPT_BY_LABEL = 'tenantry.dev/adopt-by';
export const ENVIRONMENT_LABEL = 'tenantry.dev/environment';
export const MANAGED_BY_LABEL = 'app.kubernetes.io/managed-by';
export const MANAGED_BY = 'tenantry';

/** The labels that say whose an object is; the guard policy looks at the first. */
export function ownerLabels(tenant: string): Readonly<Record<string, string>> {
  return { [MANAGED_BY_LABEL]: MANAGED_BY, [TENANT_LABEL]: tenant };
}

/**
 * What the admission policies of a tenant's namespaces (constructs/tenant/policies) read of a
 * Namespace: annotations with one word a line, absent where there is nothing to say.
 */
export const FACTS = {
  /** The namespaces of the tenant on the cluster. */
  namespaces: 'policy.tenantry.dev/namespaces',
  /** `User alice`, `Group blue`, `ServiceAccount namespace/name`. */
  subjects: 'policy.tenantry.dev/subjects',
  /** The same with one `*` for any text. */
  subjectPatterns: 'policy.tenantry.dev/subject-patterns',
  /** The ClusterRoles that people may bind. */
  clusterRoles: 'policy.tenantry.dev/cluster-roles',
  /** `anywhere`, `namespace name`, `cidr 10.0.0.0/8`. */
  ingressFrom: 'policy.tenantry.dev/ingress-from',
  egressTo: 'policy.tenantry.dev/egress-to',
  externalIPs: 'policy.tenantry.dev/external-ips',
  /** A number. */
  tokenSeconds: 'policy.tenantry.dev/token-seconds',
  /** Taints that pods may tolerate: `key`, `key=value`, a `*` at the end of the key for any rest. */
  tolerations: 'policy.tenantry.dev/tolerations',
  /** A number. */
  terminationSeconds: 'policy.tenantry.dev/termination-seconds',
  /** The most pods of the namespace, as its quota has it: a number. */
  pods: 'policy.tenantry.dev/most-pods',
  /** The labels of pods that the platform declares, or that its budgets select: `app=web,tier=db`. */
  podLabels: 'policy.tenantry.dev/pod-labels',
  /** `RoleBinding.rbac.authorization.k8s.io name`: what the platform has or may come to have there. */
  names: 'policy.tenantry.dev/names',
} as const;

/** What a `TenantPolicy` is about. */
export type Concern =
  | 'names'
  | 'roleBindings'
  | 'networkPolicies'
  | 'services'
  | 'tokenSecrets'
  | 'tokens'
  | 'pods'
  | 'disruptionBudgets'
  | 'templates';

/** One admission policy each; its name is also the field of `selfService` in a class. */
export const CONCERNS: readonly Concern[] = [
  'names',
  'roleBindings',
  'networkPolicies',
  'services',
  'tokenSecrets',
  'tokens',
  'pods',
  'disruptionBudgets',
  'templates',
];

/** `role-bindings`, as names and labels have it. */
export function concernName(concern: Concern): string {
  return concern.replaceAll(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`);
}

/** The label that takes a Namespace out of a policy, with the value DISABLED. */
export function concernLabel(concern: Concern): string {
  return `policy.tenantry.dev/${concernName(concern)}`;
}
export const DISABLED = 'Disabled';

/**
 * What is said to Argo CD of policies: there before anybody has access, as the other bounds are, and
 * never gone without a person's word.
 */
export const POLICY_ANNOTATIONS: Readonly<Record<string, string>> = {
  [SYNC_OPTIONS]: `ServerSideApply=true,${CONFIRM}`,
  [SYNC_WAVE]: '-1',
};
