import { Command } from 'commander';
import type { BundleRunCommandOptions } from './bundle-run-run.ts';
import type { CleanupCommandOptions } from './bundle-cleanup-run.ts';
import { addClusterOptions, collect, addOperationOptions } from './options.ts';

/** `tenantry bundle run`: installs a bundle with OLM. */
export function bundleRunCommand(): Command {
  const command = new Command('run')
    .description('Run a bundle on a cluster with OLM v0, and wait until it has succeeded.')
    .argument('<bundle>', 'the folder of a bundle, or an OCI image layout')
    .option('--namespace <name>', 'where (default: that of the context)')
    .option('--image <reference>', 'where the bundle has been pushed to (default: from the folder)')
    .option(
      '--install-mode <mode>',
      'AllNamespaces, OwnNamespace, SingleNamespace=<name> or MultiNamespace=<names> (default: by the OperatorGroup that there is, or the widest)',
    )
    .option(
      '--opm-image <reference>',
      'serves the catalog',
      'quay.io/operator-framework/opm:v1.73.0',
    )
    .option(
      '--pull-secret <name>',
      'a Secret by which the images of the bundle and of opm are pulled (repeatable)',
      collect,
    );
  return addOperationOptions(addClusterOptions(command), '10m')
    .showHelpAfterError('(see tenantry bundle run --help)')
    .exitOverride()
    .addHelpText(
      'after',
      `
Creates a CatalogSource that serves the bundle, an OperatorGroup if there is none, and a Subscription. Approves the
InstallPlan if it installs this bundle and nothing else. Waits until the ClusterServiceVersion is Succeeded, and prints
why it does not progress, from OLM, Deployments and pods. The objects of the bundle are in ConfigMaps, so no registry is
needed except for the images that it runs.

A version that was run before is upgraded: replaces, skips or olm.skipRange of the bundle must allow it. After Ctrl-C,
run the same command to continue.

Examples:
  tenantry bundle run operators/redis/1.2.3 --namespace redis
  tenantry bundle run dist/olm/bundle/1.0.0 --install-mode OwnNamespace --timeout 5m
  tenantry bundle run operators/redis/1.2.3 --image quay.io/example/redis-bundle:v1.2.3

Exit codes: 0 succeeded; 1 user error, OLM refuses, or it takes too long; 2 internal error.`,
    )
    .action(async (bundle: string, options: BundleRunCommandOptions) => {
      const { runBundleRun } = await import('./bundle-run-run.ts');
      process.exitCode = await runBundleRun(bundle, options);
    });
}

/** `tenantry bundle cleanup`: deletes what `bundle run` created. */
export function bundleCleanupCommand(): Command {
  const command = new Command('cleanup')
    .description('Delete what tenantry bundle run created for a package.')
    .argument('<package>', 'the name of the package')
    .option('--namespace <name>', 'where (default: that of the context)')
    .option('--delete-crds', 'delete the definitions that the operator owns')
    .option('--delete-objects', 'with --delete-crds: delete all of their objects')
    .option('--yes', 'do not ask for confirmation');
  return addOperationOptions(addClusterOptions(command), '5m')
    .showHelpAfterError('(see tenantry bundle cleanup --help)')
    .exitOverride()
    .addHelpText(
      'after',
      `
Deletes the Subscription, the ClusterServiceVersion with the operator, the CatalogSource with its server, and the
OperatorGroup if bundle run created it and no other operator in the namespace needs it. Definitions and their objects are
kept, unless you give --delete-crds; a definition that another operator owns is always kept. The command first lists what
it deletes. It asks for confirmation on a terminal; otherwise you must give --yes.

Examples:
  tenantry bundle cleanup redis-operator --namespace redis
  tenantry bundle cleanup redis-operator --namespace redis --delete-crds --delete-objects --yes

Exit codes: 0 done; 1 refused, not gone in time, or a user error; 2 internal error.`,
    )
    .action(async (name: string, options: CleanupCommandOptions) => {
      const { runCleanup } = await import('./bundle-cleanup-run.ts');
      process.exitCode = await runCleanup(name, options);
    });
}
