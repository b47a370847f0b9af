import { Command } from 'commander';
import type { NetworkOptions } from './network-run.ts';
import { addReportOptions } from './options.ts';

/** `tenantry network`: prints who can reach whom according to the rendered policies. */
export function networkCommand(): Command {
  const command = new Command('network')
    .description(
      'Print who can reach whom according to the rendered network policies; write nothing.',
    )
    .argument('[tenant]', 'only the namespaces of this tenant (default: all of them)')
    .option('--rendered <dir>', 'read rendered output from this folder instead of rendering')
    .option('--tenants <dir>', 'the folder of tenants and classes (default: tenants)')
    .option('--platform <file>', 'the platform file (default: tenantry.yaml, if there is one)');
  return addReportOptions(command, 'do not print rendering warnings')
    .showHelpAfterError('(see tenantry network --help)')
    .exitOverride()
    .addHelpText(
      'after',
      `
Renders like \`tenantry synth\`, to a temporary folder. It does not contact a cluster. A connection is
listed if the policies of both sides allow it.

  from      who may reach the pods of the namespace
  to        whom its pods may reach
  anyone    any peer whose own side allows it, outside the cluster too
  external  a namespace that is not rendered: its own policies are unknown

Pods are unknown, too: if a policy selects some of them, their labels are printed.

Examples:
  tenantry network
  tenantry network payments
  tenantry network payments --rendered dist --output json

Exit codes: 0 done; 1 user error; 2 internal error.`,
    )
    .action(async (tenant: string | undefined, options: NetworkOptions) => {
      const { runNetwork } = await import('./network-run.ts');
      process.exitCode = await runNetwork(tenant, options);
    });
}
