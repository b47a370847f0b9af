import type { Event } from '../../runtime/kinds/events.ts';
import { apiVersionOf, type Live, type Written } from '../../runtime/kinds/kind.ts';
import { Redis } from './pods.ts';

/** What was done for a Redis, as `kubectl describe` and `kubectl get events` show it. */
export function eventOf(
  { metadata: { name, namespace = '', uid } }: Live<typeof Redis>,
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
    regarding: { apiVersion: apiVersionOf(Redis), kind: Redis.kind, name, namespace, uid },
    eventTime: date.toISOString().replace('Z', '000Z'),
    reportingController: 'redis',
    reportingInstance: 'redis',
  } satisfies Written<typeof Event>;
}
