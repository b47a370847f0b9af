import { Command } from 'commander';
import type { OlmStatusOptions } from './olm-status-run.ts';
import { choice, addClusterOptions } from './options.ts';

/** `tenantry olm`: commands for the Operator Lifecycle Manager of a cluster. */
export function olmCommand(): Command {
  return new Command('olm')
    .description('Inspect the Operator Lifecycle Manager of a cluster.')
    .showHelpAfterError('(see tenantry olm --help)')
    .exitOverride()
    .addCommand(statusCommand());
}

function statusCommand(): Command {
  const command = new Command('status')
    .description('Print the state of OLM on a cluster and of what it installs; write nothing.')
    .addOption(choice('--output <format>', 'what is printed', 'text', 'json'));
  return addClusterOptions(command)
    .showHelpAfterError('(see tenantry olm status --help)')
    .exitOverride()
    .addHelpText(
      'after',
      `
Prints which OLM is installed (v0, v1), whether its Deployments are available, and the state of each catalog,
Subscription, pending InstallPlan, ClusterServiceVersion, ClusterCatalog and ClusterExtension, with the reason if one is
stuck. Copies of ClusterServiceVersions in other namespaces are left out. It needs the right to list these kinds and
Deployments.

Examples:
  tenantry olm status
  tenantry olm status --context fra1 --output json

Exit codes: 0 OLM is installed, even if something is stuck; 1 it is not, or a user error; 2 internal error.`,
    )
    .action(async (options: OlmStatusOptions) => {
      const { runOlmStatus } = await import('./olm-status-run.ts');
      process.exitCode = await runOlmStatus(options);
    });
}
