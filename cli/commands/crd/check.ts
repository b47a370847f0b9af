import type { Command } from 'commander';
import { addReportOptions } from '../../options.ts';
import { InvalidInput, formatProblem, type Problem } from '@tenantry/kube/problem';
import { validateDefinition } from '@tenantry/crd/validation';
import { readSource } from './definition-source.ts';
import type { ExitCode } from '../../failure-report.ts';
import { resolveColors, type ColorChoice } from '../../settings.ts';
import { count, paintIf, printJson, problemLines, warningLines } from '../../console-output.ts';

/** `tenantry crd check`: validates CustomResourceDefinitions like the API server. */
export function configure(command: Command): void {
  command
    .argument('<source...>', 'file, folder, REV:PATH of Git, or - for standard input')
    .option('--strict', 'also fail on what is not checked');
  addReportOptions(command, 'print only errors')
    .addHelpText(
      'after',
      `
The rules are those of Kubernetes 1.36 for creation with strict field validation. A warning reports what the
API server accepts but is rarely intended. What only the API server can decide, such as a CEL rule nested
more than 100 deep, is reported as not checked; --strict fails on it.

Examples:
  tenantry crd check config/crd/bases
  tenantry crd check origin/main:config/crd --output json
  helm template chart --include-crds | tenantry crd check -

Exit codes: 0 no error; 1 an error, unreadable input or, with --strict, something not checked;
2 internal error.`,
    )
    .action(async (sources: readonly string[], options: CheckOptions) => {
      process.exitCode = await runCheck(sources, options);
    });
}

/** The command line, as commander gives it. */
export interface CheckOptions {
  readonly output: 'text' | 'json';
  readonly quiet?: boolean;
  /** Whether unchecked parts fail, too. */
  readonly strict?: boolean;
  readonly color: ColorChoice;
}

/** The findings of all sources, each with its place. */
interface Found {
  readonly definitions: number;
  readonly problems: readonly Problem[];
  readonly warnings: readonly Problem[];
  readonly notChecked: readonly Problem[];
}

/**
 * Reads the definitions and prints what the API server would refuse in them.
 * @throws {UsageError} when there is no such source
 */
export async function runCheck(
  sources: readonly string[],
  { output, quiet = false, strict = false, color }: CheckOptions,
): Promise<ExitCode> {
  const { definitions, problems, warnings, notChecked } = await findIn(sources);
  const isBad = problems.length > 0 || (strict && notChecked.length > 0);
  if (output === 'json') {
    const outcome = isBad ? 'refused' : 'done';
    printJson('crd check', { outcome, definitions, problems, warnings, notChecked });
    return isBad ? 1 : 0;
  }
  const colors = resolveColors(color);
  for (const line of problemLines(problems, paintIf(colors.err))) console.error(line);
  if (strict) for (const line of unknownLines(notChecked, colors.err)) console.error(line);
  if (quiet) return isBad ? 1 : 0;
  for (const line of warningLines(warnings, paintIf(colors.out))) console.log(line);
  if (!strict) for (const line of unknownLines(notChecked, colors.out)) console.log(line);
  const counts = [
    count(problems.length, 'problem'),
    count(warnings.length, 'warning'),
    `${notChecked.length} not checked`,
  ];
  console.log(`${count(definitions, 'definition')}: ${counts.join(', ')}`);
  return isBad ? 1 : 0;
}

function unknownLines(notChecked: readonly Problem[], colors: boolean): string[] {
  const words = paintIf(colors)('dim', 'not checked');
  return notChecked.map((one) => `${words} ${formatProblem(one)}`);
}

async function findIn(sources: readonly string[]): Promise<Found> {
  const problems: Problem[] = [];
  const warnings: Problem[] = [];
  const notChecked: Problem[] = [];
  let definitions = 0;
  for (const name of sources) {
    const source = await readSource(name);
    problems.push(...source.problems);
    for (const located of source.definitions) {
      definitions += 1;
      const verdict = validateDefinition(located.asRead);
      problems.push(...verdict.errors.map(located.problem));
      warnings.push(...verdict.warnings.map(located.problem));
      notChecked.push(...verdict.notChecked.map(located.problem));
    }
  }
  return { definitions, problems: new InvalidInput(problems).problems, warnings, notChecked };
}
