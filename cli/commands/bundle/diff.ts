import type { Command } from 'commander';
import { addReportOptions, choice, collect } from '../../options.ts';
import { changeRules } from '@tenantry/crd/compatibility';
import { InvalidInput, didYouMean, findNearest, show } from '@tenantry/kube/problem';
import { locateErrors, type Bundle } from '@tenantry/olm/bundle/bundle';
import { readBundle } from '@tenantry/olm/folder/read-bundle';
import {
  compareBundles,
  upgradeRules,
  type UpgradeChange,
  type UpgradeGraph,
  type UpgradeVerdict,
} from '@tenantry/olm/upgrade/compare';
import type { ExitCode } from '../../failure-report.ts';
import { resolveColors, type ColorChoice } from '../../settings.ts';
import { UsageError } from '../../usage-error.ts';
import { count, paintIf, printJson, printProblems, type Paint } from '../../console-output.ts';
import { escapeForTerminal } from '@tenantry/kube/printable';

/** `tenantry bundle diff`: reports whether an operator can be upgraded from one bundle to another. */
export function configure(command: Command): void {
  command
    .argument('<old>', 'the folder of a bundle, or an OCI image layout')
    .argument('<new>', 'the same, for the bundle that replaces it')
    .option('--allow <rule>', 'accept the findings of a rule (repeatable)', collect)
    .addOption(
      choice('--fail-on <verdict>', 'the lowest verdict that fails', 'breaking', 'review', 'never'),
    )
    .addOption(
      choice(
        '--update-graph <mode>',
        'the mode of the update graph, as in ci.yaml',
        'replaces',
        'semver',
      ),
    );
  addReportOptions(command, 'print only breaking changes and those to review')
    .addHelpText(
      'after',
      `
Each difference is breaking (the upgrade does not happen, or something stops or is lost), to be reviewed, or
fine. The command compares the upgrade path, custom resources like crd diff, permissions, webhooks, what NEW
requires of a cluster, and what it adds. docs/reference/upgrade-rules.md lists all rules.

Examples:
  tenantry bundle diff operators/redis/1.2.3 operators/redis/1.3.0
  tenantry bundle diff old new --allow permission-powerful --fail-on review
  tenantry bundle diff old new --update-graph semver --output json

Exit codes: 0 nothing that fails; 1 something is breaking (--fail-on) and not accepted (--allow), or a
bundle cannot be read; 2 internal error.`,
    )
    .action(async (...given: [string, string, BundleDiffOptions]) => {
      process.exitCode = runBundleDiff(...given);
    });
}

/** The command line, as commander gives it. */
export interface BundleDiffOptions {
  readonly allow?: readonly string[];
  readonly failOn: Exclude<UpgradeVerdict, 'fine'> | 'never';
  readonly updateGraph: UpgradeGraph;
  readonly output: 'text' | 'json';
  readonly quiet?: boolean;
  readonly color: ColorChoice;
}

const COMMAND = 'bundle diff';

/**
 * Compares two bundles and prints what the upgrade changes.
 * @throws {UsageError} for an unknown rule
 */
export function runBundleDiff(old: string, now: string, options: BundleDiffOptions): ExitCode {
  const { allow = [], failOn, updateGraph, output, quiet = false } = options;
  allow.forEach(checkRule);
  const [before, after] = [readBundle(old), readBundle(now)];
  const colors = resolveColors(options.color);
  const unread = [...locateErrors(before, old), ...locateErrors(after, now)];
  if (unread.length > 0) {
    const { problems } = new InvalidInput(unread);
    if (output === 'json') printJson(COMMAND, { outcome: 'refused', problems });
    else printProblems(problems, 'nothing was compared', paintIf(colors.err));
    return 1;
  }
  const all = compareBundles(before, after, { updateGraph });

  const changes = all.map((change): JudgedChange => {
    return allow.includes(change.rule) ? { ...change, accepted: true } : change;
  });
  const isBad = changes.some((change) => fails(change, failOn));
  if (output === 'json') {
    printJson(COMMAND, {
      outcome: isBad ? 'refused' : 'done',
      old: nameOf(before),
      new: nameOf(after),
      totals: countByVerdict(changes),
      changes: quiet ? changes.filter(isLoud) : changes,
    });
    return isBad ? 1 : 0;
  }
  for (const line of diffLines(quiet ? changes.filter(isLoud) : changes, paintIf(colors.out))) {
    console.log(line);
  }
  if (!quiet) console.log(diffSummary(nameOf(before), nameOf(after), changes));
  return isBad ? 1 : 0;
}

function nameOf({ csv }: Bundle): string {
  return csv?.name ?? '';
}

function isLoud({ verdict, accepted }: JudgedChange): boolean {
  return verdict !== 'fine' && accepted !== true;
}

function fails({ verdict, accepted }: JudgedChange, failOn: BundleDiffOptions['failOn']) {
  if (failOn === 'never' || accepted === true) return false;
  return verdict === 'breaking' || (failOn === 'review' && verdict === 'review');
}

/** Accepts a rule of upgrades or of `crd diff`, whether or not it has findings. */
function checkRule(rule: string): void {
  const known: readonly string[] = [...upgradeRules.map(({ id }) => id), ...changeRules];
  if (known.includes(rule)) return;
  const meant = didYouMean(findNearest(rule, known));
  throw new UsageError(`--allow must be the name of a rule, got ${show(rule)}${meant}`);
}

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
