import { Command } from 'commander';
import { addClusterOptions, addOperationOptions } from './options.ts';
import type { UndeployCommandOptions } from './operator-undeploy-run.ts';

const SOURCES = 'files, folders, bundles, or - for standard input';

const STAYS = `
Only what tenantry operator deploy or install made goes: what was there before, and what somebody else applies or
owns (Argo CD, Helm, Flux, kubectl apply, OLM, an owner reference), stays and is told of. What is to go is listed
first, and asked about on a terminal; elsewhere --yes must be given. Before anything is deleted, all that stands
against it is told.`;

/** `tenantry operator uninstall`: definitions alone. */
export function operatorUninstallCommand(): Command {
  const command = new Command('uninstall')
    .description('Delete the CustomResourceDefinitions of an operator from a cluster.')
    .argument('<manifests...>', SOURCES)
    .option('--delete-objects', 'delete all objects of the definitions with them')
    .option('--yes', 'do not ask');
  return addOperationOptions(addClusterOptions(command), '5m')
    .showHelpAfterError('(see tenantry operator uninstall --help)')
    .exitOverride()
    .addHelpText(
      'after',
      `${STAYS}

With a definition every object of it is deleted, in all namespaces: a definition that has some is refused without
--delete-objects. Objects go first, while the operator that takes their finalizers away may still run.

Examples:
  tenantry operator uninstall dist
  tenantry operator uninstall operators/redis/1.2.3 --delete-objects --yes

Exit codes: 0 done; 1 refused, not gone in time, or something of yours must be fixed; 2 internal error.`,
    )
    .action(async (sources: readonly string[], options: UndeployCommandOptions) => {
      const { runUndeploy } = await import('./operator-undeploy-run.ts');
      process.exitCode = await runUndeploy('uninstall', sources, options);
    });
}

/** `tenantry operator undeploy`: all objects. */
export function operatorUndeployCommand(): Command {
  const command = new Command('undeploy')
    .description('Delete what was deployed of an operator from a cluster.')
    .argument('<manifests...>', SOURCES)
    .option('--namespace <name>', 'of objects that say none (default: that of the context)')
    .option('--delete-objects', 'delete all objects of the definitions with them')
    .option('--keep-crds', 'leave the definitions, and all of their objects')
    .option('--keep-namespaces', 'leave the Namespaces')
    .option('--yes', 'do not ask');
  return addOperationOptions(addClusterOptions(command), '5m')
    .showHelpAfterError('(see tenantry operator undeploy --help)')
    .exitOverride()
    .addHelpText(
      'after',
      `${STAYS}

A definition that has objects is refused without --delete-objects or --keep-crds, and a Namespace that holds what
is somebody else's without --keep-namespaces. Objects of the definitions go first, while the operator still runs;
the Namespace goes last. Each is waited for: what does not go is told with what it waits for, and nothing after it
is begun. Done again, it goes on.

Examples:
  tenantry operator undeploy dist
  tenantry operator undeploy dist --keep-crds --keep-namespaces --yes
  tenantry operator undeploy dist --delete-objects --yes --output json

Exit codes: 0 done; 1 refused, not gone in time, or something of yours must be fixed; 2 internal error.`,
    )
    .action(async (sources: readonly string[], options: UndeployCommandOptions) => {
      const { runUndeploy } = await import('./operator-undeploy-run.ts');
      process.exitCode = await runUndeploy('undeploy', sources, options);
    });
}
