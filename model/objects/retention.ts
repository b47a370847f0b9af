import type { KubeObject } from '@tenantry/kube/object';
import { COMPARE_OPTIONS, QUIET, SYNC_OPTIONS } from '@tenantry/kube/argocd-directives';
import type { ResolvedNamespace } from '../layers/resolved.ts';

type Annotations = Readonly<Record<string, string>>;

/** Annotations that decide what Argo CD does with the objects of one namespace when they are no longer in Git. */
interface RetentionAnnotations {
  /** For the Namespace. */
  readonly namespace: Annotations;
  /** For the objects in it, except access. */
  readonly content: Annotations;
  /** For Roles and RoleBindings. */
  readonly access: Annotations;
}

const emptyAnnotations: Annotations = {};

/**
 * Hides extraneous objects from the comparison. Otherwise each sync would try again, and real drift would wait for its
 * turn.
 */
const ignoreExtraneous = { [COMPARE_OPTIONS]: QUIET };
const neverDeleted = buildSyncOptions('Prune=false', 'Delete=false');
const prunedNotDeleted: Annotations = { [SYNC_OPTIONS]: 'Delete=false' };
/** For the Namespace of a tenant whose users are all gone from the cluster: its Application may wait for a person. */
const confirmed = buildSyncOptions('Prune=false', 'Delete=confirm');

/**
 * Builds the annotations that keep everything except access when a declaration is removed. Access is removed by the
 * next sync, and the rest stays until a person confirms its deletion. Argo CD decides for each object by the
 * annotations of the live one, so they are set ahead. No sync ever waits, because `Prune=confirm` would hold back all
 * of an Application's work. A deleted Application removes access and leaves the rest.
 *
 * In a Retired namespace all objects stay until the namespace is deleted. If all of the tenant's namespaces on the
 * cluster are Retired, deleting the Application of the namespaces waits for a person, because it then holds up nobody.
 *
 * See docs/adr/0078-access-is-pruned-namespaces-stay.md.
 * Source: https://argo-cd.readthedocs.io/en/stable/user-guide/sync-options/
 *
 * @param siblings all namespaces of the tenant on the cluster
 */
export function buildRetentionAnnotations(
  { settings, lifecycle }: ResolvedNamespace,
  siblings: readonly ResolvedNamespace[],
): RetentionAnnotations {
  if (settings.deletion === 'None') {
    return { namespace: emptyAnnotations, content: emptyAnnotations, access: emptyAnnotations };
  }
  if (lifecycle !== 'Retired')
    return { namespace: neverDeleted, content: prunedNotDeleted, access: emptyAnnotations };
  const isLast = siblings.every((one) => one.lifecycle === 'Retired');
  return {
    namespace: isLast ? confirmed : neverDeleted,
    content: neverDeleted,
    access: neverDeleted,
  };
}

function buildSyncOptions(...sync: readonly string[]): Annotations {
  return { ...ignoreExtraneous, [SYNC_OPTIONS]: sync.join(',') };
}

/** What Argo CD does: it deletes the object, waits for a person to confirm, or leaves the object as it is. */
export type PruneOutcome = 'deleted' | 'asked' | 'left';

/**
 * Returns what Argo CD does with an object that is no longer in Git, by the object's sync options. `Prune`: the object
 * left its Application. `Delete`: the whole Application is deleted.
 *
 * Source: https://argo-cd.readthedocs.io/en/stable/user-guide/sync-options/
 */
export function pruneOutcome(what: 'Prune' | 'Delete', object: KubeObject): PruneOutcome {
  const options = parseSyncOptions(object);
  if (options.has(`${what}=false`)) return 'left';
  return options.has(`${what}=confirm`) ? 'asked' : 'deleted';
}

/** Reads the sync options of an object. */
export function parseSyncOptions({ metadata }: KubeObject): ReadonlySet<string> {
  const words = (metadata.annotations?.[SYNC_OPTIONS] ?? '').split(',');
  return new Set(words.map((one) => one.trim()));
}
