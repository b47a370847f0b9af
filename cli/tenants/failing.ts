import { isConditionTrue } from '../../runtime/conditions/conditions.ts';
import { isCurrent, summarizeTenant, type LiveTenant, type TenantSummary } from './standing.ts';

/** What `--fail-on` takes. */
export const failures = ['drift', 'not-ready', 'undeclared'] as const;

export type Failure = (typeof failures)[number];

/** A tenant by which a run fails, and why, in words for people. */
export interface Failing {
  readonly tenant: string;
  readonly because: string;
}

/**
 * The tenants that are not as asked. What nobody knows is not as asked either: a Tenant without a status, or
 * with one about what it was before, and one that could not be compared. Of a cordoned one nothing is asked.
 */
export function failingOf(
  tenants: readonly LiveTenant[],
  asked: readonly Failure[],
): readonly Failing[] {
  if (asked.length === 0) return [];
  return tenants.flatMap((tenant) => {
    const standing = summarizeTenant(tenant);
    if (standing.state === 'Cordoned') return [];
    const because =
      explainUnknown(standing) ?? asked.map((one) => failureOf(one, tenant, standing));
    const reasons = [because].flat().filter((one) => one !== undefined);
    return reasons.length === 0 ? [] : [{ tenant: standing.name, because: reasons.join(', ') }];
  });
}

function explainUnknown(standing: TenantSummary): string | undefined {
  if (standing.state === 'Unseen') return 'nobody has looked at it';
  return isCurrent(standing) ? undefined : 'nobody has looked at it since it changed';
}

function failureOf(
  failure: Failure,
  { status }: LiveTenant,
  { ready, reason, counts }: TenantSummary,
): string | undefined {
  if (failure === 'not-ready') return ready === 'True' ? undefined : `not ready (${reason})`;
  if (!counts) return `not compared (${reason})`;
  if (failure === 'undeclared') {
    return counts.undeclared > 0 ? `${counts.undeclared} undeclared` : undefined;
  }
  const isDrifted = isConditionTrue(status?.conditions, 'Drifted') || counts.driftedFields > 0;
  return isDrifted ? `${counts.driftedFields} drifted` : undefined;
}
