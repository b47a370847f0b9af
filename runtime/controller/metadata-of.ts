import type { Kind } from '../kinds/kind.ts';

/** A kind of whose objects only apiVersion, kind and metadata are read. */
export type MetadataOf<K extends Kind> = Kind<object, K['group'], K['kind']> & {
  readonly metadataOnly: true;
};

/**
 * A kind whose objects are watched without their contents: less to send and to keep, and no spec, data
 * or status in memory. The right to list and watch is that of whole objects all the same.
 *
 * @example
 * ```ts
 * import { controller, core, done, metadataOf } from 'tenantry/runtime';
 *
 * const secrets = metadataOf(core.Secret);
 *
 * // Looks at a namespace again when one of its Secrets comes, changes or goes.
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
