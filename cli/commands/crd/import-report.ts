import type { ImportFailure } from '@tenantry/crd/import';
import { omitUndefined } from '@tenantry/kube/mapping';
import { InvalidInput, type Problem } from '@tenantry/kube/problem';
import { isUpToDate, type OutputChanges } from '../../../synth/output/output.ts';
import { newsLines, selectJsonFields, staleLines } from '../../changes.ts';
import type { ExitCode } from '../../failure-report.ts';
import { resolveColors, type ColorChoice } from '../../settings.ts';
import {
  count,
  elapsed,
  formatNumber,
  paintIf,
  printJson,
  printProblems,
  truncateList,
  warningLines,
  type Paint,
} from '../../console-output.ts';

/** The options for reporting an import. */
export interface ReportOptions {
  readonly out: string;
  readonly check?: boolean;
  readonly output: 'text' | 'json';
  readonly quiet?: boolean;
  readonly color: ColorChoice;
}

/** Findings about the definitions of an import. */
export interface ImportFindings {
  readonly problems: readonly Problem[];
  readonly failures: readonly ImportFailure[];
  readonly warnings: readonly Problem[];
}

/** The result for the definitions that can be imported. */
interface Result extends ImportFindings {
  /** The number of definitions. */
  readonly definitions: number;
  readonly changes: OutputChanges;
  /** The number of objects of other kinds. */
  readonly skipped: number;
}

const COMMAND = 'crd import';
/** The number of warnings shown in a terminal; JSON has all. */
const LISTED = 20;

/** Returns the exit code. An internal error takes precedence over a user error. */
export function computeExitCode({
  problems,
  failures,
}: Omit<ImportFindings, 'warnings'>): ExitCode {
  if (failures.length > 0) return 2;
  return problems.length > 0 ? 1 : 0;
}

/** Reports why nothing was written. */
export function reportRefusal(findings: ImportFindings, options: ReportOptions): ExitCode {
  if (options.output === 'json') printJson(COMMAND, asJson(findings));
  else printAllProblems(findings, `${options.out} is as it was`, paintFor(options).err);
  return computeExitCode(findings);
}

/** Reports what was written or compared, and the problems of the other definitions. */
export function reportImport(result: Result, options: ReportOptions): ExitCode {
  const { changes, definitions, skipped } = result;
  const isStale = options.check === true && !isUpToDate(changes);
  const code = computeExitCode(result) || (isStale ? 1 : 0);
  if (options.output === 'json') {
    const found = asJson(result);
    const outcome = code === 1 ? 'refused' : found['outcome'];
    const files = selectJsonFields(changes);
    printJson(COMMAND, { ...found, outcome, definitions, skipped, files });
    return code;
  }
  const paint = paintFor(options);
  if (!options.quiet) printWarnings(result.warnings, paint.err);
  if (isStale) {
    const { out } = options;
    const stale = staleLines(changes, { out, must: 'what is imported', paint: paint.err });
    for (const line of stale) console.error(line);
    console.error('Run the same without --check and commit the result.');
  } else if (!options.quiet) printResult(result, options, paint.out);
  if (computeExitCode(result) > 0) {
    const rest = count(definitions, 'other definition');
    printAllProblems(result, `${rest} ${options.check ? 'compared' : 'imported'}`, paint.err);
  }
  return code;
}

function printResult(
  { definitions, changes, skipped }: Result,
  options: ReportOptions,
  paint: Paint,
) {
  const size = count(definitions, 'definition');
  const seconds = `${elapsed().toFixed(1)} s`;
  if (options.check) return console.log(`${size}: ${options.out} is up to date (${seconds})`);
  console.log(`${paint('bold', size)} in ${options.out} (${seconds})`);
  const unchanged = definitions - changes.written.filter((path) => path.endsWith('.ts')).length;
  if (skipped > 0) console.log(`${count(skipped, 'object')} of other kinds skipped`);
  console.log(
    `${count(changes.written.length, 'file')} written, ${formatNumber(unchanged)} unchanged`,
  );
  for (const line of truncateList(newsLines(changes, paint), 10)) console.log(`  ${line}`);
}

/** Prints all problems sorted by place, then the stack trace of the first internal error. */
function printAllProblems(findings: ImportFindings, state: string, paint: Paint): void {
  printProblems(listProblems(findings), state, paint);
  const [failure] = findings.failures;
  if (failure) console.error(`\nThe first internal error:\n${failure.error}`);
}

function asJson(findings: ImportFindings): Readonly<Record<string, unknown>> {
  const [failure] = findings.failures;
  const outcome = ['done', 'refused', 'failed'][computeExitCode(findings)];
  return omitUndefined({
    outcome,
    error: failure?.error,
    problems: listProblems(findings),
    warnings: findings.warnings,
  });
}

function listProblems({ problems, failures }: ImportFindings): readonly Problem[] {
  return new InvalidInput([...problems, ...failures.map(({ problem }) => problem)]).problems;
}

function printWarnings(warnings: readonly Problem[], paint: Paint): void {
  for (const line of warningLines(warnings.slice(0, LISTED), paint)) console.error(line);
  if (warnings.length > LISTED) {
    console.error(`and ${count(warnings.length - LISTED, 'warning')} more; --output json has all`);
  }
}

function paintFor({ color }: ReportOptions): { readonly out: Paint; readonly err: Paint } {
  const { out, err } = resolveColors(color);
  return { out: paintIf(out), err: paintIf(err) };
}
