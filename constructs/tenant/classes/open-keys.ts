/** A key that tenants may set: a full key, or a prefix with a `*`. */
export interface OpenKey {
  readonly key: string;
  /** The allowed values. Absent: any value. */
  readonly values?: readonly string[];
}

/**
 * The keys that tenants may set on their namespaces unless the class overrides them: Kubernetes' recommended labels
 * that name no owner, and keys that no known controller reads.
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
