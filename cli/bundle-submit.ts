import { Command } from 'commander';
import type { SubmitOptions } from './bundle-submit-run.ts';
import { choice, collect, addReportOptions } from './options.ts';

/** `tenantry bundle submit`: writes a bundle into a repository of operators. */
export function bundleSubmitCommand(): Command {
  const command = new Command('submit')
    .description(
      'Add a bundle to a clone of an operator repository, if its pipeline would accept it.',
    )
    .argument('<bundle>', 'the folder of a bundle, or an OCI image layout')
    .requiredOption('--to <dir>', 'the clone; operators/ is created in it if needed')
    .addOption(
      choice('--for <repository>', 'the repository whose rules apply', 'operatorhub', 'openshift'),
    )
    .option(
      '--reviewer <name>',
      'a GitHub user who may approve; for a new ci.yaml (repeatable)',
      collect,
    )
    .addOption(
      choice(
        '--update-graph <mode>',
        'the mode of the update graph; for a new ci.yaml',
        'replaces',
        'semver',
      ),
    )
    .option(
      '--catalog <name>',
      'a file-based catalog, such as latest or v4.18; for a new ci.yaml (repeatable)',
      collect,
    )
    .option('--strict', 'also fail on warnings')
    .option('--dry-run', 'write nothing, and print what would be written');
  return addReportOptions(command, 'print only problems')
    .showHelpAfterError('(see tenantry bundle submit --help)')
    .exitOverride()
    .addHelpText(
      'after',
      `
Writes operators/<package>/<version>/ (manifests, metadata, tests, bundle.Dockerfile) and, if missing,
operators/<package>/ci.yaml. It writes everything or, with one error, nothing. Other versions and an existing
ci.yaml are not changed. A version that exists already with other content is an error. The rules are those of
the suites operatorhub and community and of the pipeline of the repository;
docs/reference/submission-rules.md lists them. If ci.yaml has a file-based catalog, the command also writes
release-config.yaml, by which the pipeline adds the version to it.

Examples:
  tenantry bundle submit dist/olm/bundle/1.2.3 --to ../community-operators --reviewer jo
  tenantry bundle submit bundle --to . --for openshift --dry-run
  tenantry bundle submit bundle --to ../community-operators --catalog latest --output json

Exit codes: 0 written, or already there; 1 user error; 2 internal error.`,
    )
    .action(async (bundle: string, options: SubmitOptions) => {
      const { runSubmit } = await import('./bundle-submit-run.ts');
      process.exitCode = runSubmit(bundle, options);
    });
}
