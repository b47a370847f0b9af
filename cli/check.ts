import { isUpToDate, type Changes } from '../synth/output/changes.ts';
import { runApp } from './app.ts';
import { baseOf } from './base.ts';
import { disappearances } from './disappearance.ts';
import { tellEnding, type ExitCode } from './ending.ts';
import type { Settings } from './settings.ts';
import { beginning, count, elapsed, paintIf, problemLines, sizeOf, warningLines } from './words.ts';

export interface CheckOptions {
  readonly base?: string;
  readonly allowRemoval?: readonly string[];
}

/** Validates everything and compares it with what is committed; writes nothing. */
export async function check(settings: Settings, options: CheckOptions): Promise<ExitCode> {
  const report = await runApp(settings, 'compare');
  if (report.outcome !== 'done') return tellEnding('check', report, settings);
  const base = baseOf(settings.out, options.base);
  const { changes, files, warnings, tenants, namespaces, objects } = report.summary;
  const gone = disappearances(base, files, options.allowRemoval ?? []).map((problem) => ({
    ...problem,
    file: `${settings.out}/${problem.file}`,
  }));
  if (options.base === undefined && settings.ci && !settings.quiet) {
    console.error(
      `note: removals were looked for since ${base.name}; in a merge request give --base, such as origin/main`,
    );
  }
  const fresh = isUpToDate(changes);
  const code = fresh && gone.length === 0 ? 0 : 1;
  if (settings.json) {
    const { added, changed, removed, unchanged, foreign, interrupted } = changes;
    const stale = { added, changed, removed, unchanged, foreign, interrupted };
    const outcome = code === 0 ? 'done' : 'refused';
    const result = { command: 'check', outcome, tenants, namespaces, objects, files: stale };
    console.log(
      JSON.stringify({ ...result, problems: gone, warnings, seconds: elapsed() }, undefined, 2),
    );
    return code;
  }
  const paint = paintIf(settings.colors.err);
  for (const line of warningLines(warnings, paint)) console.error(line);
  for (const line of staleLines(changes, settings)) console.error(line);
  for (const line of problemLines(gone, paint)) console.error(line);
  if (code === 0 && !settings.quiet) {
    console.log(
      `${sizeOf(report.summary)}: valid, and ${settings.out} is up to date (${elapsed().toFixed(1)} s)`,
    );
  }
  return code;
}

function staleLines(changes: Changes, { out, colors }: Settings): string[] {
  if (isUpToDate(changes)) return [];
  const paint = paintIf(colors.err);
  const files = [
    ...changes.added.map((path) => `missing  ${out}/${path}`),
    ...changes.changed.map((path) => `differs  ${out}/${path}`),
    ...changes.removed.map((path) => `left over  ${out}/${path}`),
    ...changes.foreign.map((path) => `not ours, and in the way  ${out}/${path}`),
  ];
  return [
    `${paint('red', 'error')} ${out} must be what is declared, got ${count(files.length, 'file')} that ${files.length === 1 ? 'is' : 'are'} not:`,
    ...beginning(files, 50).map((line) => `  ${line}`),
    ...(changes.interrupted
      ? ['  a write of it was interrupted: `tenantry synth` completes it']
      : []),
    'Run `tenantry synth` and commit the result; what was edited by hand belongs into a declaration.',
  ];
}
