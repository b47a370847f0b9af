import { Command } from 'commander';
import type { ValidateOptions } from './bundle-validate-run.ts';
import { choice, collect, addReportOptions } from './options.ts';

/** `tenantry bundle validate`: what is wrong with operators' bundles. */
export function bundleValidateCommand(): Command {
  const command = new Command('validate')
    .description('Say what is wrong with bundles of operators (registry+v1).')
    .argument('<bundle...>', 'the folder of a bundle, or an OCI image layout')
    .addOption(
      choice(
        '--suite <suite>',
        'the rules that are asked',
        'default',
        'operatorhub',
        'community',
        'good-practices',
      ),
    )
    .option(
      '--optional <validator>',
      'a further validator, by the name that upstream gives it (repeatable)',
      collect,
    )
    .option('--strict', 'fail on warnings, too');
  return addReportOptions(command, 'print only what fails')
    .showHelpAfterError('(see tenantry bundle validate --help)')
    .exitOverride()
    .addHelpText(
      'after',
      `
default asks all that keeps a bundle from being installed, fields that do not exist among it.
operatorhub asks what operator-framework's validator asks before OperatorHub takes a bundle, and
nothing else; community and good-practices ask more. Each rule is told at its file, line and column,
with its name; docs/reference/bundle-rules.md has them all.

Examples:
  tenantry bundle validate bundle
  tenantry bundle validate operators/redis/1.2.3 --suite operatorhub --strict
  skopeo copy docker://quay.io/example/redis-bundle:v1.2.3 oci:layout &&
    tenantry bundle validate layout --output json

Exit codes: 0 nothing is wrong; 1 something is, cannot be read or, with --strict, is warned of;
2 internal error.`,
    )
    .action(async (bundles: readonly string[], options: ValidateOptions) => {
      const { runValidate } = await import('./bundle-validate-run.ts');
      process.exitCode = runValidate(bundles, options);
    });
}
