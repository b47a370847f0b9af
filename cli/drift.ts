import { Command } from 'commander';
import type { DriftOptions } from './drift-run.ts';
import { choice, addClusterOptions } from './options.ts';

/** `tenantry drift`: how a tenant of a cluster differs from what is declared, field by field. */
export function driftCommand(): Command {
  const command = new Command('drift')
    .description('Print where a tenant of a cluster differs from what is declared; write nothing.')
    .argument('<tenant>', 'the name of the Tenant')
    .option('--live', 'compare now, on this machine, instead of reading the status')
    .option('--platform <file>', 'with --live: the platform file (default: tenantry.yaml)')
    .option('--cluster <name>', "with --live: the cluster's name there (default: the only one)")
    .addOption(choice('--output <format>', 'what is printed', 'text', 'json', 'markdown'));
  return addClusterOptions(command)
    .showHelpAfterError('(see tenantry drift --help)')
    .exitOverride()
    .addHelpText(
      'after',
      `
Object by object and field by field: what is declared, what is there, whose hand it was as the API
server knows it, and since when the operator has seen it. Reads the status of the Tenant, which lists the
first 20 differences: the right to get tenants.tenantry.dev is enough.

With --live it compares as the operator does, and prints all differences, those too that are only on their
way after a change. That takes the platform file, and the right to read what tenants consist of.

Examples:
  tenantry drift payments
  tenantry drift payments --context fra1 --output markdown
  tenantry drift payments --live --cluster fra1

Exit codes: 0 done, with drift or without (tenantry status has --fail-on); 1 something of yours must be
fixed; 2 internal error.`,
    )
    .action(async (tenant: string, options: DriftOptions) => {
      const { runDrift } = await import('./drift-run.ts');
      process.exitCode = await runDrift(tenant, options);
    });
}
