import { escapeForTerminal } from '../kube/printable.ts';
import type { UpgradeChange } from '../olm/upgrade/compare.ts';
import { count, type Paint } from './words.ts';

/** A change, and whether the command line accepts it. */
export interface JudgedChange extends UpgradeChange {
  readonly accepted?: true;
}

export interface UpgradeTotals {
  readonly breaking: number;
  readonly review: number;
  readonly fine: number;
  readonly accepted: number;
}

export function countByVerdict(changes: readonly JudgedChange[]): UpgradeTotals {
  const totals = { breaking: 0, review: 0, fine: 0, accepted: 0 };
  for (const { verdict, accepted } of changes) totals[accepted ? 'accepted' : verdict] += 1;
  return totals;
}

const styles = { breaking: 'red', review: 'yellow', fine: 'green', accepted: 'dim' } as const;
const WIDTH = { verdict: 10, area: 14 };

/** Formats the changes as a table; empty without changes. */
export function diffLines(changes: readonly JudgedChange[], paint: Paint): string[] {
  if (changes.length === 0) return [];
  const head = `${'verdict'.padEnd(WIDTH.verdict)}${'area'.padEnd(WIDTH.area)}what`;
  const rows = withWordsGathered(changes).map(
    ({ verdict, area, subject, message, rule, ...rest }) => {
      const label = rest.accepted ? 'accepted' : verdict;
      const what = escapeForTerminal(`${subject}: ${message}`);
      const first = paint(styles[label], label.padEnd(WIDTH.verdict));
      return `${first}${area.padEnd(WIDTH.area)}${what} ${paint('dim', `(${rule})`)}`;
    },
  );
  return [paint('bold', head), ...rows, ''];
}

/** The rule of `crd diff` for texts that only people read. */
const WORDS = 'documentation';

/** Merges changed descriptions, since hundreds of them would hide the rest. JSON has all of them. */
function withWordsGathered(changes: readonly JudgedChange[]): readonly JudgedChange[] {
  const words = changes.filter(({ rule }) => rule === WORDS);
  if (words.length < 2) return changes;
  const subjects = new Set(words.map(({ subject }) => subject)).size;
  const message = `words for people (descriptions, examples) differ at ${count(words.length, 'place')}`;
  const subject = count(subjects, 'definition');
  const at = changes.findIndex(({ rule }) => rule === WORDS);
  const rest = changes.filter(({ rule }) => rule !== WORDS);
  return rest.toSpliced(at, 0, { ...words[0]!, subject, message });
}

/** `redis-operator.v1.2.3 -> redis-operator.v1.3.0: 1 breaking, 2 to review, 3 fine`. */
export function diffSummary(old: string, now: string, changes: readonly JudgedChange[]): string {
  const way = escapeForTerminal(`${old} -> ${now}`);
  if (changes.length === 0) return `${way}: nothing differs`;
  const { breaking, review, fine, accepted } = countByVerdict(changes);
  const also = accepted === 0 ? '' : `, ${accepted} accepted`;
  return `${way}: ${breaking} breaking, ${review} to review, ${fine} fine${also}`;
}
