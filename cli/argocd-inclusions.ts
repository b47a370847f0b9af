import { Command } from 'commander';
import type { ArgoCDInclusionsOptions } from './argocd-inclusions-run.ts';
import { choice } from './options.ts';

/** `tenantry argocd inclusions`: prints the kinds that Argo CD reads. */
export function argocdInclusionsCommand(): Command {
  return new Command('inclusions')
    .description('Print the kinds that Argo CD must read, for argocd-cm.')
    .option('--out <dir>', 'the output folder (default: output of cdk8s.yaml, or dist)')
    .option('--platform <file>', 'the platform file (default: tenantry.yaml, if there is one)')
    .option(
      '--in-cluster-address <address>',
      'for the cluster in which Argo CD runs: the address of the API server that its pods have',
    )
    .option('--to <file>', 'write to a file, whole or not at all (default: print)')
    .addOption(choice('--output <format>', 'what is written', 'yaml', 'json'))
    .showHelpAfterError('(see tenantry argocd inclusions --help)')
    .exitOverride()
    .addHelpText(
      'after',
      `
Argo CD reads all objects of all kinds of a cluster, Secrets included, unless resource.inclusions of its ConfigMap
argocd-cm restricts it. This command prints that key with the kinds of each cluster that \`tenantry argocd rbac\` lets it
read. For the cluster in which it runs, Argo CD uses the address in the environment of its pods,
KUBERNETES_SERVICE_HOST and _PORT, usually that of the Service kubernetes in namespace default. Apply the output with a
field manager of its own, or merge it into your ConfigMap, because there is only one such key.

Examples:
  tenantry argocd inclusions | kubectl apply --server-side --field-manager=tenantry-inclusions -f -
  tenantry argocd inclusions --in-cluster-address https://10.96.0.1:443
  tenantry argocd inclusions --to platform/argocd-inclusions.yaml

Exit codes: 0 done; 1 user error; 2 internal error.`,
    )
    .action(async (options: ArgoCDInclusionsOptions) => {
      const { runArgoCDInclusions } = await import('./argocd-inclusions-run.ts');
      process.exitCode = runArgoCDInclusions(options);
    });
}
