/** A key that tenants may set: in full, or what it begins with and a `*`. */
export interface OpenKey {
  readonly key: string;
  /** Absent: any value. */
  readonly values?: readonly string[];
}

/**
 * What tenants may set on their namespaces where the class does not say: the recommended labels of
 * Kubernetes that say nothing of an owner, and words that no known controller reads.
 * Source: https://kubernetes.io/docs/concepts/overview/working-with-objects/common-labels/
 */
export const builtinOpenKeys: readonly OpenKey[] = [
  'app.kubernetes.io/name',
  'app.kubernetes.io/version',
  'app.kubernetes.io/component',
  'app.kubernetes.io/part-of',
  'team',
  'owner',
  'project',
  'component',
  'purpose',
  'description',
].map((key) => ({ key }));
