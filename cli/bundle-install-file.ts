import { Command } from 'commander';
import type { InstallFileOptions } from './bundle-install-file-run.ts';
import { choice, collect } from './options.ts';

/** `tenantry bundle install-file`: writes the objects with which OLM installs an operator to one file. */
export function bundleInstallFileCommand(): Command {
  return new Command('install-file')
    .description('Print the objects with which OLM installs an operator, for `kubectl apply -f`.')
    .argument('<bundle>', 'the folder of a bundle, or an OCI image layout')
    .addOption(choice('--olm <version>', 'which OLM', 'v0', 'v1'))
    .option('--namespace <name>', 'where it runs (default: what it suggests, or its package)')
    .option('--existing-namespace', 'leave the Namespace out: it is there already')
    .option(
      '--channel <name>',
      'the channel; v1: repeatable (default: its default; v1: any)',
      collect,
    )
    .option('--to <file>', 'write to a file, whole or not at all (default: print)')
    .option(
      '--catalog <namespace/name>',
      'v0: the CatalogSource (default: olm/operatorhubio-catalog)',
    )
    .option(
      '--starting-csv <name>',
      'v0: what is installed first (default: the head of the channel)',
    )
    .option('--manual', 'v0: each InstallPlan waits for a person')
    .option(
      '--watch <namespace>',
      'v0: what it watches (repeatable; default: all, or else where it runs)',
      collect,
    )
    .option('--versions <range>', 'v1: what may be installed (default: the version of the bundle)')
    .option(
      '--upgrades-from <bundle>',
      'v1: a bundle that may be there before, whose objects the account may remove (repeatable)',
      collect,
    )
    .option('--no-account', 'v1: OLM installs with rights of its own, as from v1.11 on')
    .addOption(choice('--output <format>', 'what is written', 'yaml', 'json'))
    .showHelpAfterError('(see tenantry bundle install-file --help)')
    .exitOverride()
    .addHelpText(
      'after',
      `
For OLM v0, prints the Namespace, an OperatorGroup with an install mode that the bundle supports, and the
Subscription. For v1, prints the Namespace, a ServiceAccount that may install, upgrade and remove exactly this
bundle, its roles, and the ClusterExtension. The bundle must be in a catalog of the cluster. The same bundle and
options give the same bytes.

Examples:
  tenantry bundle install-file operators/redis/1.2.3 | kubectl apply -f -
  tenantry bundle install-file operators/redis/1.2.3 --catalog olm/caches --channel stable --to redis.yaml
  tenantry bundle install-file operators/redis/1.2.3 --olm v1 --upgrades-from operators/redis/1.2.2

Exit codes: 0 done; 1 OLM would not install the bundle this way, or the input cannot be read; 2 internal error.`,
    )
    .action(async (bundle: string, options: InstallFileOptions) => {
      const { runInstallFile } = await import('./bundle-install-file-run.ts');
      process.exitCode = runInstallFile(bundle, options);
    });
}
