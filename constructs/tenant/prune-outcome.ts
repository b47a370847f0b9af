import type { KubeObject } from '../../kube/object.ts';
import { SYNC_OPTIONS } from './ownership.ts';

/** It stays as it is, a person is asked first, or it goes. */
export type PruneOutcome = 'deleted' | 'asked' | 'left';

/**
 * What Argo CD does with an object that is no longer in Git, by its sync options: those of a prune where its
 * Application stays, those of a deletion where all of that goes.
 *
 * Source: https://argo-cd.readthedocs.io/en/stable/user-guide/sync-options/
 */
export function pruneOutcome(what: 'Prune' | 'Delete', object: KubeObject): PruneOutcome {
  const options = parseSyncOptions(object);
  if (options.has(`${what}=false`)) return 'left';
  return options.has(`${what}=confirm`) ? 'asked' : 'deleted';
}

/** What the object says to Argo CD about itself. */
export function parseSyncOptions({ metadata }: KubeObject): ReadonlySet<string> {
  const words = (metadata.annotations?.[SYNC_OPTIONS] ?? '').split(',');
  return new Set(words.map((one) => one.trim()));
}
