import { Command } from 'commander';
import { choice, collect } from './options.ts';
import type { PromoteOptions } from './promote-run.ts';

/** `tenantry promote`: what is rendered, onto the branch that a cluster is synced to. */
export function promoteCommand(): Command {
  return new Command('promote')
    .description('Push what is rendered for a cluster to its environment branch.')
    .argument('<clusters...>', 'the clusters that are synced to the branch')
    .option('--branch <name>', 'the environment branch (default: env/<cluster>)')
    .option('--remote <name>', 'the Git remote that has it', 'origin')
    .option('--dry-run', 'say what would be pushed, and push nothing')
    .option(
      '--allow-removal <name>',
      'a tenant, tenant/namespace, or namespace of no tenant that may disappear (repeatable)',
      collect,
    )
    .option('--tenants <dir>', 'the folder of tenants and classes (default: tenants)')
    .option('--platform <file>', 'the platform file (default: tenantry.yaml, if there is one)')
    .option('--out <dir>', 'the output folder (default: output of cdk8s.yaml, or dist)')
    .addOption(choice('--output <format>', 'what is printed', 'text', 'json', 'markdown'))
    .option('--quiet', 'print only what is of high or medium risk, and no warnings')
    .addOption(choice('--color <when>', 'colours', 'auto', 'always', 'never'))
    .showHelpAfterError('(see tenantry promote --help)')
    .exitOverride()
    .addHelpText(
      'after',
      `
The branch holds what is rendered for the clusters and nothing else, one commit a promotion on top of
the last one; its message names the commit of HEAD that it was made of. Working folder and index stay
as they are. The plan of what changes on the clusters is printed.

Nothing is pushed when the output folder is not what is declared, when something is not committed, when
the branch is made of a commit that HEAD does not have, or when a tenant or namespace would disappear
that was not Retired on the branch before.

Examples:
  tenantry promote fra1 --dry-run
  tenantry promote fra1
  tenantry promote fra1 arn1 --branch env/prod
  tenantry promote fra1 --output markdown >> "$GITHUB_STEP_SUMMARY"

Exit codes: 0 pushed, or nothing to push; 1 something of yours must be fixed; 2 internal error.`,
    )
    .action(async (clusters: string[], options: PromoteOptions) => {
      const { runPromote } = await import('./promote-run.ts');
      process.exitCode = await runPromote(clusters, options);
    });
}
