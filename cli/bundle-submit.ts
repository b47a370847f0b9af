import { Command } from 'commander';
import type { SubmitOptions } from './bundle-submit-run.ts';
import { choice, collect, addReportOptions } from './options.ts';

/** `tenantry bundle submit`: a bundle in a repository of operators. */
export function bundleSubmitCommand(): Command {
  const command = new Command('submit')
    .description(
      'Put a bundle into a clone of a repository of operators, when its pipeline takes it.',
    )
    .argument('<bundle>', 'the folder of a bundle, or an OCI image layout')
    .requiredOption('--to <dir>', 'the clone, in which operators/ lies or is made')
    .addOption(choice('--for <repository>', 'whose rules are asked', 'operatorhub', 'openshift'))
    .option(
      '--reviewer <name>',
      'who may approve, at GitHub; for a new ci.yaml (repeatable)',
      collect,
    )
    .addOption(
      choice(
        '--update-graph <mode>',
        'where upgrades lead; for a new ci.yaml',
        'replaces',
        'semver',
      ),
    )
    .option(
      '--catalog <name>',
      'a file-based catalog, such as latest or v4.18; for a new ci.yaml (repeatable)',
      collect,
    )
    .option('--strict', 'fail on warnings, too')
    .option('--dry-run', 'write nothing, and say what would be written');
  return addReportOptions(command, 'print only what fails')
    .showHelpAfterError('(see tenantry bundle submit --help)')
    .exitOverride()
    .addHelpText(
      'after',
      `
Writes operators/<package>/<version>/ (manifests, metadata, tests, bundle.Dockerfile) and, where there is
none, operators/<package>/ci.yaml. All of it, or nothing: with one error nothing is written, and other
versions and a ci.yaml that is there stay as they are. A version that is there already and differs is an
error; nothing overwrites it. Asked are the suites operatorhub and community, and what the pipeline of the
repository asks; docs/reference/submission-rules.md has all of that. Where ci.yaml has a file-based catalog,
release-config.yaml is written, by which the pipeline puts the version into it.

Examples:
  tenantry bundle submit dist/olm/bundle/1.2.3 --to ../community-operators --reviewer jo
  tenantry bundle submit bundle --to . --for openshift --dry-run
  tenantry bundle submit bundle --to ../community-operators --catalog latest --output json

Exit codes: 0 it is there; 1 something of yours must be fixed; 2 internal error.`,
    )
    .action(async (bundle: string, options: SubmitOptions) => {
      const { runSubmit } = await import('./bundle-submit-run.ts');
      process.exitCode = runSubmit(bundle, options);
    });
}
