import { sizeOf } from '../apps/size.ts';
import { isUpToDate, type Changes } from '../synth/output/changes.ts';
import { runApp } from './app.ts';
import { baseOf } from './base.ts';
import { filesOf, staleLines, strangerAdvice } from './changes.ts';
import { disappearances } from './disappearance.ts';
import { tellEnding, type ExitCode } from './ending.ts';
import type { Settings } from './settings.ts';
import { elapsed, paintIf, problemLines, sizeWords, tellJson, warningLines } from './words.ts';

export interface CheckOptions {
  readonly base?: string;
  readonly allowRemoval?: readonly string[];
}

/** Validates everything and compares it with what is committed; writes nothing. */
export async function check(settings: Settings, options: CheckOptions): Promise<ExitCode> {
  const report = await runApp(settings, 'compare');
  if (report.outcome !== 'done') return tellEnding('check', report, settings);
  const base = baseOf(settings.out, options.base);
  const { changes, files, warnings } = report.summary;
  const size = sizeOf(report.summary);
  const gone = disappearances(base, files, options.allowRemoval ?? []).map((problem) => ({
    ...problem,
    file: `${settings.out}/${problem.file}`,
  }));
  if (options.base === undefined && settings.ci && !settings.quiet) {
    console.error(
      `note: looked for removals since ${base.name}; in a merge request give --base, such as origin/main`,
    );
  }
  const fresh = isUpToDate(changes);
  const code = fresh && gone.length === 0 ? 0 : 1;
  if (settings.json) {
    const outcome = code === 0 ? 'done' : 'refused';
    const result = { outcome, ...size, files: filesOf(changes) };
    tellJson('check', { ...result, problems: gone, warnings });
    return code;
  }
  const paint = paintIf(settings.colors.err);
  for (const line of warningLines(warnings, paint)) console.error(line);
  if (!fresh) for (const line of staleWords(changes, settings)) console.error(line);
  for (const line of problemLines(gone, paint)) console.error(line);
  if (code === 0 && !settings.quiet) {
    console.log(
      `${sizeWords(size)}: valid, and ${settings.out} is up to date (${elapsed().toFixed(1)} s)`,
    );
  }
  return code;
}

function staleWords(changes: Changes, { out, colors }: Settings): string[] {
  const { added, changed, removed, foreign, strangers } = changes;
  const stale = added.length + changed.length + removed.length + foreign.length > 0;
  return [
    ...staleLines(changes, { out, must: 'what is declared', paint: paintIf(colors.err) }),
    ...(stale
      ? [
          'Run `tenantry synth` and commit the result; what was edited by hand belongs in a declaration.',
        ]
      : []),
    ...(strangers.length > 0 ? [strangerAdvice(out)] : []),
  ];
}
