import { isMapping, valueAt } from '@tenantry/kube/mapping';
import { show } from '@tenantry/kube/problem';
import { decodeAs } from '../decoding/decode.ts';
import type { StrategyRule } from '../bundle/cluster-service-version.ts';
import type { Decoded } from '../bundle/decoded.ts';
import type { BundleCheck, BundleRule } from './rule.ts';

const unavailable: BundleRule = {
  id: 'budget-max-unavailable',
  severity: 'error',
  validators: ['objects'],
  description: '`maxUnavailable` of a PodDisruptionBudget is not 0 or 0%: no node could be drained',
};

const available: BundleRule = {
  id: 'budget-min-available',
  severity: 'error',
  validators: ['objects'],
  description: '`minAvailable` of a PodDisruptionBudget is not 100%',
};

const globalDefault: BundleRule = {
  id: 'priority-class-default',
  severity: 'error',
  validators: ['objects'],
  description: 'a PriorityClass is not the default of the whole cluster',
};

/** The rules against objects that affect a whole cluster. */
export const budgetsCheck: BundleCheck = {
  rules: [unavailable, available, globalDefault],
  check(bundle, report) {
    for (const { file, kind, value } of bundle.objects) {
      const spec = isMapping(value['spec']) ? value['spec'] : {};
      const { maxUnavailable, minAvailable } = spec;
      const at = (...path: string[]) => ({ file, path });
      if (kind === 'PodDisruptionBudget' && [0, '0', '0%'].some((one) => one === maxUnavailable)) {
        const message = `must allow the eviction of a pod, got ${show(maxUnavailable)}`;
        report(unavailable, at('spec', 'maxUnavailable'), message);
      }
      if (kind === 'PodDisruptionBudget' && minAvailable === '100%') {
        report(
          available,
          at('spec', 'minAvailable'),
          `must allow the eviction of a pod, got '100%'`,
        );
      }
      if (kind === 'PriorityClass' && valueAt(value, ['globalDefault']) === true) {
        report(globalDefault, at('globalDefault'), 'must be false or absent, got true');
      }
    }
  },
};

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
export const objectRightsCheck: BundleCheck = {
  rules: [budgetRights, constraintRights],
  check(bundle, report) {
    for (const { file, kind, value } of bundle.objects) {
      if (kind !== 'Role' && kind !== 'ClusterRole') continue;
      const type = 'rbac.authorization.k8s.io/v1/Role';
      const { rules = [] } = decodeAs<Decoded<Role>>(type, value).value;
      for (const [i, rule] of rules.entries()) {
        const place = { file, path: ['rules', i] };
        if (allows(rule, 'policy', 'poddisruptionbudgets', ['*', 'create', 'update', 'patch'])) {
          report(budgetRights, place, 'must not allow to create or change PodDisruptionBudgets');
        }
        const { resourceNames = [] } = rule;
        const isKnown = resourceNames.some((name) => OPENSHIFT.has(name));
        const [group, resource] = ['security.openshift.io', 'securitycontextconstraints'];
        if (isKnown && allows(rule, group, resource, ['*', 'delete', 'update', 'patch'])) {
          report(constraintRights, place, `must not allow to change ${resourceNames.join(', ')}`);
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
