import type { Command } from 'commander';
import { choice } from '../../options.ts';
import { compareDefinitionSets, type DefinitionComparison } from '@tenantry/crd/compatibility';
import { InvalidInput } from '@tenantry/kube/problem';
import {
  emptySource,
  pathExists,
  readRevision,
  readSource,
  type DefinitionSource,
} from './definition-source.ts';
import { countByVerdict, markdown, summary, textLines, type Totals } from './diff-report.ts';
import type { ExitCode } from '../../failure-report.ts';
import { resolveColors, type ColorChoice } from '../../settings.ts';
import { UsageError } from '../../usage-error.ts';
import { paintIf, printJson, printProblems, warningLines } from '../../console-output.ts';

/** `tenantry crd diff`: compares CustomResourceDefinitions. */
export function configure(command: Command): void {
  command
    .argument('[old]', 'file, folder, REV:PATH of Git, or - for standard input')
    .argument('[new]', 'the same, for the new version')
    .option('--base <revision>', 'compare NEW with the same path in this Git revision; omit OLD')
    .addOption(choice('--output <format>', 'the output format', 'text', 'json', 'markdown'))
    .addOption(
      choice(
        '--fail-on <verdict>',
        'the lowest verdict that fails',
        'unknown',
        'breaking',
        'never',
      ),
    )
    .addOption(
      choice('--advice <what>', 'advice on the style of new fields', 'show', 'off', 'error'),
    )
    .addOption(
      choice(
        '--widening <verdict>',
        'the verdict on accepting more than before',
        'compatible',
        'breaking',
      ),
    )
    .option('--quiet', 'print only breaking and unknown changes')
    .addOption(choice('--color <when>', 'color the output', 'auto', 'always', 'never'))
    .addHelpText(
      'after',
      `
Definitions are matched by metadata.name. A definition that is missing from NEW is breaking, because its
objects are deleted with it; a new one is compatible. If OLD is from a cluster, its status.storedVersions
is read, too.

Examples:
  tenantry crd diff old.yaml new.yaml
  tenantry crd diff main:config/crd config/crd
  tenantry crd diff --base origin/main config/crd --output markdown
  kubectl get crd -o yaml | tenantry crd diff - config/crd

Exit codes: 0 nothing that fails; 1 a breaking or unknown change (--fail-on), advice
(--advice error), or input that cannot be read; 2 internal error.`,
    )
    .action(async (...given: [string | undefined, string | undefined, DiffOptions]) => {
      process.exitCode = await diff(...given);
    });
}

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
  const [olds, news] = await readSources(old, now, options.base);
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

async function readSources(
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
