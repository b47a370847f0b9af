import { decodeAs } from '../../decoding/decode.ts';
import type { StrategyRule } from '../../bundle/cluster-service-version.ts';
import type { Decoded } from '../../bundle/decoded.ts';
import type { BundleCheck, BundleRule } from '../rule.ts';

const budgetRights: BundleRule = {
  id: 'budget-rights',
  severity: 'warning',
  validators: ['objects'],
  description: 'no Role or ClusterRole grants rights to create or change PodDisruptionBudgets',
};

const constraintRights: BundleRule = {
  id: 'security-constraint-rights',
  severity: 'error',
  validators: ['objects'],
  description:
    'no Role or ClusterRole grants rights to change the SecurityContextConstraints that OpenShift comes with',
};

const OPENSHIFT = new Set([
  'privileged',
  'restricted',
  'anyuid',
  'hostaccess',
  'hostmount-anyuid',
  'hostnetwork',
  'node-exporter',
  'nonroot',
]);

interface Role {
  readonly rules: readonly StrategyRule[];
}

/** The rules against rights to objects that affect a whole cluster. */
export const rights: BundleCheck = {
  rules: [budgetRights, constraintRights],
  check(bundle, say) {
    for (const { file, kind, value } of bundle.objects) {
      if (kind !== 'Role' && kind !== 'ClusterRole') continue;
      const type = 'rbac.authorization.k8s.io/v1/Role';
      const { rules = [] } = decodeAs<Decoded<Role>>(type, value).value;
      for (const [i, rule] of rules.entries()) {
        const place = { file, path: ['rules', i] };
        if (allows(rule, 'policy', 'poddisruptionbudgets', ['*', 'create', 'update', 'patch'])) {
          say(budgetRights, place, 'must not allow to create or change PodDisruptionBudgets');
        }
        const { resourceNames = [] } = rule;
        const isKnown = resourceNames.some((name) => OPENSHIFT.has(name));
        const [group, resource] = ['security.openshift.io', 'securitycontextconstraints'];
        if (isKnown && allows(rule, group, resource, ['*', 'delete', 'update', 'patch'])) {
          say(constraintRights, place, `must not allow to change ${resourceNames.join(', ')}`);
        }
      }
    }
  },
};

/** Whether a rule includes a resource and one of the verbs. */
export function allows(
  { apiGroups = [], resources = [], verbs = [] }: Decoded<StrategyRule>,
  group: string,
  resource: string,
  wanted: readonly string[],
): boolean {
  if (!apiGroups.includes(group) || !resources.includes(resource)) return false;
  return verbs.some((verb) => wanted.includes(verb));
}
