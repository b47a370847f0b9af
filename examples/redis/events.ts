import type { events, Live, Written } from '../../runtime.ts';
import type { Redis } from './pods.ts';

/** What was done for a Redis, as `kubectl describe` and `kubectl get events` show it. */
export function eventOf(
  { apiVersion, kind, metadata: { name, namespace = '', uid } }: Live<typeof Redis>,
  reason: 'CreatePod' | 'DeletePod',
  note: string,
  date: Date,
) {
  return {
    metadata: { generateName: `${name}-`, namespace },
    type: 'Normal',
    reason,
    action: reason,
    note,
    regarding: { apiVersion, kind, name, namespace, uid },
    eventTime: date.toISOString().replace('Z', '000Z'),
    reportingController: 'redis',
    reportingInstance: 'redis',
  } satisfies Written<typeof events.Event>;
}
