import { Command } from 'commander';
import type { DriftOptions } from './drift-run.ts';
import { choice, addClusterOptions } from './options.ts';

/** `tenantry drift`: prints how a tenant of a cluster differs from its declaration, field by field. */
export function driftCommand(): Command {
  const command = new Command('drift')
    .description('Print where a tenant of a cluster differs from its declaration; write nothing.')
    .argument('<tenant>', 'the name of the Tenant')
    .option('--live', 'compare now on this machine instead of reading the status')
    .option('--platform <file>', 'with --live: the platform file (default: tenantry.yaml)')
    .option(
      '--cluster <name>',
      'with --live: the name of the cluster in that file (default: the only one)',
    )
    .addOption(choice('--output <format>', 'what is printed', 'text', 'json', 'markdown'));
  return addClusterOptions(command)
    .showHelpAfterError('(see tenantry drift --help)')
    .exitOverride()
    .addHelpText(
      'after',
      `
Lists each field that differs: the declared value, the live value, the field manager that changed it as
the API server recorded it, and when the operator first saw it. Reads the status of the Tenant, which has
the first 20 differences. It needs the right to get tenants.tenantry.dev.

With --live, it compares like the operator and prints all differences, including those of a rollout in
progress. That needs the platform file and the right to read the objects of tenants.

Examples:
  tenantry drift payments
  tenantry drift payments --context fra1 --output markdown
  tenantry drift payments --live --cluster fra1

Exit codes: 0 done, with drift or without (tenantry status has --fail-on); 1 user error; 2 internal error.`,
    )
    .action(async (tenant: string, options: DriftOptions) => {
      const { runDrift } = await import('./drift-run.ts');
      process.exitCode = await runDrift(tenant, options);
    });
}
