import { buildSettingsConfigMap } from '../constructs/argocd/customizations/settings.ts';
import { buildInclusions, type ResourceInclusion } from '../constructs/argocd/rights/inclusions.ts';
import { IN_CLUSTER_SERVER, resolveServer } from '../constructs/tenant/argocd-names.ts';
import type { Platform } from '../constructs/tenant/declaration.ts';
import { InvalidInput, type Problem } from '../kube/problem.ts';
import { readKinds, type ArgoCDOptions, type RenderedKinds } from './argocd-kinds.ts';
import type { ExitCode } from './ending.ts';
import { UsageError } from './usage-error.ts';
import { paintIf, printProblems } from './words.ts';
import { writeObjects } from './written-objects.ts';

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
    printProblems(error.problems, 'nothing is written', paintIf(false));
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
