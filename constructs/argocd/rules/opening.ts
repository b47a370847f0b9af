/**
 * What a project opens explicitly. `AnyRepository`: of any host. `AnyCluster`, `AnyNamespace`: destinations by a
 * pattern without a fixed prefix. `AnyClusterKind`: cluster-scoped kinds by a pattern. `AnyNamespacedKind`: all
 * namespaced kinds, or all but some. `ArgoCdNamespace`: the namespace of Argo CD, where anyone who can write
 * Applications and projects has all rights of Argo CD. `SourceNamespaces`: Applications in namespaces other than Argo
 * CD's, although the project is privileged.
 */
export type ProjectOpening =
  | 'AnyRepository'
  | 'AnyCluster'
  | 'AnyNamespace'
  | 'AnyClusterKind'
  | 'AnyNamespacedKind'
  | 'ArgoCdNamespace'
  | 'SourceNamespaces';

/** Formats the end of a message: how to declare that something is intended. */
export function formatOpeningHint(opening: ProjectOpening): string {
  return `where that is meant, say opens: ['${opening}']`;
}
