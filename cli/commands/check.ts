import type { Command } from 'commander';
import { addRenderOptions, collect } from '../options.ts';
import { measureSize } from '../../apps/size.ts';
import { isUpToDate } from '../../synth/output/output.ts';
import { formatProblem, type Exemption, type Problem } from '@tenantry/kube/problem';
import type { Report, Summary } from '../../synth/report.ts';
import { runApp } from '../app.ts';
import { buildUncheckedWarning } from '../git/base.ts';
import { findBases, prefetchBases, type BaseDescription } from '../git/bases.ts';
import { selectJsonFields, unrenderedLines } from '../changes.ts';
import { formatRemoval } from '../removals/outcomes.ts';
import { combineRemovals } from '../removals/combine-removals.ts';
import { reportFailure, type ExitCode } from '../failure-report.ts';
import type { RunGit } from '../git/git.ts';
import { GitAhead } from '../git/git-ahead.ts';
import { resolveSettings, type CommandOptions, type Settings } from '../settings.ts';
import {
  count,
  elapsed,
  paintIf,
  printJson,
  problemLines,
  sizeWords,
  truncateList,
  warningLines,
} from '../console-output.ts';

/** `tenantry check`: compares the declarations with the output folder. */
export function configure(command: Command): void {
  addRenderOptions(command)
    .option(
      '--base <revision>',
      'fail on removals since the merge base of HEAD and this Git revision (default: HEAD)',
    )
    .option(
      '--allow-removal <name>',
      'a tenant, tenant/namespace, or namespace of no tenant that may be removed (repeatable)',
      collect,
    )
    .addHelpText(
      'after',
      `
Fails if the output folder differs from what the declarations render, if a tenant or namespace is
removed that was not Retired, or if something that a declaration gives has ended (\`until\`). It warns 30
days before that. If Tenantry cannot determine what is removed, it prints a warning.

Examples:
  tenantry check
  tenantry check --base origin/main
  tenantry check --base origin/main --allow-removal old-team`,
    )
    .action(async (options: CommandOptions & CheckOptions) => {
      process.exitCode = await check(resolveSettings(options), options);
    });
}

interface CheckOptions {
  readonly base?: string;
  readonly allowRemoval?: readonly string[];
}

/** Validates everything and compares it with the committed output. It writes nothing. */
async function check(settings: Settings, options: CheckOptions): Promise<ExitCode> {
  const git = new GitAhead();
  // A user's own app may change the repository while it runs.
  if (settings.app === undefined) prefetchBases(settings.out, options.base, git);
  const report = await runApp(settings, 'compare');
  if (report.outcome !== 'done') {
    await git.stop();
    return reportFailure('check', withEndedAsProblems(report), settings);
  }
  await git.settle();
  const { changes, exemptions } = report.summary;
  const isStrict = settings.warningsAsErrors;
  const size = measureSize(report.summary);
  const { base, gone, unsure, removals } = findRemovals(report.summary, settings, options, git.ask);
  const [ended, others] = separateEnded(report.summary.warnings);
  const problems = [...ended, ...gone, ...(isStrict ? unsure : [])];
  const warnings = [...others, ...(isStrict ? [] : unsure)];
  const fresh = isUpToDate(changes);
  const code = fresh && problems.length === 0 ? 0 : 1;
  if (settings.json) {
    const outcome = code === 0 ? 'done' : 'refused';
    const result = { outcome, ...size, base, files: selectJsonFields(changes) };
    const exceptions = exemptions.map(({ whom, what, ...rest }) => ({
      tenant: whom,
      what,
      ...rest,
    }));
    printJson('check', { ...result, problems, warnings, exceptions, removals });
    return code;
  }
  const paint = paintIf(settings.colors.err);
  for (const line of warningLines(warnings, paint)) console.error(line);
  // After something ended the output differs until its entry is removed, which renders everything again.
  const isStale = !fresh && ended.length === 0;
  if (isStale)
    for (const line of unrenderedLines(changes, settings.out, paint)) console.error(line);
  for (const line of problemLines(problems, paint)) console.error(line);
  if (!settings.quiet) for (const line of exceptionLines(exemptions)) console.log(line);
  if (code === 0 && !settings.quiet) {
    for (const one of removals) console.log(formatRemoval(one));
    console.log(
      `${sizeWords(size)}: valid, and ${settings.out} is up to date (${elapsed().toFixed(1)} s)`,
    );
    console.log(sinceWords(base, settings.out));
  }
  return code;
}

/** Separates the warnings about what has ended. They are errors here: the entry is dead and has to be removed. */
function separateEnded(
  warnings: readonly Problem[],
): readonly [ended: readonly Problem[], others: readonly Problem[]] {
  const isEnded = ({ rule }: Problem): boolean => rule === 'ended';
  return [warnings.filter(isEnded), warnings.filter((one) => !isEnded(one))];
}

function withEndedAsProblems(report: Exclude<Report, { outcome: 'done' }>): typeof report {
  if (report.outcome !== 'refused') return report;
  const [ended, warnings] = separateEnded(report.warnings);
  return { ...report, problems: [...ended, ...report.problems], warnings };
}

/** The number of exceptions that the list names; JSON has all. */
const LISTED = 50;

function exceptionLines(exemptions: readonly Exemption[]): string[] {
  if (exemptions.length === 0) return [];
  const lines = exemptions.map(({ whom, what, reason, ...place }) => {
    const message = `${what} for ${whom}: ${reason}`;
    return `  ${formatProblem({ ...place, message })}`;
  });
  return [`${count(exemptions.length, 'exception')}:`, ...truncateList(lines, LISTED)];
}

/** Finds tenants and namespaces that disappear without being retired, and obstacles to finding them. */
function findRemovals(summary: Summary, settings: Settings, options: CheckOptions, ask: RunGit) {
  const { bases, description, warnings } = findBases(settings.out, options.base, ask);
  const allowed = options.allowRemoval ?? [];
  const found = combineRemovals(bases, summary, { out: settings.out, allowed });
  const unsure = [...warnings, ...found.unsure];
  if (options.base === undefined && settings.ci && description.kind === 'git') {
    const why = 'HEAD is the commit that is checked; in CI give --base, such as origin/main';
    unsure.push(buildUncheckedWarning(why));
  }
  return { ...found, base: description, unsure };
}

/** Describes in words what removals were compared with. */
function sinceWords(base: BaseDescription, out: string): string {
  if (base.kind === 'none') return 'Removals were not checked.';
  const that = 'without being retired or allowed.';
  if (base.kind === 'disk') {
    return `Nothing is removed from ${out} ${that} There is no commit to compare with.`;
  }
  const points = base.commits.map((id) => id.slice(0, 10)).join(' and ');
  return `Nothing is removed since ${base.revision} (${points}) ${that}`;
}
