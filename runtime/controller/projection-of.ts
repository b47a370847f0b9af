import type { Kind, Live } from '../kinds/kind.ts';

/** A kind of whose objects a part is kept, in addition to apiVersion, kind and metadata. */
export type ProjectionOf<K extends Kind, Kept extends object> = Kind<
  Kept,
  K['group'],
  K['kind']
> & {
  /** Returns what caches keep of an object. Always the same function, so that all users of the kind share a cache. */
  readonly project: (object: Live) => Live;
};

/**
 * Returns a kind of whose objects controllers keep only metadata and what `keep` picks, such as the phase of a Pod. The
 * server still sends whole objects, and `keep` is called for each; it must be pure. All controllers of a manager that
 * watch the kind must use one projection, so create it once.
 *
 * @example
 * ```ts
 * import { controller, core, done, projectionOf } from 'tenantry/runtime';
 *
 * const pods = projectionOf(core.Pod, ({ spec }) => ({ node: spec?.nodeName ?? '' }));
 *
 * // Logs how many pods a node has, without keeping their containers in memory.
 * export const crowds = controller({
 *   name: 'crowds',
 *   for: core.Node,
 *   watches: [{ kind: pods, map: ({ node }) => (node === '' ? [] : [{ name: node }]) }],
 *   reconcile: async ({ cache, object, log }) => {
 *     const here = cache.list(pods).filter(({ node }) => node === object.metadata.name);
 *     log.info('the pods of a node', { count: here.length });
 *     return done;
 *   },
 * });
 * ```
 */
export function projectionOf<K extends Kind, Kept extends object>(
  kind: K,
  keep: (object: Live<K>) => Kept,
): ProjectionOf<K, Kept> {
  const { group, version, plural, scope } = kind;
  const project = (object: Live): Live => {
    const { apiVersion, kind, metadata } = object;
    return { ...keep(object as Live<K>), apiVersion, kind, metadata };
  };
  return { group, version, kind: kind.kind, plural, scope, project };
}

/** Returns what is kept of the objects of a kind; undefined for whole objects. */
export function findProjection(kind: Kind): ((object: Live) => Live) | undefined {
  return 'project' in kind ? (kind as ProjectionOf<Kind, object>).project : undefined;
}
