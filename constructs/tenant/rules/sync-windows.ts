import { validateSchedule } from '../../../kube/cron.ts';
import { show } from '../../../kube/problem.ts';
import { isTimeZone } from '../../../kube/time.ts';
import type { RuleContext } from './context.ts';

/** Validates that sync windows occur at some time, and that no tenant widens those of its class. */
export function checkSyncWindows({ tenant, namespace, report }: RuleContext): void {
  const windows = namespace.settings.syncWindows;
  const isBounded = windows.some(({ value, byTenant }) => !byTenant && value.kind === 'allow');
  for (const { value, byTenant, path } of windows) {
    const { kind, schedule, duration, timeZone } = value;
    const refuse = (field: string, message: string): void =>
      report([...path, field], message, 'argocd-sync-window');
    const fault = validateSchedule(schedule);
    if (fault !== undefined) refuse('schedule', `${fault}, got ${show(schedule)}`);
    if (!/[1-9]/.test(duration)) {
      refuse('duration', `must be longer than zero, got ${show(duration)}`);
    }
    if (timeZone !== undefined && !isTimeZone(timeZone)) {
      const message = `must be a time zone, or Argo CD takes UTC, got ${show(timeZone)}`;
      refuse('timeZone', message);
    }
    // Argo CD allows a sync that any one of the windows allows.
    if (byTenant && kind === 'allow' && isBounded) {
      const message = `must be 'deny', since class ${tenant.klass.name} sets when syncs are allowed, got 'allow'`;
      refuse('kind', message);
    }
  }
}
