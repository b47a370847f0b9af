import { escapeForTerminal } from '@tenantry/kube/printable';
import type { ChangeSet, PlannedChange } from '../../apps/plan/plan.ts';
import { formatNeed, type Review } from '../../apps/review/review.ts';
import { truncateList, type Paint } from '../console-output.ts';
import { code, escaped } from '../markdown.ts';
import { placesText } from '../plan-report.ts';

/** The number of changes and files that are listed as reasons; JSON has all. */
const REASONS = 20;

/** Formats who must agree, why, and who has agreed. */
export function reviewLines(review: Review, { changes }: ChangeSet, paint: Paint): string[] {
  const lines = [paint('bold', headline(review))];
  for (const need of review.needs) {
    const by =
      need.approvedBy.length === 0 ? 'not approved' : `approved by ${need.approvedBy.join(' ')}`;
    lines.push(escapeForTerminal(`  ${formatNeed(need)}: ${by}`));
  }
  const reasons = listReasons(review, changes).map((reason) => escapeForTerminal(`  ${reason}`));
  if (reasons.length > 0) lines.push('Because:', ...truncateList(reasons, REASONS));
  return [...lines, ''];
}

/** Formats the same as the beginning of a comment. */
export function reviewMarkdown(review: Review, { changes }: ChangeSet): string[] {
  const needs = review.needs.map((need) => {
    const by =
      need.approvedBy.length === 0 ? '' : `, approved by ${code(need.approvedBy.join(' '))}`;
    return `- ${escaped(formatNeed(need))}${by}`;
  });
  const reasons = listReasons(review, changes).map((reason) => `- ${escaped(reason)}`);
  return [
    `**${headline(review)}**`,
    '',
    ...(needs.length === 0 ? [] : [...needs, '']),
    ...(reasons.length === 0 ? [] : ['Because:', '', ...truncateList(reasons, REASONS), '']),
  ];
}

function headline({ agreement, needs, isApproved }: Review): string {
  const who = {
    nobody: 'Nobody must agree',
    owners: 'The owners must agree',
    'other-owners': 'The owners of other tenants must agree too',
    platform: 'The platform must agree',
  }[agreement];
  return isApproved && needs.length > 0 ? `${who}: approved` : who;
}

/** Returns why the strictest agreement is needed, and what would need less. */
function listReasons(
  { agreement, files, moved }: Review,
  changes: readonly PlannedChange[],
): string[] {
  if (agreement === 'nobody') return [];
  const ofChanges = changes
    .filter(({ verdict }) => verdict.agreement === agreement)
    .map(({ subject, where, verdict: { reason, rule, hint } }) => {
      const place = placesText(where);
      const at = place === '' ? rule : `${place}; ${rule}`;
      return `${subject}: ${reason}${hint === undefined ? '' : `; ${hint}`} (${at})`;
    });
  const ofFiles = files.map(
    (path) =>
      `${path} changes: it is neither a declaration of a tenant nor rendered from one (platform-file)`,
  );
  const ofMoves = moved.map(
    ({ tenant, from, to }) => `Tenant ${tenant} gets other owners: ${from} -> ${to} (tenant-moved)`,
  );
  return [...ofFiles, ...ofMoves, ...ofChanges];
}
