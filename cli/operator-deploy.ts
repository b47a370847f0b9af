import { Command } from 'commander';
import type { DeployCommandOptions } from './operator-deploy-run.ts';
import { addClusterOptions, addOperationOptions } from './options.ts';

const SOURCES = 'files, folders, bundles, or - for standard input';

/** `tenantry operator install`: applies only the definitions. */
export function operatorInstallCommand(): Command {
  const command = new Command('install')
    .description('Apply the CustomResourceDefinitions of an operator to a cluster.')
    .argument('<manifests...>', SOURCES)
    .option('--force', 'take over fields that other field managers own');
  return addOperationOptions(addClusterOptions(command), '1m')
    .showHelpAfterError('(see tenantry operator install --help)')
    .exitOverride()
    .addHelpText(
      'after',
      `
Applies the CustomResourceDefinitions of the manifests by server-side apply, as field manager tenantry-deploy, and waits
until they are served. Ignores all other objects.

Examples:
  tenantry operator install dist
  tenantry operator install operators/redis/1.2.3 --context kind-dev
  node manifests.ts | tenantry operator install -

Exit codes: 0 done; 1 user error, or the cluster refuses; 2 internal error.`,
    )
    .action(async (sources: readonly string[], options: DeployCommandOptions) => {
      const { runDeploy } = await import('./operator-deploy-run.ts');
      process.exitCode = await runDeploy('install', sources, options);
    });
}

/** `tenantry operator deploy`: applies all objects. */
export function operatorDeployCommand(): Command {
  const command = new Command('deploy')
    .description('Apply all manifests of an operator to a cluster, and wait until it is available.')
    .argument('<manifests...>', SOURCES)
    .option('--namespace <name>', 'for objects without a namespace (default: that of the context)')
    .option('--force', 'take over fields that other field managers own')
    .option('--no-wait', 'do not wait for Deployments');
  return addOperationOptions(addClusterOptions(command), '5m')
    .showHelpAfterError('(see tenantry operator deploy --help)')
    .exitOverride()
    .addHelpText(
      'after',
      `
Applies the manifests in an order that works: Namespaces, definitions, quotas and limits, accounts and what they read,
roles, bindings, Services, workloads, webhooks, and once the Deployments are available, objects of the definitions. It
uses server-side apply as field manager tenantry-deploy, and fails on fields that other managers own, unless you give
--force. Run the command again to continue.

Objects that did not exist before get the annotation tenantry.dev/deployed. tenantry operator undeploy removes only
these.

If a Deployment does not become available in time, the command prints why, from its conditions and pods: images, quota,
admission, nodes, exit codes.

Examples:
  tenantry operator deploy dist
  node manifests.ts registry.example.com/redis-operator:1.0.0 | tenantry operator deploy - --timeout 2m
  tenantry operator deploy dist --context kind-dev --output json

Exit codes: 0 done; 1 user error, the cluster refuses, or it is not available in time; 2
internal error.`,
    )
    .action(async (sources: readonly string[], options: DeployCommandOptions) => {
      const { runDeploy } = await import('./operator-deploy-run.ts');
      process.exitCode = await runDeploy('deploy', sources, options);
    });
}
