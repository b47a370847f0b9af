/** What can be done to objects. `watch` without `list` is of no use to a cache. */
export type Verb =
  'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete' | 'deletecollection';

/**
 * What a controller may do, as data: by it the client refuses calls before they leave, and the roles
 * are made that an API server enforces (RBAC). One resource a rule, so that no rule grants the
 * product of two lists where only pairs were meant.
 */
export interface AccessRule {
  /** '' is the core group. */
  readonly group: string;
  /** The plural: `pods`; a subresource as RBAC spells it: `pods/status`. */
  readonly resource: string;
  readonly verbs: readonly Verb[];
  /**
   * Only objects of these names. RBAC cannot hold `create` and `deletecollection` to names
   * (https://kubernetes.io/docs/reference/access-authn-authz/rbac/#referring-to-resources), so a
   * rule with names has neither.
   * @default - all
   */
  readonly resourceNames?: readonly string[];
  /** Only in these namespaces, by a Role in each. @default - everywhere, by a ClusterRole */
  readonly namespaces?: readonly string[];
}
