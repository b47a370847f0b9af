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
    .addCommand(operatorUndeployCommand())
    .addCommand(operatorDiagnoseCommand());
}

function runCommand(): Command {
  const command = new Command('run')
    .description(
      'Run the operator, in a pod or with the kubeconfig of your machine, until SIGTERM.',
    )
    .argument('[program]', 'an operator of your own: a file that Node runs (default: ours)')
    .argument('[args...]', 'of the program, after --')
    .option(
      '--manifests <manifests>',
      'with a program: what it needs in the cluster (repeatable)',
      collect,
    )
    .option('--install', 'with a program: apply the definitions of the manifests first')
    .option(
      '--restricted',
      'with a program: apply its account and rights first, and run with these alone',
    )
    .option('--watch', 'with a program: run it anew when a file of it changes')
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

With a program, that operator runs on your machine against the context, by the Node of this command, and of the
settings only --kubeconfig and --context are for it. --install applies the CustomResourceDefinitions of --manifests.
--restricted applies their Namespaces, ServiceAccounts, roles and bindings, and lets the program be the account of
their Deployment, by impersonation: a right that is missing shows before there is an image.

Examples:
  tenantry operator run --cluster fra1
  tenantry operator run main.ts --manifests dist --install --watch
  tenantry operator run main.ts --manifests dist --install --restricted -- --verbose
  tenantry operator run --cluster fra1 --context admin@fra1 --leader-election false --metrics-address off
  TENANTRY_CLUSTER=fra1 tenantry operator run --config operator.yaml

Exit codes: 0 stopped; 1 something of yours must be fixed, or the lead was lost; 2 internal error.`,
    )
    .action(async (program: string | undefined, args: readonly string[], options: RunOptions) => {
      process.exitCode = await run(program, args, options);
    });
}

/** @throws {UsageError} where options of the one are given with the other */
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

/** @throws {UsageError} where one of the options is given */
function refuse(options: Readonly<Record<string, unknown>>, must: string): void {
  const [given] = Object.entries(options).find(([, value]) => value !== undefined) ?? [];
  if (given === undefined) return;
  const flag = given.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  throw new UsageError(`--${flag} ${must}`);
}
