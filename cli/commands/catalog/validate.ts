import type { Command } from 'commander';
import { addReportOptions } from '../../options.ts';
import { InvalidInput, type Problem } from '@tenantry/kube/problem';
import { checkCatalog } from '@tenantry/olm/catalog/check-catalog';
import { readCatalogAt } from './source.ts';
import type { ExitCode } from '../../failure-report.ts';
import { resolveColors, type ColorChoice } from '../../settings.ts';
import { count, paintIf, printJson, problemLines, warningLines } from '../../console-output.ts';

/** `tenantry catalog validate`: reports what OLM would refuse in a catalog. */
export function configure(command: Command): void {
  command
    .argument('<dir>', 'the folder of the catalog')
    .option('--strict', 'also fail on warnings');
  addReportOptions(command, 'print only errors')
    .addHelpText(
      'after',
      `
Reads all files of the folder and its subfolders as YAML or JSON, except those that an .indexignore excludes.
The rules are those of \`opm validate\`. All findings are reported; docs/reference/catalog-rules.md lists the rules.
Fields that OLM ignores are warnings.

Examples:
  tenantry catalog validate dist/olm/catalog
  tenantry catalog validate catalog --output json

Exit codes: 0 no error; 1 an error, or unreadable input; 2 internal error.`,
    )
    .action(async (folder: string, options: ValidateOptions) => {
      process.exitCode = runCatalogValidate(folder, options);
    });
}

/** The command line, as commander gives it. */
export interface ValidateOptions {
  readonly output: 'text' | 'json';
  readonly quiet?: boolean;
  /** Whether warnings fail, too. */
  readonly strict?: boolean;
  readonly color: ColorChoice;
}

/**
 * Prints what OLM would refuse in a catalog.
 * @throws {UsageError} when there is no such folder
 */
export function runCatalogValidate(folder: string, options: ValidateOptions): ExitCode {
  const { output, quiet = false, strict = false, color } = options;
  const { packages, channels, bundles, problems, warnings } = findIn(folder);
  const isBad = problems.length > 0 || (strict && warnings.length > 0);
  if (output === 'json') {
    const outcome = isBad ? 'refused' : 'done';
    printJson('catalog validate', { outcome, packages, channels, bundles, problems, warnings });
    return isBad ? 1 : 0;
  }
  const colors = resolveColors(color);
  for (const line of problemLines(problems, paintIf(colors.err))) console.error(line);
  if (quiet && !strict) return isBad ? 1 : 0;
  const say = strict ? console.error : console.log;
  const paint = paintIf(strict ? colors.err : colors.out);
  for (const line of warningLines(warnings, paint)) say(line);
  if (quiet) return isBad ? 1 : 0;
  const size = [
    count(packages, 'package'),
    count(channels, 'channel'),
    count(bundles, 'bundle'),
  ].join(', ');
  console.log(
    `${size}: ${count(problems.length, 'problem')}, ${count(warnings.length, 'warning')}`,
  );
  return isBad ? 1 : 0;
}

interface Found {
  readonly packages: number;
  readonly channels: number;
  readonly bundles: number;
  readonly problems: readonly Problem[];
  readonly warnings: readonly Problem[];
}

/**
 * Reads a catalog, and validates it if all of it can be read. With unreadable parts, validation would
 * report them as missing.
 */
function findIn(folder: string): Found {
  const read = readCatalogAt(folder);
  const findings = read.problems.length > 0 ? [] : checkCatalog(read.catalog);
  const found = Map.groupBy(findings, ({ severity }) => severity);
  const selectProblems = (severity: 'error' | 'warning'): Problem[] =>
    (found.get(severity) ?? []).map((finding) => read.problem(finding));
  return {
    packages: read.catalog.packages.length,
    channels: read.catalog.channels.length,
    bundles: read.catalog.bundles.length,
    problems: new InvalidInput([...read.problems, ...selectProblems('error')]).problems,
    warnings: [...read.warnings, ...selectProblems('warning')],
  };
}
