import { Command } from 'commander';
import type { DiagnoseOptions } from './operator-diagnose-run.ts';
import { choice, addClusterOptions } from './options.ts';

/** `tenantry operator diagnose`: prints the data for a support request. */
export function operatorDiagnoseCommand(): Command {
  const command = new Command('diagnose')
    .description('Print the state, versions and rights of the tenant operator; write nothing.')
    .option('--namespace <name>', 'where the operator runs', 'tenantry-system')
    .addOption(choice('--output <format>', 'what is printed', 'text', 'json'));
  return addClusterOptions(command)
    .showHelpAfterError('(see tenantry operator diagnose --help)')
    .exitOverride()
    .addHelpText(
      'after',
      `
Contacts only the API server, so it works while the operator is down. Prints the images, conditions and restarts of the
Deployment and its pods, the leader, the versions of the definitions, the digest of the Platform, the rights that the
account lacks, and how many tenants have which reason. It reads no Secret, environment variable or log, and prints no
name of a tenant. If you may not read a part, it prints the answer of the API server instead.

Examples:
  tenantry operator diagnose
  tenantry operator diagnose --context fra1 --output json > diagnosis.json

Exit codes: 0 printed, whatever was found; 1 user error; 2 internal error.`,
    )
    .action(async (options: DiagnoseOptions) => {
      const { runDiagnose } = await import('./operator-diagnose-run.ts');
      const version = rootOf(command).version() ?? 'unknown';
      process.exitCode = await runDiagnose(version, options);
    });
}

function rootOf(command: Command): Command {
  return command.parent ? rootOf(command.parent) : command;
}
