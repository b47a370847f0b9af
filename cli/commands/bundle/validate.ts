import type { Command } from 'commander';
import { addReportOptions, choice, collect } from '../../options.ts';
import { readBundle } from '@tenantry/olm/folder/read-bundle';
import { createFindingLocator } from '@tenantry/olm/bundle/bundle';
import {
  validateBundle,
  optionalValidators,
  type Suite,
} from '@tenantry/olm/rules/validate-bundle';
import { InvalidInput, didYouMean, findNearest, show, type Problem } from '@tenantry/kube/problem';
import type { ExitCode } from '../../failure-report.ts';
import { resolveColors, type ColorChoice } from '../../settings.ts';
import { UsageError } from '../../usage-error.ts';
import { count, paintIf, printJson, problemLines, warningLines } from '../../console-output.ts';

/** `tenantry bundle validate`: validates bundles of operators. */
export function configure(command: Command): void {
  command
    .argument('<bundle...>', 'the folder of a bundle, or an OCI image layout')
    .addOption(
      choice(
        '--suite <suite>',
        'the set of rules',
        'default',
        'operatorhub',
        'community',
        'good-practices',
      ),
    )
    .option(
      '--optional <validator>',
      'a further validator, by its upstream name (repeatable)',
      collect,
    )
    .option('--strict', 'also fail on warnings');
  addReportOptions(command, 'print only problems')
    .addHelpText(
      'after',
      `
The suite default has the rules that keep a bundle from being installed, unknown fields included. operatorhub
has exactly the rules of operator-framework's validator for OperatorHub; community and good-practices have
more. Each finding has file, line, column and rule; docs/reference/bundle-rules.md lists all rules.

Examples:
  tenantry bundle validate bundle
  tenantry bundle validate operators/redis/1.2.3 --suite operatorhub --strict
  skopeo copy docker://quay.io/example/redis-bundle:v1.2.3 oci:layout &&
    tenantry bundle validate layout --output json

Exit codes: 0 no error; 1 an error, unreadable input or, with --strict, a warning;
2 internal error.`,
    )
    .action(async (bundles: readonly string[], options: ValidateOptions) => {
      process.exitCode = runValidate(bundles, options);
    });
}

/** The command line, as commander gives it. */
export interface ValidateOptions {
  readonly suite: Suite;
  readonly optional?: readonly string[];
  readonly output: 'text' | 'json';
  readonly quiet?: boolean;
  /** Whether warnings fail, too. */
  readonly strict?: boolean;
  readonly color: ColorChoice;
}

/**
 * Reads the bundles and prints their problems.
 * @throws {UsageError} for an unknown validator
 */
export function runValidate(bundles: readonly string[], options: ValidateOptions): ExitCode {
  const { suite, optional = [], output, quiet = false, strict = false, color } = options;
  optional.forEach(checkValidator);
  const problems: Problem[] = [];
  const warnings: Problem[] = [];
  for (const source of bundles) {
    const bundle = readBundle(source);
    const place = createFindingLocator(bundle, source);
    for (const finding of validateBundle(bundle, { suite, optional })) {
      (finding.severity === 'error' ? problems : warnings).push(place(finding));
    }
  }
  const isBad = problems.length > 0 || (strict && warnings.length > 0);
  if (output === 'json') {
    const outcome = isBad ? 'refused' : 'done';
    printJson('bundle validate', {
      outcome,
      suite,
      optional,
      bundles: bundles.length,
      problems: sorted(problems),
      warnings: sorted(warnings),
    });
    return isBad ? 1 : 0;
  }
  const colors = resolveColors(color);
  for (const line of problemLines(sorted(problems), paintIf(colors.err))) console.error(line);
  const lines = warningLines(sorted(warnings), paintIf(strict ? colors.err : colors.out));
  if (strict) for (const line of lines) console.error(line);
  if (quiet) return isBad ? 1 : 0;
  if (!strict) for (const line of lines) console.log(line);
  const counts = [count(problems.length, 'problem'), count(warnings.length, 'warning')];
  console.log(`${count(bundles.length, 'bundle')}: ${counts.join(', ')}`);
  return isBad ? 1 : 0;
}

function checkValidator(name: string): void {
  if (Object.hasOwn(optionalValidators, name)) return;
  const known = Object.keys(optionalValidators);
  const meant = didYouMean(findNearest(name, known));
  throw new UsageError(`--optional must be one of ${known.join(', ')}, got ${show(name)}${meant}`);
}

function sorted(problems: readonly Problem[]): readonly Problem[] {
  return new InvalidInput(problems).problems;
}
