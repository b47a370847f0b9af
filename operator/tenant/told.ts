import type { TenantStatus } from '../../crds/tenantry/tenantstatus.ts';
import { conditionOf } from '../../runtime/conditions/conditions.ts';
import type { ObjectEvent } from '../../runtime/controller/objectevent.ts';

/** What people are told when a status takes the place of another: that it is another case now, and no more. */
export function told(
  before: TenantStatus | undefined,
  after: TenantStatus,
): readonly ObjectEvent[] {
  const [was, is] = [before, after].map((status) => conditionOf(status?.conditions, 'Ready'));
  if (!is || (was?.status === is.status && was.reason === is.reason)) return [];
  // A tenant that is well from the start is no news.
  if (!was && is.status === 'True') return [];
  return [
    {
      type: is.status === 'False' && is.reason !== 'RollingOut' ? 'Warning' : 'Normal',
      reason: is.reason,
      action: 'Compare',
      note: is.message || 'The cluster is what is declared.',
    },
  ];
}
