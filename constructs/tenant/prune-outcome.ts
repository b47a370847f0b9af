import type { KubeObject } from '../../kube/object.ts';
import { SYNC_OPTIONS } from './ownership.ts';

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
