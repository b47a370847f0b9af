import { show } from '../../../kube/problem.ts';
import { podSecurityLevels } from '../../../crds/tenantry/workload.ts';
import type { RuleContext } from './context.ts';

/** Validates that the enforced level is at least as strict as the class requires; no level is the most open one. */
export function checkPodSecurity(context: RuleContext): void {
  const { tenant, namespace, where, report } = context;
  const ceiling = tenant.klass.spec.ceilings?.podSecurity;
  if (ceiling === undefined) return;
  const level = namespace.settings.podSecurity['enforce'];
  const rank = level === undefined ? 0 : podSecurityLevels.indexOf(level);
  if (rank < podSecurityLevels.indexOf(ceiling)) {
    report(
      where('podSecurity', 'enforce'),
      `must be at least ${ceiling} (ceiling of class ${tenant.klass.name}), got ${show(level ?? 'none')} in namespace ${namespace.name}`,
      'ceiling-pod-security',
    );
  }
  const { version } = namespace.settings.podSecurity;
  const at = where('podSecurity', 'version');
  if (ceiling === 'privileged' || version === undefined || version === 'latest') return;
  if (at.path.at(-1) === 'version' && at.by === 'tenant') {
    report(
      at,
      `must be latest or left out under the ceiling of class ${tenant.klass.name}, since older versions ask less, got ${show(version)}`,
      'ceiling-pod-security',
    );
  }
}
