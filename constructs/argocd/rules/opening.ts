/**
 * What a project opens knowingly. `AnyRepository`: of any host. `AnyCluster`, `AnyNamespace`: destinations that a
 * pattern does not bound by how they begin. `AnyClusterKind`: kinds outside of namespaces by a pattern.
 * `AnyNamespacedKind`: all kinds in namespaces, or all but some. `ArgoCdNamespace`: the namespace of Argo CD, where
 * whoever writes Applications and projects has all rights of Argo CD. `SourceNamespaces`: Applications in other
 * namespaces than Argo CD's, though the project is privileged.
 */
export type ProjectOpening =
  | 'AnyRepository'
  | 'AnyCluster'
  | 'AnyNamespace'
  | 'AnyClusterKind'
  | 'AnyNamespacedKind'
  | 'ArgoCdNamespace'
  | 'SourceNamespaces';

/** The end of a message: how it is said that something is meant. */
export function formatOpeningHint(opening: ProjectOpening): string {
  return `where that is meant, say opens: ['${opening}']`;
}
