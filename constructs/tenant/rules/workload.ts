import { show } from '../../../kube/problem.ts';
import { computeMaxPods } from '../layers/resolved.ts';
import type { RuleContext } from './context.ts';
import { checkKeys } from './keys.ts';
import { listSelectorFaults } from './selectors.ts';

/** Validates service accounts and disruption budgets: keys and selectors that Kubernetes accepts. */
export function checkWorkload({ tenant, namespace, where, report }: RuleContext): void {
  const { serviceAccounts, imagePullSecrets, disruptionBudgets } = namespace.settings;
  for (const account of serviceAccounts) {
    checkKeys(account, () => where('serviceAccounts'), { klass: tenant.klass, report });
  }
  if (imagePullSecrets.length > 0 && serviceAccounts.length === 0) {
    const message = `must have a service account to go to, got none in namespace ${namespace.name}: declare ${show('default')} in serviceAccounts`;
    report(where('imagePullSecrets'), message, 'pull-secrets', { severity: 'warning' });
  }
  for (const budget of disruptionBudgets) {
    const { name, selector, minAvailable, maxUnavailable } = budget;
    const at = { ...where('disruptionBudgets'), setting: ['disruptionBudgets', name] };
    if (minAvailable !== undefined && maxUnavailable !== undefined) {
      const message = `must have either minAvailable or maxUnavailable, got both in ${show(name)}: one comes from an earlier layer`;
      report(at, message, 'disruption-budget');
    }
    for (const fault of listSelectorFaults(selector)) {
      report(at, `${fault} in ${show(name)}`, 'selector');
    }
    const pods = Math.min(PODS, computeMaxPods(namespace.settings.quota.hard) ?? PODS);
    if (minAvailable !== undefined && pods > 0 && computeNeededPods(minAvailable, pods) >= pods) {
      const message = `must let a pod be evicted, or no node can be drained, got minAvailable ${show(minAvailable)} in ${show(name)}, where there are at most ${pods} pods`;
      report(at, message, 'disruption-budget-blocks');
    }
  }
}

/** The number of pods of the largest clusters: https://kubernetes.io/docs/setup/best-practices/cluster-large/ */
const PODS = 150_000;

/** Computes the number of needed pods. Percentages are rounded up: 99% of ten pods are ten. */
function computeNeededPods(minAvailable: string | number, pods: number): number {
  if (typeof minAvailable === 'number') return minAvailable;
  return Math.ceil((Number.parseInt(minAvailable, 10) * pods) / 100);
}
