import { compareSets, type Comparison } from '../crds/compatibility/sets.ts';
import { InvalidInput } from '../crds/problem.ts';
import { isThere, readRevision, readSource, type Source } from './crd-diff-source.ts';
import { markdown, summary, textLines, totalsOf, type Totals } from './crd-diff-report.ts';
import type { ExitCode } from './ending.ts';
import { UsageError } from './settings.ts';
import { count, elapsed, paintIf, problemLines } from './words.ts';

/** The command line, as commander gives it. */
export interface DiffOptions {
  readonly base?: string;
  readonly output: 'text' | 'json' | 'markdown';
  readonly failOn: 'breaking' | 'unknown' | 'never';
  readonly advice: 'off' | 'show' | 'error';
  readonly widening: 'compatible' | 'breaking';
  readonly quiet?: boolean;
  readonly color: 'auto' | 'always' | 'never';
}

/**
 * Compares, and prints what it finds.
 * @param old OLD; with `base`, the path of both
 * @throws {UsageError} when what is asked for makes no sense
 */
export function diff(
  old: string | undefined,
  now: string | undefined,
  options: DiffOptions,
): ExitCode {
  const [olds, news] = sourcesOf(old, now, options.base);
  const problems = [...olds.problems, ...news.problems];
  const { env, stdout, stderr } = process;
  const colored = (isTerminal: boolean): boolean =>
    options.color === 'auto'
      ? isTerminal && !env['NO_COLOR'] && env['TERM'] !== 'dumb'
      : options.color === 'always';
  if (problems.length > 0) {
    const all = new InvalidInput(problems).problems;
    if (options.output === 'json') tellJson({ outcome: 'refused', problems: all });
    else {
      for (const line of problemLines(all, paintIf(colored(stderr.isTTY)))) console.error(line);
      console.error(`\n${count(all.length, 'problem')}; nothing was compared`);
    }
    return 1;
  }
  const compared = compareSets(
    olds.definitions,
    news.definitions.map(({ manifest }) => manifest),
    { widening: options.widening },
  ).map((comparison) => shown(comparison, options));
  const totals = totalsOf(compared);
  const isBad = fails(totals, options);
  if (options.output === 'json') {
    tellJson({ outcome: isBad ? 'refused' : 'done', totals, definitions: compared });
  } else if (options.output === 'markdown') console.log(markdown(compared));
  else {
    for (const line of textLines(compared, paintIf(colored(stdout.isTTY)))) console.log(line);
    if (!options.quiet) console.log(summary(compared));
  }
  return isBad ? 1 : 0;
}

function sourcesOf(
  old: string | undefined,
  now: string | undefined,
  base: string | undefined,
): readonly [Source, Source] {
  if (base !== undefined) {
    if (old === undefined || now !== undefined) {
      throw new UsageError('with --base, one path must be given: that of NEW, and of OLD in it');
    }
    const before = readRevision(base, old);
    const isGone = !isThere(old) && before.definitions.length > 0;
    return [before, isGone ? { definitions: [], problems: [] } : readSource(old)];
  }
  if (old === undefined || now === undefined) {
    throw new UsageError('OLD and NEW must be given, or --base and one path');
  }
  if (old === '-' && now === '-') {
    throw new UsageError('one of OLD and NEW may be the standard input, got - twice');
  }
  return [readSource(old), readSource(now)];
}

/** What the options leave of a comparison. */
function shown(comparison: Comparison, { advice, quiet }: DiffOptions): Comparison {
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

function tellJson(report: object): void {
  const told = { command: 'crd diff', ...report, seconds: elapsed() };
  console.log(JSON.stringify(told, undefined, 2));
}
