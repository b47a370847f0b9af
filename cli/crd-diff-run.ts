import { compareDefinitionSets, type DefinitionComparison } from '../crds/compatibility.ts';
import { InvalidInput } from '../kube/problem.ts';
import {
  pathExists,
  emptySource,
  readRevision,
  readSource,
  type DefinitionSource,
} from './definition-source.ts';
import { markdown, summary, textLines, countByVerdict, type Totals } from './crd-diff-report.ts';
import type { ExitCode } from './ending.ts';
import { resolveColors, type ColorChoice } from './settings.ts';
import { UsageError } from './usage-error.ts';
import { paintIf, printJson, printProblems, warningLines } from './words.ts';

/** The command line, as commander gives it. */
export interface DiffOptions {
  readonly base?: string;
  readonly output: 'text' | 'json' | 'markdown';
  readonly failOn: 'breaking' | 'unknown' | 'never';
  readonly advice: 'off' | 'show' | 'error';
  readonly widening: 'compatible' | 'breaking';
  readonly quiet?: boolean;
  readonly color: ColorChoice;
}

const COMMAND = 'crd diff';

/**
 * Compares definitions and prints the findings.
 * @param old OLD; with `base`, the path of both
 * @throws {UsageError} when the arguments contradict each other
 */
export async function diff(
  old: string | undefined,
  now: string | undefined,
  options: DiffOptions,
): Promise<ExitCode> {
  const [olds, news] = await sourcesOf(old, now, options.base);
  const problems = [...olds.problems, ...news.problems];
  const colors = resolveColors(options.color);
  if (problems.length > 0) {
    const all = new InvalidInput(problems).problems;
    if (options.output === 'json') printJson(COMMAND, { outcome: 'refused', problems: all });
    else printProblems(all, 'nothing was compared', paintIf(colors.err));
    return 1;
  }
  const compared = compareDefinitionSets(
    olds.definitions,
    news.definitions.map(({ manifest }) => manifest),
    { widening: options.widening },
  ).map((comparison) => shown(comparison, options));
  const totals = countByVerdict(compared);
  const isBad = fails(totals, options);
  const warnings = [...olds.warnings, ...news.warnings];
  if (options.output === 'json') {
    printJson(COMMAND, {
      outcome: isBad ? 'refused' : 'done',
      totals,
      definitions: compared,
      warnings,
    });
    return isBad ? 1 : 0;
  }
  if (!options.quiet) {
    for (const line of warningLines(warnings, paintIf(colors.err))) console.error(line);
  }
  if (options.output === 'markdown') console.log(markdown(compared));
  else {
    for (const line of textLines(compared, paintIf(colors.out))) console.log(line);
    if (!options.quiet) console.log(summary(compared));
  }
  return isBad ? 1 : 0;
}

async function sourcesOf(
  old: string | undefined,
  now: string | undefined,
  base: string | undefined,
): Promise<readonly [DefinitionSource, DefinitionSource]> {
  if (base !== undefined) {
    if (old === undefined || now !== undefined) {
      throw new UsageError(
        'with --base, one path must be given, that of NEW and, in the revision, of OLD',
      );
    }
    const before = readRevision(base, old);
    const isGone = !pathExists(old) && before.definitions.length > 0;
    return [before, isGone ? emptySource : await readSource(old)];
  }
  if (old === undefined || now === undefined) {
    throw new UsageError('OLD and NEW must be given, or --base and one path');
  }
  if (old === '-' && now === '-') {
    throw new UsageError('one of OLD and NEW may be standard input, got - twice');
  }
  return [await readSource(old), await readSource(now)];
}

/** Applies the options to the findings of a comparison. */
function shown(
  comparison: DefinitionComparison,
  { advice, quiet }: DiffOptions,
): DefinitionComparison {
  const changes = comparison.changes.filter(({ verdict }) => !quiet || verdict !== 'compatible');
  return {
    ...comparison,
    changes,
    advice: advice === 'off' || (quiet && advice === 'show') ? [] : comparison.advice,
    notChecked: quiet ? [] : comparison.notChecked,
  };
}

function fails({ breaking, unknown, advice }: Totals, options: DiffOptions): boolean {
  if (options.advice === 'error' && advice > 0) return true;
  if (options.failOn === 'never') return false;
  return breaking > 0 || (options.failOn === 'unknown' && unknown > 0);
}
