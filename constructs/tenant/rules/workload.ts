import { show } from '../../../crds/problem.ts';
import type { RuleContext } from './context.ts';
import { checkKeys } from './keys.ts';
import { selectorFaults } from './selectors.ts';

/** Service accounts and disruption budgets: keys and selectors that Kubernetes accepts. */
export function workloadRules({ namespace, where, report }: RuleContext): void {
  for (const account of namespace.settings.serviceAccounts) {
    checkKeys(account, () => where('serviceAccounts'), report);
  }
  for (const { name, selector } of namespace.settings.disruptionBudgets) {
    for (const fault of selectorFaults(selector)) {
      report(where('disruptionBudgets'), `${fault} in ${show(name)}`, 'selector');
    }
  }
}
