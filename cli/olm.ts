import { Command } from 'commander';
import type { OlmStatusOptions } from './olm-status-run.ts';
import { choice, addClusterOptions } from './options.ts';

/** `tenantry olm`: the Operator Lifecycle Manager of a cluster. */
export function olmCommand(): Command {
  return new Command('olm')
    .description(
      'The Operator Lifecycle Manager of a cluster: whether it is there, and what hangs.',
    )
    .showHelpAfterError('(see tenantry olm --help)')
    .exitOverride()
    .addCommand(statusCommand());
}

function statusCommand(): Command {
  const command = new Command('status')
    .description('Print how OLM stands on a cluster, and what it installs; write nothing.')
    .addOption(choice('--output <format>', 'what is printed', 'text', 'json'));
  return addClusterOptions(command)
    .showHelpAfterError('(see tenantry olm status --help)')
    .exitOverride()
    .addHelpText(
      'after',
      `
Tells which OLM is there (v0, v1), whether its Deployments are available, and of each catalog, Subscription, pending
InstallPlan, ClusterServiceVersion, ClusterCatalog and ClusterExtension how it stands; of what hangs, why. Copies
of ClusterServiceVersions in other namespaces are left out. It takes the right to list these kinds and Deployments.

Examples:
  tenantry olm status
  tenantry olm status --context fra1 --output json

Exit codes: 0 OLM is there, whatever hangs; 1 it is not, or something of yours must be fixed; 2 internal error.`,
    )
    .action(async (options: OlmStatusOptions) => {
      const { runOlmStatus } = await import('./olm-status-run.ts');
      process.exitCode = await runOlmStatus(options);
    });
}
