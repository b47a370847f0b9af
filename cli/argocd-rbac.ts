import { Command } from 'commander';
import type { ArgoCDRbacOptions } from './argocd-rbac-run.ts';
import { choice, collect } from './options.ts';

/** `tenantry argocd rbac`: prints the minimal rights with which Argo CD applies the output for a cluster. */
export function argocdRbacCommand(): Command {
  return new Command('rbac')
    .description(
      'Print the roles with which Argo CD may apply the rendered objects, and nothing else.',
    )
    .option('--cluster <name>', 'the cluster (default: the only one that is rendered)')
    .option('--out <dir>', 'the output folder (default: output of cdk8s.yaml, or dist)')
    .option('--platform <file>', 'the platform file (default: tenantry.yaml, if there is one)')
    .option(
      '--account <namespace/name>',
      'a service account that Argo CD has on the cluster (repeatable; default: those that the platform file names)',
      collect,
    )
    .option('--to <file>', 'write to a file, whole or not at all (default: print)')
    .addOption(choice('--output <format>', 'what is written', 'yaml', 'json'))
    .showHelpAfterError('(see tenantry argocd rbac --help)')
    .exitOverride()
    .addHelpText(
      'after',
      `
Reads clusters/<cluster>/ of the output folder; it does not contact a cluster. Prints two ClusterRoles: tenantry-argocd
has the rights to apply these objects, and tenantry-argocd-grants those that Argo CD must hold in order to grant them,
because the API server lets nobody grant more than they hold. Argo CD cannot raise its own rights, so an administrator
applies the roles, and again whenever a kind, a ClusterRole or a cluster-scoped object is added.

Examples:
  tenantry argocd rbac --cluster fra1 | kubectl --context fra1 apply --server-side -f -
  tenantry argocd rbac --cluster fra1 --account kube-system/argocd-manager
  tenantry argocd rbac --cluster fra1 --to platform/argocd-fra1.yaml

Exit codes: 0 done; 1 user error; 2 internal error.`,
    )
    .action(async (options: ArgoCDRbacOptions) => {
      const { runArgoCDRbac } = await import('./argocd-rbac-run.ts');
      process.exitCode = runArgoCDRbac(options);
    });
}
