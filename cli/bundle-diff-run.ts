import { changeRules } from '../crds/compatibility.ts';
import { didYouMean, InvalidInput, findNearest, show, type Problem } from '../kube/problem.ts';
import { placing, type Bundle } from '../olm/bundle/bundle.ts';
import { readBundle } from '../olm/folder/read-bundle.ts';
import {
  compareBundles,
  upgradeRules,
  type UpgradeGraph,
  type UpgradeVerdict,
} from '../olm/upgrade/compare.ts';
import { diffLines, diffSummary, countByVerdict, type JudgedChange } from './bundle-diff-report.ts';
import type { ExitCode } from './ending.ts';
import { resolveColors, type ColorChoice } from './settings.ts';
import { UsageError } from './usage-error.ts';
import { paintIf, printJson, printProblems } from './words.ts';

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
  const unread = [...errorsOf(before, old), ...errorsOf(after, now)];
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

function errorsOf(bundle: Bundle, source: string): Problem[] {
  const errors = bundle.faults.filter(({ severity }) => severity === 'error');
  return errors.map(placing(bundle, source));
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
