import type { Command } from 'commander';
import { choice } from '../../options.ts';
import { buildSettingsConfigMap } from '../../../model/argocd/customizations/settings.ts';
import {
  buildInclusions,
  type ResourceInclusion,
} from '../../../model/argocd/rights/inclusions.ts';
import { IN_CLUSTER_SERVER, resolveServer } from '../../../model/argocd-names.ts';
import type { Platform } from '../../../model/declaration.ts';
import { InvalidInput, type Problem } from '@tenantry/kube/problem';
import { readKinds, type ArgoCDOptions, type RenderedKinds } from './kinds.ts';
import type { ExitCode } from '../../failure-report.ts';
import { UsageError } from '../../usage-error.ts';
import { paintNothing, printProblems } from '../../console-output.ts';
import { writeObjects } from '../../written-objects.ts';

/** `tenantry argocd inclusions`: prints the kinds that Argo CD reads. */
export function configure(command: Command): void {
  command
    .option('--out <dir>', 'the output folder (default: output of cdk8s.yaml, or dist)')
    .option('--platform <file>', 'the platform file (default: tenantry.yaml, if there is one)')
    .option(
      '--in-cluster-address <address>',
      'for the cluster in which Argo CD runs: the address of the API server that its pods have',
    )
    .option('--to <file>', 'write to this file, atomically (default: standard output)')
    .addOption(choice('--output <format>', 'the output format', 'yaml', 'json'))
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
      process.exitCode = runArgoCDInclusions(options);
    });
}

/** The command line, as commander gives it. */
export interface ArgoCDInclusionsOptions extends ArgoCDOptions {
  readonly inClusterAddress?: string;
}

/**
 * Prints the part of argocd-cm that limits what Argo CD reads from each cluster, or writes it to a
 * file.
 * @throws {UsageError} when the command line lacks something, or the file cannot be written
 */
export function runArgoCDInclusions(options: ArgoCDInclusionsOptions): ExitCode {
  try {
    const { platform, clusters, warnings } = readKinds(options);
    const inclusions = clusters.flatMap((one) =>
      buildClusterInclusions(one, platform, options.inClusterAddress),
    );
    const problems = inclusions.filter((one) => 'message' in one);
    if (problems.length > 0) throw new InvalidInput(problems);
    for (const warning of warnings) console.error(`warning ${warning}`);
    const entries = inclusions.filter((one) => 'kinds' in one);
    writeObjects(
      [buildSettingsConfigMap(platform.argocdNamespace, { inclusions: entries })],
      options,
    );
    return 0;
  } catch (error) {
    if (!(error instanceof InvalidInput)) throw error;
    printProblems(error.problems, 'nothing is written', paintNothing);
    return 1;
  }
}

function buildClusterInclusions(
  { name, kinds }: RenderedKinds,
  { clusters }: Platform,
  ownAddress: string | undefined,
): readonly (ResourceInclusion | Problem)[] {
  const server = resolveServer(clusters.find((one) => one.name === name) ?? { name });
  if (server === IN_CLUSTER_SERVER) {
    if (ownAddress !== undefined) return buildInclusions({ server, ownAddress }, kinds);
    const must = '--in-cluster-address must be the address of the API server that pods have';
    throw new UsageError(`${must}, since Argo CD runs in ${name}, got none`);
  }
  if (server !== undefined) return buildInclusions({ server }, kinds);
  const message = `must have \`server\` for ${name}, its address as Argo CD knows it, got none`;
  return [{ path: 'spec.clusters', message, rule: 'cluster-server' }];
}
