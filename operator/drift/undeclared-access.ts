import type { TenantUserPolicy } from '../../constructs/tenant/policies/policy.ts';
import { policies } from '../../constructs/tenant/policies/policies.ts';
import { concernLabel, DISABLED, type Concern } from '../../constructs/tenant/ownership.ts';
import type { KubeObject } from '../../kube/object.ts';
import { AdmissionEvaluator } from '../../schema/cel.ts';

/** The admission policies that limit which access a tenant's users may grant. */
const bounds = {
  RoleBinding: boundOf('roleBindings'),
  NetworkPolicy: boundOf('networkPolicies'),
} as const;

interface Bound {
  readonly concern: Concern;
  evaluator(): AdmissionEvaluator;
}

/** Compiles a policy at its first use: most tenants have no undeclared objects. */
function boundOf(concern: Concern): Bound {
  let evaluator: AdmissionEvaluator | undefined;
  const { variables, validations }: TenantUserPolicy = policies[concern];
  return {
    concern,
    evaluator: () => (evaluator ??= new AdmissionEvaluator({ variables, validations })),
  };
}

/**
 * Whether an undeclared object grants access that the tenant's users may not grant. Evaluates the admission policies
 * that limit what they write, with the namespace as declared. Unknown content counts as access.
 * @param object undefined if its content is not known
 */
export function givesAccess(
  kind: string,
  object: KubeObject | undefined,
  namespace: KubeObject | undefined,
): boolean {
  // No tenant's user holds a wildcard, so none of them can grant one.
  if (kind === 'Role') return true;
  if (kind !== 'RoleBinding' && kind !== 'NetworkPolicy') return false;
  const { concern, evaluator } = bounds[kind];
  if (!object || !namespace) return true;
  if (namespace.metadata.labels?.[concernLabel(concern)] === DISABLED) return false;
  return evaluator().findViolation({ object, namespaceObject: namespace }) !== undefined;
}
