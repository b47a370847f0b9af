import { computePlatformDigest } from '../../constructs/operator/platform-config-map.ts';
import type { Platform } from '../../constructs/tenant/declaration.ts';
import { didYouMean, formatList, findNearest, show, type Problem } from '../../kube/problem.ts';
import type { ReadSettings } from './read-settings.ts';

/** A Platform that was read from a file. */
export interface GivenPlatform {
  readonly platform: Platform;
  /** The content of the file. */
  readonly text: string;
}

/** Returns the cluster that the settings select, or the problem if they do not fit the platform. */
export function clusterOf(
  { settings, problem }: ReadSettings,
  { platform, text }: GivenPlatform,
): { readonly cluster?: string; readonly problems: readonly Problem[] } {
  const problems: Problem[] = [];
  const digest = computePlatformDigest(text);
  const wanted = settings.platformDigest;
  if (wanted !== undefined && wanted !== digest) {
    const message = `must be the digest of ${settings.platform}, which is ${show(digest)}, got ${show(wanted)}: the ConfigMap and the Deployment are not of one rendering, or somebody edited one of them`;
    problems.push(problem('platformDigest', message));
  }
  const names = platform.clusters.map(({ name }) => name);
  const { cluster = names.length === 1 ? names[0] : undefined } = settings;
  if (cluster !== undefined && names.includes(cluster)) return { cluster, problems };
  const hint = cluster === undefined ? '' : didYouMean(findNearest(cluster, names));
  const message = `must be one of the Platform's clusters (${formatList(names)}), got ${show(cluster)}${hint}`;
  return { problems: [...problems, problem('cluster', message)] };
}
