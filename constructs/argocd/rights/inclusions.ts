import type { AppliedKind } from './appliedkinds.ts';
import { ownKinds } from './ownkinds.ts';

/** One of `resource.inclusions` in argocd-cm: Argo CD looks at these kinds of a cluster, and at no others. */
export interface ResourceInclusion {
  readonly apiGroups: readonly [string];
  readonly kinds: readonly string[];
  readonly clusters: readonly [string];
}

/**
 * The kinds of a cluster that Argo CD reads all objects of, by group: those that it may, so that it asks for no
 * others, and the Secrets of nobody. An object of another kind in Git is passed over with a warning of the Application.
 * Source: https://argo-cd.readthedocs.io/en/stable/operator-manual/declarative-setup/#resource-exclusioninclusion
 * @param server as Argo CD knows the cluster
 * @param isArgoCDs whether it runs there, and so reads its own kinds too
 */
export function inclusionsOf(
  server: string,
  kinds: readonly Pick<AppliedKind, 'group' | 'kind'>[],
  { isArgoCDs }: { readonly isArgoCDs: boolean },
): ResourceInclusion[] {
  const groups = Map.groupBy([...kinds, ...(isArgoCDs ? ownKinds : [])], ({ group }) => group);
  return [...groups].map(([group, of]) => ({
    apiGroups: [group],
    kinds: of.map(({ kind }) => kind),
    clusters: [server],
  }));
}
