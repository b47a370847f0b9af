import { Command } from 'commander';
import type { BundleDiffOptions } from './bundle-diff-run.ts';
import { choice, collect, addReportOptions } from './options.ts';

/** `tenantry bundle diff`: reports whether an operator can be upgraded from one bundle to another. */
export function bundleDiffCommand(): Command {
  const command = new Command('diff')
    .description(
      'Report whether an upgrade from one bundle to another is safe, and what it changes.',
    )
    .argument('<old>', 'the folder of a bundle, or an OCI image layout')
    .argument('<new>', 'the same, for the bundle that replaces it')
    .option('--allow <rule>', 'accept the findings of a rule (repeatable)', collect)
    .addOption(
      choice('--fail-on <verdict>', 'the lowest verdict that fails', 'breaking', 'review', 'never'),
    )
    .addOption(
      choice(
        '--update-graph <mode>',
        'the mode of the update graph, as in ci.yaml',
        'replaces',
        'semver',
      ),
    );
  return addReportOptions(command, 'print only breaking changes and those to review')
    .showHelpAfterError('(see tenantry bundle diff --help)')
    .exitOverride()
    .addHelpText(
      'after',
      `
Each difference is breaking (the upgrade does not happen, or something stops or is lost), to be reviewed, or
fine. The command compares the upgrade path, custom resources like crd diff, permissions, webhooks, what NEW
requires of a cluster, and what it adds. docs/reference/upgrade-rules.md lists all rules.

Examples:
  tenantry bundle diff operators/redis/1.2.3 operators/redis/1.3.0
  tenantry bundle diff old new --allow permission-powerful --fail-on review
  tenantry bundle diff old new --update-graph semver --output json

Exit codes: 0 nothing that fails; 1 something is breaking (--fail-on) and not accepted (--allow), or a
bundle cannot be read; 2 internal error.`,
    )
    .action(async (...given: [string, string, BundleDiffOptions]) => {
      const { runBundleDiff } = await import('./bundle-diff-run.ts');
      process.exitCode = runBundleDiff(...given);
    });
}
