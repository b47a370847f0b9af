import { isMapping, valueAt } from '../../../kube/mapping.ts';
import { show } from '../../../kube/problem.ts';
import type { BundleCheck, BundleRule } from '../rule.ts';

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
export const budgets: BundleCheck = {
  rules: [unavailable, available, globalDefault],
  check(bundle, say) {
    for (const { file, kind, value } of bundle.objects) {
      const spec = isMapping(value['spec']) ? value['spec'] : {};
      const { maxUnavailable, minAvailable } = spec;
      const at = (...path: string[]) => ({ file, path });
      if (kind === 'PodDisruptionBudget' && [0, '0', '0%'].some((one) => one === maxUnavailable)) {
        const message = `must allow the eviction of a pod, got ${show(maxUnavailable)}`;
        say(unavailable, at('spec', 'maxUnavailable'), message);
      }
      if (kind === 'PodDisruptionBudget' && minAvailable === '100%') {
        say(available, at('spec', 'minAvailable'), `must allow the eviction of a pod, got '100%'`);
      }
      if (kind === 'PriorityClass' && valueAt(value, ['globalDefault']) === true) {
        say(globalDefault, at('globalDefault'), 'must be false or absent, got true');
      }
    }
  },
};
