import { isMapping, listAt, valueAt } from '@tenantry/kube/mapping';
import { formatNeed } from '../../apps/review/review.ts';
import { UsageError } from '../usage-error.ts';
import { count } from '../console-output.ts';
import type { ExitCode } from '../failure-report.ts';
import type { CheckStatus } from './change-request.ts';

/** What `tenantry plan --output json` printed. Undefined if it printed nothing, because it could not begin. */
type PlanReport = Readonly<Record<string, unknown>> | undefined;

/** The verdict of a plan, and the exit code that states the same. */
export interface PlanVerdict extends CheckStatus {
  readonly code: ExitCode;
}

/**
 * Returns the owners whose approval a plan needs, as CODEOWNERS spells them.
 * @param report what `tenantry plan --output json` printed
 * @throws {UsageError} when it is something else
 */
export function listNeededOwners(report: unknown): string[] {
  const needs = listAt(parseReport(report), ['review', 'needs']);
  return [...new Set(needs.flatMap((need) => listTexts(need, 'owners')))];
}

/**
 * Returns the verdict of a plan. A plan without a review is never approved.
 * @param report what `tenantry plan --output json` printed
 * @throws {UsageError} when it is something else
 */
export function judgePlan(report: unknown): PlanVerdict {
  const { outcome, problems, review } = parseReport(report) ?? {};
  if (outcome === 'failed') return { state: 'error', description: 'tenantry plan failed', code: 2 };
  if (!isMapping(review) || Array.isArray(problems)) {
    const number = Array.isArray(problems) ? problems.length : 0;
    const description =
      number === 0 ? 'there is no plan' : `${count(number, 'problem')} in the tenants`;
    return { state: 'failure', description, code: 1 };
  }
  const needs = listAt(review, ['needs']);
  if (review['isApproved'] !== true) {
    const missing = needs.filter((need) => listTexts(need, 'approvedBy').length === 0);
    return {
      state: 'failure',
      description: `not approved: ${missing.map(describeNeed).join('; ')}`,
      code: 1,
    };
  }
  if (outcome !== 'done') {
    return { state: 'failure', description: 'a change has a risk that fails (--fail-on)', code: 1 };
  }
  const approvers = [...new Set(needs.flatMap((need) => listTexts(need, 'approvedBy')))];
  const description =
    needs.length === 0 ? 'nobody must agree' : `approved by ${approvers.join(' ')}`;
  return { state: 'success', description, code: 0 };
}

function parseReport(report: unknown): PlanReport {
  if (report === undefined) return undefined;
  if (isMapping(report) && report['command'] === 'plan') return report;
  throw new UsageError(
    'the plan must be what `tenantry plan --output json` printed, got something else',
  );
}

function describeNeed(need: unknown): string {
  return formatNeed({
    party: valueAt(need, ['party']) === 'platform' ? 'platform' : 'owners',
    tenants: listTexts(need, 'tenants'),
    owners: listTexts(need, 'owners'),
    approvedBy: [],
  });
}

const listTexts = (value: unknown, field: string): string[] =>
  listAt(value, [field]).filter((one) => typeof one === 'string');
