import { sizeOf } from '../apps/size.ts';
import { isUpToDate } from '../synth/output/changes.ts';
import { formatProblem, type Exemption } from '../kube/problem.ts';
import type { Summary } from '../synth/report.ts';
import { runApp } from './app.ts';
import { buildUncheckedWarning } from './base.ts';
import { findBases, prefetchBases, type BaseDescription } from './bases.ts';
import { selectJsonFields, unrenderedLines } from './changes.ts';
import { formatRemoval } from './removal-outcomes.ts';
import { combineRemovals } from './removals.ts';
import { reportFailure, type ExitCode } from './ending.ts';
import type { RunGit } from './git.ts';
import { GitAhead } from './git-ahead.ts';
import type { Settings } from './settings.ts';
import {
  truncateList,
  count,
  elapsed,
  paintIf,
  problemLines,
  sizeWords,
  printJson,
  warningLines,
} from './words.ts';

export interface CheckOptions {
  readonly base?: string;
  readonly allowRemoval?: readonly string[];
}

/** Validates everything and compares it with the committed output. It writes nothing. */
export async function check(settings: Settings, options: CheckOptions): Promise<ExitCode> {
  const git = new GitAhead();
  // A user's own app may change the repository while it runs.
  if (settings.app === undefined) prefetchBases(settings.out, options.base, git);
  const report = await runApp(settings, 'compare');
  if (report.outcome !== 'done') {
    await git.stop();
    return reportFailure('check', report, settings);
  }
  await git.settle();
  const { changes, exemptions } = report.summary;
  const isStrict = settings.warningsAsErrors;
  const size = sizeOf(report.summary);
  const { told, gone, unsure, departures } = removals(report.summary, settings, options, git.ask);
  const problems = [...gone, ...(isStrict ? unsure : [])];
  const warnings = [...report.summary.warnings, ...(isStrict ? [] : unsure)];
  const fresh = isUpToDate(changes);
  const code = fresh && problems.length === 0 ? 0 : 1;
  if (settings.json) {
    const outcome = code === 0 ? 'done' : 'refused';
    const result = { outcome, ...size, base: told, files: selectJsonFields(changes) };
    const exceptions = exemptions.map(({ whom, what, ...rest }) => ({
      tenant: whom,
      what,
      ...rest,
    }));
    printJson('check', { ...result, problems, warnings, exceptions, departures });
    return code;
  }
  const paint = paintIf(settings.colors.err);
  for (const line of warningLines(warnings, paint)) console.error(line);
  if (!fresh) for (const line of unrenderedLines(changes, settings.out, paint)) console.error(line);
  for (const line of problemLines(problems, paint)) console.error(line);
  if (!settings.quiet) for (const line of exceptionLines(exemptions)) console.log(line);
  if (code === 0 && !settings.quiet) {
    for (const one of departures) console.log(formatRemoval(one));
    console.log(
      `${sizeWords(size)}: valid, and ${settings.out} is up to date (${elapsed().toFixed(1)} s)`,
    );
    console.log(sinceWords(told, settings.out));
  }
  return code;
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
function removals(summary: Summary, settings: Settings, options: CheckOptions, ask: RunGit) {
  const { bases, description, warnings } = findBases(settings.out, options.base, ask);
  const allowed = options.allowRemoval ?? [];
  const found = combineRemovals(bases, summary, { out: settings.out, allowed });
  const unsure = [...warnings, ...found.unsure];
  if (options.base === undefined && settings.ci && description.kind === 'git') {
    const why = 'HEAD is the commit that is checked; in CI give --base, such as origin/main';
    unsure.push(buildUncheckedWarning(why));
  }
  return { ...found, told: description, unsure };
}

/** Describes in words what removals were compared with. */
function sinceWords(told: BaseDescription, out: string): string {
  if (told.kind === 'none') return 'Removals were not checked.';
  const that = 'without being retired or allowed.';
  if (told.kind === 'disk') {
    return `Nothing is removed from ${out} ${that} There is no commit to compare with.`;
  }
  const points = told.commits.map((id) => id.slice(0, 10)).join(' and ');
  return `Nothing is removed since ${told.revision} (${points}) ${that}`;
}
