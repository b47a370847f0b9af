#!/usr/bin/env node
import './start.ts';
import { Command, CommanderError, Option } from 'commander';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { argocdCommand } from './argocd.ts';
import { bundleCommand } from './bundle.ts';
import { catalogCommand } from './catalog.ts';
import { codeownersCommand } from './codeowners.ts';
import { crdCheckCommand } from './crd-check.ts';
import { crdDiffCommand } from './crd-diff.ts';
import { crdImportCommand } from './crd-import.ts';
import { withHelp } from './help.ts';
import { driftCommand } from './drift.ts';
import { networkCommand } from './network.ts';
import { olmCommand } from './olm.ts';
import { operatorCommand } from './operator.ts';
import { collect, addReportOptions } from './options.ts';
import type { CommandOptions } from './settings.ts';
import { planCommand } from './plan.ts';
import { promoteCommand } from './promote.ts';
import { statusCommand } from './status.ts';
import { here } from '../synth/here.cjs';

// A reader may close stdout early, as `head` does.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

const version = (): string => {
  // The sources are one folder below package.json, the built files two.
  for (const folder of [dirname(here), dirname(dirname(here))]) {
    try {
      const text = readFileSync(join(folder, 'package.json'), 'utf8');
      const { name, version } = JSON.parse(text) as Record<string, string>;
      if (name === 'tenantry') return version!;
    } catch {
      // Not there.
    }
  }
  return 'unknown';
};

const program = new Command('tenantry')
  .description('Renders declared tenants to the Kubernetes YAML that Argo CD syncs from Git.')
  .version(version(), '-v, --version', 'print the version')
  .addOption(new Option('-V', 'print the version').hideHelp())
  .option('-C <dir>', 'run as if started in this folder (repeatable)', collect)
  .exitOverride()
  .showHelpAfterError('(see tenantry --help)')
  .addHelpText(
    'after',
    `
In a Git repository you can run the commands in any folder. They use the nearest parent folder that has
tenantry.yaml, cdk8s.yaml or tenants/, unless --tenants or --platform is given.

Exit codes: 0 done; 1 user error; 2 internal error.
Environment: NO_COLOR; CI (disables the cache between runs); TENANTRY_CACHE (a folder, or off).`,
  );

// Earlier versions had only -V.
program.on('option:V', () => {
  console.log(version());
  throw new CommanderError(0, 'commander.version', version());
});

program.hook('preAction', async (_program, action) => {
  const { changeToFleetRoot, changeDirectory } = await import('./workplace.ts');
  changeDirectory(program.opts<{ C?: string[] }>().C ?? []);
  changeToFleetRoot(action);
});

function command(name: string, description: string): Command {
  const made = program
    .command(name)
    .description(description)
    .option('--tenants <dir>', 'the folder of tenants and classes (default: tenants)')
    .option('--platform <file>', 'the platform file (default: tenantry.yaml, if there is one)')
    .option('--out <dir>', 'the output folder (default: output of cdk8s.yaml, or dist)')
    .option('--warnings-as-errors', 'treat warnings as errors')
    .option(
      '--workers <n>',
      'rendering threads (default: 1; for a large fleet, one fewer than cores)',
    );
  return addReportOptions(made, 'print only problems');
}

command('synth', 'Render all tenants to the output folder, or change nothing.')
  .addHelpText(
    'after',
    `
Runs the app of cdk8s.yaml. Without cdk8s.yaml, renders the folder of tenants. Unchanged files are not
touched, files of deleted tenants are removed, and files that Tenantry did not write are kept.

Examples:
  tenantry synth
  tenantry synth --tenants teams --platform platform.yaml --out rendered
  tenantry synth --output json`,
  )
  .action(async (options: CommandOptions) => {
    const [{ resolveSettings }, { synth }] = await Promise.all([
      import('./settings.ts'),
      import('./synth.ts'),
    ]);
    process.exitCode = await synth(resolveSettings(options));
  });

command('check', 'Validate the tenants and compare them with the output folder; write nothing.')
  .option(
    '--base <revision>',
    'fail on removals since the merge base of HEAD and this Git revision (default: HEAD)',
  )
  .option(
    '--allow-removal <name>',
    'a tenant, tenant/namespace, or namespace of no tenant that may be removed (repeatable)',
    collect,
  )
  .addHelpText(
    'after',
    `
Fails if the output folder differs from what the declarations render, or if a tenant or namespace is
removed that was not Retired. If Tenantry cannot determine that, it prints a warning.

Examples:
  tenantry check
  tenantry check --base origin/main
  tenantry check --base origin/main --allow-removal old-team`,
  )
  .action(async (options: CommandOptions & { base?: string; allowRemoval?: string[] }) => {
    const [{ resolveSettings }, { check }] = await Promise.all([
      import('./settings.ts'),
      import('./check.ts'),
    ]);
    process.exitCode = await check(resolveSettings(options), options);
  });

program.addCommand(codeownersCommand());
program.addCommand(planCommand());
program.addCommand(promoteCommand());
program.addCommand(networkCommand());
program.addCommand(statusCommand());
program.addCommand(driftCommand());

program
  .command('version')
  .description('Print the version.')
  .action(() => console.log(version()));

const crd = program
  .command('crd')
  .description('Check, compare and import CustomResourceDefinitions.')
  .showHelpAfterError('(see tenantry crd --help)')
  .addCommand(crdCheckCommand())
  .addCommand(crdDiffCommand())
  .addCommand(crdImportCommand());

const bundle = bundleCommand();
program.addCommand(bundle);

const operator = operatorCommand();
program.addCommand(operator);
program.addCommand(catalogCommand());

const olm = olmCommand();
program.addCommand(olm);
program.addCommand(argocdCommand());

withHelp(program);
withHelp(crd);
withHelp(bundle);
withHelp(operator);
withHelp(olm);

let hasEnded = false;
process.on('beforeExit', () => {
  if (hasEnded) return;
  console.error('error Tenantry stopped before it was done: internal error');
  process.exitCode = 2;
});

async function run(): Promise<void> {
  try {
    await program.parseAsync();
  } catch (error) {
    if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 1;
    else if (error instanceof Error && error.name === 'UsageError') {
      console.error(`error ${error.message}`);
      process.exitCode = 1;
    } else {
      console.error('error Tenantry failed, internal error:');
      console.error(error);
      process.exitCode = 2;
    }
  }
  hasEnded = true;
}

void run();
