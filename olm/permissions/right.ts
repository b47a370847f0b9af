/** An atomic right to objects: one verb, group, resource and name. */
export interface ObjectRight {
  /** The verb; `*` is any. */
  readonly verb: string;
  /** The group; empty is the core group, `*` is any. */
  readonly group: string;
  /**
   * The resource: `pods`, `pods/log`. `*` is any with its subresources; `*` before a slash is any with that
   * subresource.
   */
  readonly resource: string;
  /** The name; absent for every object, and for requests without a name. */
  readonly name?: string;
}

/** A right to paths of the API server that are not objects. */
export interface PathRight {
  /** The verb; `*` is any. */
  readonly verb: string;
  /** The path: `/metrics`. A star at the end matches all paths with that prefix. */
  readonly path: string;
}

/** A rule of a role, as far as it is valid. */
export interface RightsRule {
  readonly verbs?: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}

/** Returns the common prefix of the paths that a pattern matches; undefined for a single path without a star. */
export function prefixOf(path: string): string | undefined {
  return path.endsWith('*') ? path.replace(/\*+$/, '') : undefined;
}
