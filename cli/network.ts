import { Command } from 'commander';
import type { NetworkOptions } from './network-run.ts';
import { addReportOptions } from './options.ts';

/** `tenantry network`: who can reach whom, by the rendered policies. */
export function networkCommand(): Command {
  const command = new Command('network')
    .description('Print who can reach whom, by the rendered network policies; write nothing.')
    .argument('[tenant]', 'only the namespaces of this tenant (default: all of them)')
    .option('--rendered <dir>', 'read what is rendered in this folder, instead of rendering')
    .option('--tenants <dir>', 'the folder of tenants and classes (default: tenants)')
    .option('--platform <file>', 'the platform file (default: tenantry.yaml, if there is one)');
  return addReportOptions(command, 'print no warnings of rendering')
    .showHelpAfterError('(see tenantry network --help)')
    .exitOverride()
    .addHelpText(
      'after',
      `
Renders as \`tenantry synth\` does, to a folder that it removes again. No cluster is asked. A connection
is there when the policies of both sides let it happen.

  from  who may reach the pods of the namespace
  to    whom its pods may reach
  anyone      whoever lets it happen on their own side, outside of the cluster too
  external    a namespace that is not rendered: its own policies are not known

Pods are not known either: where a policy selects some, their labels are said.

Examples:
  tenantry network
  tenantry network payments
  tenantry network payments --rendered dist --output json

Exit codes: 0 done; 1 something of yours must be fixed; 2 internal error.`,
    )
    .action(async (tenant: string | undefined, options: NetworkOptions) => {
      const { runNetwork } = await import('./network-run.ts');
      process.exitCode = await runNetwork(tenant, options);
    });
}
