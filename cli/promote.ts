import { Command } from 'commander';
import { choice, collect } from './options.ts';
import type { PromoteOptions } from './promote-run.ts';

/** `tenantry promote`: pushes the rendered output to the branch that a cluster syncs. */
export function promoteCommand(): Command {
  return new Command('promote')
    .description('Push the rendered output of a cluster to its environment branch.')
    .argument('<clusters...>', 'the clusters that are synced to the branch')
    .option('--branch <name>', 'the environment branch (default: env/<cluster>)')
    .option('--remote <name>', 'the Git remote of the branch', 'origin')
    .option('--dry-run', 'print what would be pushed, and push nothing')
    .option(
      '--allow-removal <name>',
      'a tenant, tenant/namespace, or namespace of no tenant that may be removed (repeatable)',
      collect,
    )
    .option('--tenants <dir>', 'the folder of tenants and classes (default: tenants)')
    .option('--platform <file>', 'the platform file (default: tenantry.yaml, if there is one)')
    .option('--out <dir>', 'the output folder (default: output of cdk8s.yaml, or dist)')
    .addOption(choice('--output <format>', 'what is printed', 'text', 'json', 'markdown'))
    .option('--quiet', 'print only what is of high or medium risk, and no warnings')
    .addOption(choice('--color <when>', 'color the output', 'auto', 'always', 'never'))
    .showHelpAfterError('(see tenantry promote --help)')
    .exitOverride()
    .addHelpText(
      'after',
      `
The branch contains what is rendered for the clusters and nothing else. Each promotion adds one commit,
whose message names the commit of HEAD that it was rendered from. The working folder and the index do not
change. The command prints the plan of what changes on the clusters.

Nothing is pushed if the output folder differs from what is declared, if there are uncommitted changes,
if the branch was made from a commit that HEAD does not contain, or if a tenant or namespace would be
removed that was not Retired on the branch before.

Examples:
  tenantry promote fra1 --dry-run
  tenantry promote fra1
  tenantry promote fra1 arn1 --branch env/prod
  tenantry promote fra1 --output markdown >> "$GITHUB_STEP_SUMMARY"

Exit codes: 0 pushed, or nothing to push; 1 user error; 2 internal error.`,
    )
    .action(async (clusters: string[], options: PromoteOptions) => {
      const { runPromote } = await import('./promote-run.ts');
      process.exitCode = await runPromote(clusters, options);
    });
}
