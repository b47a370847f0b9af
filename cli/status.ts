import { Command } from 'commander';
import { choice, addClusterOptions, collect } from './options.ts';
import type { StatusOptions } from './status-run.ts';

/** `tenantry status`: how the tenants of a cluster stand, as its operator says. */
export function statusCommand(): Command {
  const command = new Command('status')
    .description('Print how the tenants of a cluster stand, as the operator says; write nothing.')
    .argument('[tenant]', 'all that is known of this one (default: a line of each)')
    .option('--watch', 'go on until Ctrl-C, and tell each change')
    .addOption(choice('--output <format>', 'what is printed', 'table', 'wide', 'json', 'markdown'))
    .option(
      '--fail-on <what>',
      'end with 1 on drift, not-ready or undeclared, or where it is not known (repeatable)',
      collect,
    );
  return addClusterOptions(command)
    .showHelpAfterError('(see tenantry status --help)')
    .exitOverride()
    .addHelpText(
      'after',
      `
Reads the status that the operator keeps of each Tenant, and nothing else: the right to get, list and
watch tenants.tenantry.dev is enough. The worst come first.

  READY       whether all is as declared; - where nobody has looked
  DRIFTED     fields that are not as declared; tenantry drift says which
  UNDECLARED  role bindings and network policies that nobody declared
  SINCE       how long it has been ready, or not

With --fail-on, a tenant of which it is not known fails too; a cordoned one does not. With --watch, a
terminal is drawn anew, and elsewhere each change is a line; the exit code is that of the last state.

Examples:
  tenantry status
  tenantry status payments
  tenantry status --watch --context fra1
  tenantry status --fail-on drift --fail-on not-ready --output markdown

Exit codes: 0 done; 1 a tenant fails (--fail-on), or something of yours must be fixed; 2 a mistake of
ours.`,
    )
    .action(async (tenant: string | undefined, options: StatusOptions) => {
      const { runStatus } = await import('./status-run.ts');
      process.exitCode = await runStatus(tenant, options);
    });
}
