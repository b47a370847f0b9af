import { Command } from 'commander';
import type { BundleRunCommandOptions } from './bundle-run-run.ts';
import type { CleanupCommandOptions } from './bundle-cleanup-run.ts';
import { addClusterOptions, collect, addOperationOptions } from './options.ts';

/** `tenantry bundle run`: brings a bundle up by OLM. */
export function bundleRunCommand(): Command {
  const command = new Command('run')
    .description('Run a bundle on a cluster with OLM (v0), and wait until it has succeeded.')
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
Makes a CatalogSource that serves the bundle, an OperatorGroup where there is none, and a Subscription; approves the
InstallPlan that installs this bundle and nothing else; and waits until its ClusterServiceVersion is Succeeded. What
OLM, Deployments and pods say of why it does not go on is told. The objects of the bundle are in ConfigMaps, so no
registry is needed, but for the images that it runs.

Where an older version was run so, it is upgraded: the bundle must lead from it by replaces, skips or olm.skipRange.
After Ctrl-C, the same command goes on.

Examples:
  tenantry bundle run operators/redis/1.2.3 --namespace redis
  tenantry bundle run dist/olm/bundle/1.0.0 --install-mode OwnNamespace --timeout 5m
  tenantry bundle run operators/redis/1.2.3 --image quay.io/example/redis-bundle:v1.2.3

Exit codes: 0 succeeded; 1 something of yours must be fixed, OLM refuses, or it takes too long; 2 internal error.`,
    )
    .action(async (bundle: string, options: BundleRunCommandOptions) => {
      const { runBundleRun } = await import('./bundle-run-run.ts');
      process.exitCode = await runBundleRun(bundle, options);
    });
}

/** `tenantry bundle cleanup`: takes away what `bundle run` brought. */
export function bundleCleanupCommand(): Command {
  const command = new Command('cleanup')
    .description('Delete from a cluster what tenantry bundle run made of a package.')
    .argument('<package>', 'the name of the package')
    .option('--namespace <name>', 'where (default: that of the context)')
    .option('--delete-crds', 'delete the definitions that the operator owns')
    .option('--delete-objects', 'with --delete-crds: delete all of their objects')
    .option('--yes', 'do not ask');
  return addOperationOptions(addClusterOptions(command), '5m')
    .showHelpAfterError('(see tenantry bundle cleanup --help)')
    .exitOverride()
    .addHelpText(
      'after',
      `
Deletes the Subscription, the ClusterServiceVersion and with it the operator, the CatalogSource and what serves it,
and the OperatorGroup, if bundle run made it and no other operator in the namespace needs it. Definitions and their
objects stay, unless you say otherwise; a definition that another operator owns stays in any case. What is to go is
listed first, and asked about on a terminal; elsewhere --yes must be given.

Examples:
  tenantry bundle cleanup redis-operator --namespace redis
  tenantry bundle cleanup redis-operator --namespace redis --delete-crds --delete-objects --yes

Exit codes: 0 done; 1 refused, not gone in time, or something of yours must be fixed; 2 internal error.`,
    )
    .action(async (name: string, options: CleanupCommandOptions) => {
      const { runCleanup } = await import('./bundle-cleanup-run.ts');
      process.exitCode = await runCleanup(name, options);
    });
}
