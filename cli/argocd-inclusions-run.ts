import { settingsObject } from '../constructs/argocd/customizations/settings.ts';
import { inclusionsOf, type ResourceInclusion } from '../constructs/argocd/rights/inclusions.ts';
import { IN_CLUSTER_SERVER, serverOf } from '../constructs/tenant/clusterserver.ts';
import type { Platform } from '../constructs/tenant/declaration.ts';
import { InvalidInput, type Problem } from '../kube/problem.ts';
import { readKinds, type ArgoCDOptions, type RenderedKinds } from './argocd-kinds.ts';
import type { ExitCode } from './ending.ts';
import { paintIf, tellProblems } from './words.ts';
import { writeObjects } from './written-objects.ts';

/**
 * Prints the part of argocd-cm that says what Argo CD reads of each cluster, or writes it to a file.
 * @throws {UsageError} when the file cannot be written
 */
export function runArgoCDInclusions(options: ArgoCDOptions): ExitCode {
  try {
    const { platform, clusters } = readKinds(options);
    const inclusions = clusters.flatMap((one) => ofCluster(one, platform));
    const problems = inclusions.filter((one) => 'message' in one);
    if (problems.length > 0) throw new InvalidInput(problems);
    const entries = inclusions.filter((one) => 'kinds' in one);
    writeObjects([settingsObject(platform.argocdNamespace, { inclusions: entries })], options);
    return 0;
  } catch (error) {
    if (!(error instanceof InvalidInput)) throw error;
    tellProblems(error.problems, 'nothing is written', paintIf(false));
    return 1;
  }
}

function ofCluster(
  { name, kinds }: RenderedKinds,
  { clusters }: Platform,
): readonly (ResourceInclusion | Problem)[] {
  const server = serverOf(clusters.find((one) => one.name === name) ?? { name });
  if (server !== undefined) {
    return inclusionsOf(server, kinds, { isArgoCDs: server === IN_CLUSTER_SERVER });
  }
  const message = `must have \`server\` for ${name}, its address as Argo CD knows it, got none`;
  return [{ path: 'spec.clusters', message, rule: 'cluster-server' }];
}
