import { escapeServerPattern } from '../../tenant/cluster-server.ts';
import type { AppliedKind } from './applied-kinds.ts';
import { ownKinds } from './own-kinds.ts';

/** One of `resource.inclusions` in argocd-cm: Argo CD looks at these kinds of a cluster, and at no others. */
export interface ResourceInclusion {
  readonly apiGroups: readonly [string];
  readonly kinds: readonly string[];
  readonly clusters: readonly string[];
}

/** How Argo CD knows a cluster. */
export interface IncludedCluster {
  /** As Applications name it. */
  readonly server: string;
  /**
   * Where Argo CD runs in the cluster: the address that its pods have of the API server. What it reads is decided by
   * that one, what it applies by the other.
   * @default - it runs elsewhere
   */
  readonly ownAddress?: string;
}

/**
 * The kinds of a cluster that Argo CD reads all objects of, by group: those that it may, so that it asks for no
 * others, and the Secrets of nobody. An object of another kind in Git is passed over with a warning of the Application.
 * Of its own cluster it reads its own kinds, too.
 * Source: https://argo-cd.readthedocs.io/en/stable/operator-manual/declarative-setup/#resource-exclusioninclusion
 */
export function buildInclusions(
  { server, ownAddress }: IncludedCluster,
  kinds: readonly Pick<AppliedKind, 'group' | 'kind'>[],
): ResourceInclusion[] {
  const isOwn = ownAddress !== undefined;
  const groups = Map.groupBy([...kinds, ...(isOwn ? ownKinds : [])], ({ group }) => group);
  const clusters = [server, ...(isOwn ? [ownAddress] : [])].map(escapeServerPattern);
  return [...groups].map(([group, of]) => ({
    apiGroups: [group],
    kinds: of.map(({ kind }) => kind),
    clusters,
  }));
}
