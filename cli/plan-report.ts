import {
  countByRisk,
  type ChangeSet,
  type PlannedChange,
  type Risk,
  type ChangeLocation,
} from '../apps/plan/plan.ts';
import type { Agreement } from '../apps/plan/verdict.ts';
import { escapeForTerminal } from '@tenantry/kube/printable';
import { code, escaped, fitting, folded } from './markdown.ts';
import { truncateList, count, type Paint } from './console-output.ts';

const styles = { high: 'red', medium: 'yellow', low: 'green' } as const;
const WIDTH = { risk: 8, who: 14, area: 13 };

/** Who must agree, as tables name it. */
export const whoWords: Readonly<Record<Agreement, string>> = {
  nobody: 'nobody',
  owners: 'owners',
  'other-owners': 'other owners',
  platform: 'platform',
};

/** The number of places that are named for one change; JSON has all. */
const PLACES = 6;

/** The number of low risks that are listed. One change of a class causes one change per tenant. */
const LOW = 50;

interface PlanColumns {
  /** Whether a column shows who must agree. */
  readonly isReview: boolean;
}

/** Formats the changes as a table, the riskiest first; empty without changes. */
export function planLines(
  { changes }: ChangeSet,
  paint: Paint,
  { isReview }: PlanColumns = { isReview: false },
): string[] {
  if (changes.length === 0) return [];
  const who = (text: string): string => (isReview ? text.padEnd(WIDTH.who) : '');
  const head = `${'risk'.padEnd(WIDTH.risk)}${who('who')}${'area'.padEnd(WIDTH.area)}what`;
  const rows = changes.map(({ risk, area, subject, message, where, rule, verdict }) => {
    const first = paint(styles[risk], risk.padEnd(WIDTH.risk));
    const what = escapeForTerminal(`${subject} ${message}`);
    const place = escapeForTerminal(placesText(where));
    const end = paint('dim', place === '' ? `(${rule})` : `(${place}; ${rule})`);
    return `${first}${who(whoWords[verdict.agreement])}${area.padEnd(WIDTH.area)}${what} ${end}`;
  });
  const low = changes.findIndex(({ risk }) => risk === 'low');
  const shown = low < 0 ? rows : [...rows.slice(0, low), ...truncateList(rows.slice(low), LOW)];
  return [paint('bold', head), ...shown, ''];
}

/** `3 changes: 1 high, 0 medium, 2 low`. */
export function planSummary({ changes }: ChangeSet): string {
  if (changes.length === 0) return 'no change of an object';
  const { high, medium, low } = countByRisk(changes);
  return `${count(changes.length, 'change')}: ${high} high, ${medium} medium, ${low} low`;
}

/** `fra1: pay-dev, pay-prod; arn1`. */
export function placesText(where: readonly ChangeLocation[]): string {
  const clusters = Map.groupBy(where, ({ cluster }) => cluster);
  const texts = [...clusters].map(([cluster, places]) => {
    const names = [...new Set(places.flatMap(({ namespace }) => namespace ?? []))];
    const named = truncateList(names, PLACES).join(', ');
    return [cluster, named].filter(Boolean).join(': ');
  });
  return truncateList(texts.filter(Boolean), PLACES).join('; ');
}

/**
 * Formats the plan as a comment on a merge request, the riskiest first and low risks collapsed.
 * @param what describes the plan: `changes since origin/main (1a2b3c4)`
 * @param review the lines about who must agree. Without them no column shows that either
 */
export function planMarkdown(plan: ChangeSet, what: string, review?: readonly string[]): string {
  const isReview = review !== undefined;
  const lines = [`### Plan: ${planSummary(plan)}`, '', `${escaped(what)}.`, '', ...(review ?? [])];
  const shown = plan.changes.filter(({ risk }) => risk !== 'low');
  const low = plan.changes.filter(({ risk }) => risk === 'low');
  let length = lines.join('\n').length;
  const add = (changes: readonly PlannedChange[], fold?: string): void => {
    if (changes.length === 0) return;
    const { taken, left } = fitting(
      changes.map((one) => row(one, isReview)),
      length + ROOM,
    );
    const rows = [...tableHead(isReview), ...taken];
    const more =
      left === 0 ? [] : ['', `And ${count(left, 'more change')}: run \`tenantry plan\`.`];
    const all = [...rows, ...more];
    lines.push(...(fold === undefined ? [...all, ''] : folded(fold, all)));
    length = lines.join('\n').length;
  };
  add(shown);
  add(low, `${low.length} of low risk`);
  for (const { file, message } of plan.unread) {
    lines.push(`Not compared: ${code(file ?? '')} ${escaped(message)}`, '');
  }
  return lines.join('\n');
}

const tableHead = (isReview: boolean): string[] =>
  isReview
    ? ['| risk | who | where | what | rule |', '| --- | --- | --- | --- | --- |']
    : ['| risk | where | what | rule |', '| --- | --- | --- | --- |'];

/** Characters reserved for the text around a table. */
const ROOM = 500;

const MARKS: Readonly<Record<Risk, string>> = { high: '**high**', medium: 'medium', low: 'low' };

function row(
  { risk, subject, message, where, rule, verdict }: PlannedChange,
  isReview: boolean,
): string {
  const what = escaped(`${subject} ${message}`);
  const who = isReview ? `${whoWords[verdict.agreement]} | ` : '';
  return `| ${MARKS[risk]} | ${who}${escaped(placesText(where))} | ${what} | ${code(rule)} |`;
}
