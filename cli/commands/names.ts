import { Argument, type Command } from 'commander';
import { FleetLookup } from '../../apps/fleet-lookup.ts';
import { defaultInput } from '../../apps/fleet-input.ts';

interface NamesOptions {
  readonly tenants?: string;
  readonly platform?: string;
}

/** `tenantry names`: prints the names that completion scripts offer, one on a line. */
export function configure(command: Command): void {
  command
    .addArgument(new Argument('<what>', 'what to list').choices(['tenants', 'classes']))
    .option('--tenants <dir>', 'the folder of tenants and classes (default: tenants)')
    .option('--platform <file>', 'the platform file (default: tenantry.yaml, if there is one)')
    .addHelpText(
      'after',
      `
Lists what could be read, also while other declarations have errors.

Examples:
  tenantry names tenants
  tenantry names classes

Exit codes: 0 done; 1 user error; 2 internal error.`,
    )
    .action((what: 'tenants' | 'classes', options: NamesOptions) => {
      const lookup = new FleetLookup({ ...defaultInput, ...options });
      const names = what === 'tenants' ? lookup.tenantNames : lookup.classNames;
      for (const name of names) console.log(name);
    });
}
