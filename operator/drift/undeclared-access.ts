import type { TenantUserPolicy } from '../../constructs/tenant/policies/policy.ts';
import { policies } from '../../constructs/tenant/policies/policies.ts';
import { concernLabel, DISABLED, type Concern } from '../../constructs/tenant/ownership.ts';
import type { KubeObject } from '../../kube/object.ts';
import { AdmissionEvaluator } from '../../schema/cel.ts';

/** The admission policies that bound which access a tenant's users may give. */
const bounds = {
  RoleBinding: boundOf('roleBindings'),
  NetworkPolicy: boundOf('networkPolicies'),
} as const;

interface Bound {
  readonly concern: Concern;
  evaluator(): AdmissionEvaluator;
}

/** Compiled when it is first needed: most tenants have nothing that nobody declared. */
function boundOf(concern: Concern): Bound {
  let evaluator: AdmissionEvaluator | undefined;
  const { variables, validations }: TenantUserPolicy = policies[concern];
  return {
    concern,
    evaluator: () => (evaluator ??= new AdmissionEvaluator({ variables, validations })),
  };
}

/**
 * Whether an undeclared object gives access that the tenant's users may not give: by the same admission policies that
 * bound what they write, of the namespace as it is declared. What is not known of an object counts as access.
 * @param object undefined: what it says is not known
 */
export function givesAccess(
  kind: string,
  object: KubeObject | undefined,
  namespace: KubeObject | undefined,
): boolean {
  // Nobody among the tenant's users holds a wildcard, so none of them can give one.
  if (kind === 'Role') return true;
  if (kind !== 'RoleBinding' && kind !== 'NetworkPolicy') return false;
  const { concern, evaluator } = bounds[kind];
  if (!object || !namespace) return true;
  if (namespace.metadata.labels?.[concernLabel(concern)] === DISABLED) return false;
  return evaluator().findViolation({ object, namespaceObject: namespace }) !== undefined;
}
