import { errorAt, type Finding } from '../../../kube/finding.ts';
import { show, type Path } from '../../../kube/problem.ts';
import type { PlatformSpec } from '../../../crds/tenantry/platform.ts';
import { IN_CLUSTER, resolveServer } from '../cluster-server.ts';

/** Validates the addresses that Argo CD gets: unusable ones, and those that it would misread. */
export function validateArgoCD(spec: PlatformSpec): Finding[] {
  if (!spec.argocd?.source) return validateRevisions(spec);
  return [...validateRepositoryAddress(spec.argocd.source.repoURL), ...validateServers(spec)];
}

function validateRevisions({ clusters = [] }: PlatformSpec): Finding[] {
  return clusters.flatMap(({ targetRevision }, i) => {
    if (targetRevision === undefined) return [];
    const message = `must come with argocd.source, got ${show(targetRevision)} and no source`;
    return [errorAt(['spec', 'clusters', i, 'targetRevision'], message, 'argocd-source')];
  });
}

/** Validates the address, which is committed and is part of objects that many may read. */
function validateRepositoryAddress(repoURL: string): Finding[] {
  const at: Path = ['spec', 'argocd', 'source', 'repoURL'];
  if (!URL.canParse(repoURL)) return [];
  const { protocol, username, password } = new URL(repoURL);
  const isSsh = protocol === 'ssh:';
  if (password === '' && (isSsh || username === '')) return [];
  const message = `must have no ${isSsh ? '' : 'user and no '}password, which belong in a repository Secret of Argo CD`;
  return [errorAt(at, message, 'argocd-source')];
}

/**
 * Validates that clusters have different servers. Two Applications with the same objects of the same cluster would
 * fight.
 */
function validateServers({ clusters = [{ name: IN_CLUSTER }] }: PlatformSpec): Finding[] {
  const firstWith = new Map<string, string>();
  return clusters.flatMap((cluster, i) => {
    const server = resolveServer(cluster);
    if (server === undefined) {
      const message = `must be set, since argocd.source is set: Argo CD deploys to an address, got a cluster ${show(cluster.name)} without one`;
      return [errorAt(['spec', 'clusters', i, 'server'], message, 'cluster-server')];
    }
    const address = normalizeServer(server);
    const first = firstWith.get(address);
    if (first === undefined) {
      firstWith.set(address, cluster.name);
      return [];
    }
    const message = `must be another one than that of cluster ${show(first)}, got ${show(server)}`;
    return [errorAt(['spec', 'clusters', i, 'server'], message, 'cluster-server')];
  });
}

function normalizeServer(server: string): string {
  return URL.canParse(server) ? new URL(server).href.replace(/\/+$/, '') : server;
}
