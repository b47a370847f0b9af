import { isConditionTrue } from '@tenantry/runtime/conditions/conditions';
import {
  isCurrent,
  summarizeTenant,
  type LiveTenant,
  type TenantSummary,
} from './tenant-summary.ts';

/** The values of `--fail-on`. */
export const failures = ['drift', 'not-ready', 'undeclared'] as const;

export type Failure = (typeof failures)[number];

/** A tenant that fails a run, with the reasons in words. */
export interface Failing {
  readonly tenant: string;
  readonly because: string;
}

/**
 * Returns the tenants that fail. An unknown state fails too: a Tenant without a status, with an
 * outdated status, or one that could not be compared. A cordoned tenant never fails.
 */
export function findFailing(
  tenants: readonly LiveTenant[],
  request: readonly Failure[],
): readonly Failing[] {
  if (request.length === 0) return [];
  return tenants.flatMap((tenant) => {
    const summary = summarizeTenant(tenant);
    if (summary.state === 'Cordoned') return [];
    const because =
      explainUnknown(summary) ?? request.map((one) => explainFailure(one, tenant, summary));
    const reasons = [because].flat().filter((one) => one !== undefined);
    return reasons.length === 0 ? [] : [{ tenant: summary.name, because: reasons.join(', ') }];
  });
}

function explainUnknown(summary: TenantSummary): string | undefined {
  if (summary.state === 'Unseen') return 'not observed by the operator yet';
  return isCurrent(summary) ? undefined : 'changed since the operator last observed it';
}

function explainFailure(
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
