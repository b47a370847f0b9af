import { Command } from 'commander';
import { choice, addClusterOptions, collect } from './options.ts';
import type { StatusOptions } from './status-run.ts';

/** `tenantry status`: prints the state of the tenants of a cluster, as the operator reports it. */
export function statusCommand(): Command {
  const command = new Command('status')
    .description(
      'Print the state of the tenants of a cluster, as the operator reports it; write nothing.',
    )
    .argument('[tenant]', 'print all details of this tenant (default: one line for each)')
    .option('--watch', 'keep running until Ctrl-C, and print each change')
    .addOption(choice('--output <format>', 'what is printed', 'table', 'wide', 'json', 'markdown'))
    .option(
      '--fail-on <what>',
      'exit with 1 on drift, not-ready or undeclared, or if the state is unknown (repeatable)',
      collect,
    );
  return addClusterOptions(command)
    .showHelpAfterError('(see tenantry status --help)')
    .exitOverride()
    .addHelpText(
      'after',
      `
Reads only the status that the operator writes to each Tenant. It needs the right to get, list and watch
tenants.tenantry.dev. Tenants with problems come first.

  READY       whether everything is as declared; - if the operator has not reported yet
  DRIFTED     fields that differ from the declaration; see tenantry drift
  UNDECLARED  role bindings and network policies that nobody declared
  SINCE       how long the tenant has been ready, or not ready

With --fail-on, a tenant of unknown state fails too; a cordoned tenant does not. With --watch, a terminal
is redrawn; otherwise each change is a line. The exit code is that of the last state.

Examples:
  tenantry status
  tenantry status payments
  tenantry status --watch --context fra1
  tenantry status --fail-on drift --fail-on not-ready --output markdown

Exit codes: 0 done; 1 a tenant fails (--fail-on), or a user error; 2 internal error.`,
    )
    .action(async (tenant: string | undefined, options: StatusOptions) => {
      const { runStatus } = await import('./status-run.ts');
      process.exitCode = await runStatus(tenant, options);
    });
}
