import { Command, Option } from 'commander';
import { operatorDeployCommand, operatorInstallCommand } from './operator-deploy.ts';
import { operatorDiagnoseCommand } from './operator-diagnose.ts';
import type { ExitCode } from './ending.ts';
import type { ProgramOptions } from './operator-program-run.ts';
import { operatorUndeployCommand, operatorUninstallCommand } from './operator-undeploy.ts';
import { collect } from './options.ts';
import { UsageError } from './usage-error.ts';
import {
  CONFIG,
  flagOf,
  settingNames,
  settings,
  variableOf,
} from '../operator/settings/settings.ts';

/** `tenantry operator`: commands for operators in a cluster, Tenantry's and any other. */
export function operatorCommand(): Command {
  return new Command('operator')
    .description('Run the tenant operator, and install, run and remove any operator.')
    .showHelpAfterError('(see tenantry operator --help)')
    .exitOverride()
    .addCommand(runCommand())
    .addCommand(operatorInstallCommand())
    .addCommand(operatorUninstallCommand())
    .addCommand(operatorDeployCommand())
    .addCommand(operatorUndeployCommand())
    .addCommand(operatorDiagnoseCommand());
}

function runCommand(): Command {
  const command = new Command('run')
    .description('Run the operator in a pod or on your machine until SIGTERM.')
    .argument(
      '[program]',
      'the file of your own operator, run by Node (default: the tenant operator)',
    )
    .argument('[args...]', 'arguments of the program, after --')
    .option('--manifests <manifests>', 'with a program: its manifests (repeatable)', collect)
    .option(
      '--install',
      'with a program: first apply the CustomResourceDefinitions of the manifests',
    )
    .option(
      '--restricted',
      'with a program: first apply its account and roles, and run with only these rights',
    )
    .option('--watch', 'with a program: restart it when one of its files changes')
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
        `a YAML file of settings, named like the flags in camelCase (default: none; ${variableOf(CONFIG)})`,
      ),
    )
    .addHelpText(
      'after',
      `
If a setting is given several times, the flag wins over the variable, and the variable over the file. All
problems with the settings and the Platform are reported together, before the operator contacts a cluster.

It logs JSON lines to standard error. /readyz returns 200 once the caches have read the cluster.

With a program, that operator runs on your machine against the context, on the Node of this command. Of the settings,
only --kubeconfig and --context apply to it. --install applies the CustomResourceDefinitions of --manifests.
--restricted applies their Namespaces, ServiceAccounts, roles and bindings, and impersonates the account of their
Deployment. So you notice a missing right before you build an image.

Examples:
  tenantry operator run --cluster fra1
  tenantry operator run main.ts --manifests dist --install --watch
  tenantry operator run main.ts --manifests dist --install --restricted -- --verbose
  tenantry operator run --cluster fra1 --context admin@fra1 --leader-election false --metrics-address off
  TENANTRY_CLUSTER=fra1 tenantry operator run --config operator.yaml

Exit codes: 0 stopped; 1 user error, or the lead was lost; 2 internal error.`,
    )
    .action(async (program: string | undefined, args: readonly string[], options: RunOptions) => {
      process.exitCode = await run(program, args, options);
    });
}

/** @throws {UsageError} when options of the two uses are combined */
async function run(
  program: string | undefined,
  args: readonly string[],
  { manifests, install, restricted, watch, ...flags }: RunOptions,
): Promise<ExitCode> {
  const own = { manifests, install, restricted, watch };
  if (program === undefined) {
    refuse(own, 'must be given with a program');
    const { operatorRun } = await import('./operator-run.ts');
    return operatorRun(flags as Readonly<Record<string, string>>);
  }
  const { kubeconfig, context, ...others } = flags;
  refuse(others, 'must be given without a program, which has settings of its own');
  const { runProgram } = await import('./operator-program-run.ts');
  return runProgram(program, args, { ...own, kubeconfig, context });
}

type RunOptions = ProgramOptions & Readonly<Record<string, unknown>>;

/** @throws {UsageError} when one of the options is given */
function refuse(options: Readonly<Record<string, unknown>>, must: string): void {
  const [given] = Object.entries(options).find(([, value]) => value !== undefined) ?? [];
  if (given === undefined) return;
  const flag = given.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  throw new UsageError(`--${flag} ${must}`);
}
