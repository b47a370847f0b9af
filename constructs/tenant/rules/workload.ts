import { show } from '../../../crds/problem.ts';
import type { RuleContext } from './context.ts';
import { checkKeys } from './keys.ts';
import { selectorFaults } from './selectors.ts';

/** Service accounts and disruption budgets: keys and selectors that Kubernetes accepts. */
export function workloadRules({ namespace, where, report }: RuleContext): void {
  const { serviceAccounts, imagePullSecrets, disruptionBudgets } = namespace.settings;
  for (const account of serviceAccounts) {
    checkKeys(account, () => where('serviceAccounts'), report);
  }
  if (imagePullSecrets.length > 0 && serviceAccounts.length === 0) {
    const message = `must have a service account to go to, got none in namespace ${namespace.name}: declare ${show('default')} in serviceAccounts`;
    report(where('imagePullSecrets'), message, 'pull-secrets', 'warning');
  }
  for (const budget of disruptionBudgets) {
    const { name, selector, minAvailable, maxUnavailable } = budget;
    if (minAvailable !== undefined && maxUnavailable !== undefined) {
      const message = `must have either minAvailable or maxUnavailable, got both in ${show(name)}: one is said by an earlier layer`;
      report(where('disruptionBudgets'), message, 'disruption-budget');
    }
    for (const fault of selectorFaults(selector)) {
      report(where('disruptionBudgets'), `${fault} in ${show(name)}`, 'selector');
    }
  }
}
