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
 * import { controller, core, done, projectionOf } from '@tenantry/runtime';
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

/** A kind of which only apiVersion, kind and metadata are read. */
export type MetadataOf<K extends Kind> = Kind<object, K['group'], K['kind']> & {
  readonly metadataOnly: true;
};

/**
 * Returns a kind whose objects are watched without their content, which saves traffic and memory. Nothing of their
 * spec, data or status is held. Listing and watching still need the access to whole objects.
 *
 * @example
 * ```ts
 * import { controller, core, done, metadataOf } from '@tenantry/runtime';
 *
 * const secrets = metadataOf(core.Secret);
 *
 * // Reconciles a namespace when one of its Secrets is added, changed or deleted.
 * export const registries = controller({
 *   name: 'registries',
 *   for: core.Namespace,
 *   watches: [
 *     {
 *       kind: secrets,
 *       map: ({ metadata: { namespace } }) => (namespace === undefined ? [] : [{ name: namespace }]),
 *     },
 *   ],
 *   reconcile: async ({ cache, object, log }) => {
 *     const found = cache.list(secrets, { namespace: object.metadata.name });
 *     log.info('the Secrets of a namespace', { count: found.length });
 *     return done;
 *   },
 * });
 * ```
 */
export function metadataOf<K extends Kind>(kind: K): MetadataOf<K> {
  const { group, version, plural, scope } = kind;
  return { group, version, kind: kind.kind, plural, scope, metadataOnly: true };
}

export function isMetadataOnly(kind: Kind): boolean {
  return 'metadataOnly' in kind;
}
