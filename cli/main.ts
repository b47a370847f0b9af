#!/usr/bin/env node
import './start.ts';
import { Command, CommanderError } from 'commander';
import { addCommands } from './add-commands.ts';
import { collect } from './options.ts';
import { readOwnManifest } from './own-manifest.ts';

// A reader may close stdout early, as `head` does.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

const version = (): string => readOwnManifest()?.version ?? 'unknown';

const program = new Command('tenantry')
  .description(
    'Renders declared tenants and operators to the Kubernetes YAML that Argo CD or Flux syncs from Git.',
  )
  .version(version(), '-v, --version', 'print the version')
  .option('-C <dir>', 'run as if started in this folder (repeatable)', collect)
  .exitOverride()
  .showHelpAfterError('(see tenantry --help)')
  .addHelpText(
    'after',
    `
In a Git repository you can run the commands in any folder. They use the nearest parent folder that has
tenantry.yaml, cdk8s.yaml or tenants/, unless --tenants or --platform is given.

Exit codes: 0 done; 1 invalid input, a failed check or a refusal; 2 internal error.
Environment: NO_COLOR; CI (disables the cache between runs); TENANTRY_CACHE (a folder, or off).`,
  );

program.hook('preAction', async (_program, action) => {
  const { changeToFleetRoot, changeDirectory } = await import('./workplace.ts');
  changeDirectory(program.opts<{ C?: string[] }>().C ?? []);
  changeToFleetRoot(action);
});

addCommands(program);
program
  .command('version')
  .description('Print the version.')
  .action(() => console.log(version()));

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
