import { Command } from 'commander';
import type { ValidateOptions } from './bundle-validate-run.ts';
import { choice, collect, addReportOptions } from './options.ts';

/** `tenantry bundle validate`: validates bundles of operators. */
export function bundleValidateCommand(): Command {
  const command = new Command('validate')
    .description('Validate bundles of operators (registry+v1).')
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
  return addReportOptions(command, 'print only problems')
    .showHelpAfterError('(see tenantry bundle validate --help)')
    .exitOverride()
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
      const { runValidate } = await import('./bundle-validate-run.ts');
      process.exitCode = runValidate(bundles, options);
    });
}
