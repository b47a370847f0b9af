import type { Kind } from '../kinds/kind.ts';

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
 * import { controller, core, done, metadataOf } from 'tenantry/runtime';
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
