import { Command, Option } from 'commander';
import { operatorDeployCommand, operatorInstallCommand } from './operator-deploy.ts';
import { operatorUndeployCommand, operatorUninstallCommand } from './operator-undeploy.ts';
import {
  CONFIG,
  flagOf,
  settingNames,
  settings,
  variableOf,
} from '../operator/settings/settings.ts';

/** `tenantry operator`: what runs in a cluster, ours and anyone's. */
export function operatorCommand(): Command {
  return new Command('operator')
    .description("Operators: ours of tenants, and how anyone's comes into a cluster and goes.")
    .showHelpAfterError('(see tenantry operator --help)')
    .exitOverride()
    .addCommand(runCommand())
    .addCommand(operatorInstallCommand())
    .addCommand(operatorUninstallCommand())
    .addCommand(operatorDeployCommand())
    .addCommand(operatorUndeployCommand());
}

function runCommand(): Command {
  const command = new Command('run')
    .description(
      'Run the operator, in a pod or with the kubeconfig of your machine, until SIGTERM.',
    )
    .showHelpAfterError('(see tenantry operator run --help)')
    .exitOverride();
  for (const name of settingNames) {
    const { taker, description, absent, absence } = settings[name];
    const otherwise = `default: ${absent ?? absence}; ${variableOf(name)}`;
    const flags = `--${flagOf(name)} <${taker.value}>`;
    command.addOption(new Option(flags, `${description} (${otherwise})`));
  }
  return command
    .addOption(
      new Option(
        `--${CONFIG} <file>`,
        `settings as YAML, by the names of the flags in camel case (default: none; ${variableOf(CONFIG)})`,
      ),
    )
    .addHelpText(
      'after',
      `
Of a setting that is said several times, the flag holds, then the variable, then the file. All that is
wrong with them, and with the Platform, is told at once, before anything is asked of a cluster.

It logs JSON lines to standard error. Once its caches have read the cluster, /readyz answers 200.

Examples:
  tenantry operator run --cluster fra1
  tenantry operator run --cluster fra1 --context admin@fra1 --leader-election false --metrics-address off
  TENANTRY_CLUSTER=fra1 tenantry operator run --config operator.yaml

Exit codes: 0 stopped; 1 something of yours must be fixed, or the lead was lost; 2 a mistake of ours.`,
    )
    .action(async (options: Readonly<Record<string, string>>) => {
      const { operatorRun } = await import('./operator-run.ts');
      process.exitCode = await operatorRun(options);
    });
}
