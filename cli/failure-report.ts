import type { Report } from '../synth/report.ts';
import type { Settings } from './settings.ts';
import { paintIf, printJson, printProblems, warningLines } from './console-output.ts';

/** Exit codes: success, user error, internal error, and an answer that cannot be known. */
export type ExitCode = 0 | 1 | 2 | 3;

/** Reports why a command failed, and whether anything was changed: on stderr, or as JSON on stdout. */
export function reportFailure(
  command: string,
  report: Exclude<Report, { readonly outcome: 'done' }>,
  settings: Settings,
): ExitCode {
  const code = report.outcome === 'refused' ? 1 : 2;
  if (settings.json) {
    printJson(command, report);
    return code;
  }
  const paint = paintIf(settings.colors.err);
  if (report.outcome === 'failed') {
    const what =
      settings.app === undefined
        ? 'Tenantry failed, internal error:'
        : 'the app of cdk8s.yaml failed while it was rendered, because of an error in the app or an internal error:';
    console.error(`${paint('red', 'error')} ${what}`);
    console.error(report.error);
    return code;
  }
  for (const line of warningLines(report.warnings, paint)) console.error(line);
  const state = report.written ? 'was written before' : 'is as it was';
  printProblems(report.problems, `${settings.out} ${state}`, paint);
  return code;
}
