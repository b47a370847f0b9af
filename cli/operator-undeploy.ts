import { Command } from 'commander';
import { addClusterOptions, addOperationOptions } from './options.ts';
import type { UndeployCommandOptions } from './operator-undeploy-run.ts';

const SOURCES = 'files, folders, bundles, or - for standard input';

const STAYS = `
Deletes only objects that tenantry operator deploy or install created. Objects that existed before, or that somebody else
applies or owns (Argo CD, Helm, Flux, kubectl apply, OLM, an owner reference), are kept and reported. The command first
lists what it deletes, or everything that prevents the deletion. It asks for confirmation on a terminal; otherwise you
must give --yes.`;

/** `tenantry operator uninstall`: deletes only the definitions. */
export function operatorUninstallCommand(): Command {
  const command = new Command('uninstall')
    .description('Delete the CustomResourceDefinitions of an operator from a cluster.')
    .argument('<manifests...>', SOURCES)
    .option('--delete-objects', 'also delete all objects of the definitions')
    .option('--yes', 'do not ask for confirmation');
  return addOperationOptions(addClusterOptions(command), '5m')
    .showHelpAfterError('(see tenantry operator uninstall --help)')
    .exitOverride()
    .addHelpText(
      'after',
      `${STAYS}

Deleting a definition deletes all of its objects in all namespaces. A definition that has objects is refused without
--delete-objects. The objects are deleted first, while the operator can still remove their finalizers.

Examples:
  tenantry operator uninstall dist
  tenantry operator uninstall operators/redis/1.2.3 --delete-objects --yes

Exit codes: 0 done; 1 refused, not gone in time, or a user error; 2 internal error.`,
    )
    .action(async (sources: readonly string[], options: UndeployCommandOptions) => {
      const { runUndeploy } = await import('./operator-undeploy-run.ts');
      process.exitCode = await runUndeploy('uninstall', sources, options);
    });
}

/** `tenantry operator undeploy`: deletes all objects. */
export function operatorUndeployCommand(): Command {
  const command = new Command('undeploy')
    .description('Delete a deployed operator from a cluster.')
    .argument('<manifests...>', SOURCES)
    .option('--namespace <name>', 'for objects without a namespace (default: that of the context)')
    .option('--delete-objects', 'also delete all objects of the definitions')
    .option('--keep-crds', 'keep the definitions and all of their objects')
    .option('--keep-namespaces', 'keep the Namespaces')
    .option('--yes', 'do not ask for confirmation');
  return addOperationOptions(addClusterOptions(command), '5m')
    .showHelpAfterError('(see tenantry operator undeploy --help)')
    .exitOverride()
    .addHelpText(
      'after',
      `${STAYS}

A definition that has objects is refused without --delete-objects or --keep-crds. A Namespace that contains objects of
others is refused without --keep-namespaces. Objects of the definitions are deleted first, while the operator still
runs; the Namespace is deleted last. The command waits for each deletion. If one does not finish, it prints what the
object waits for and deletes nothing more. Run it again to continue.

Examples:
  tenantry operator undeploy dist
  tenantry operator undeploy dist --keep-crds --keep-namespaces --yes
  tenantry operator undeploy dist --delete-objects --yes --output json

Exit codes: 0 done; 1 refused, not gone in time, or a user error; 2 internal error.`,
    )
    .action(async (sources: readonly string[], options: UndeployCommandOptions) => {
      const { runUndeploy } = await import('./operator-undeploy-run.ts');
      process.exitCode = await runUndeploy('undeploy', sources, options);
    });
}
