import type { KubeObject } from '../../kube/object.ts';
import { SYNC_OPTIONS } from './ownership.ts';

/** It stays as it is, a person is asked first, or it goes. */
export type Fate = 'deleted' | 'asked' | 'left';

/**
 * What Argo CD does with an object that is no longer in Git, by its sync options: those of a prune where its
 * Application stays, those of a deletion where all of that goes.
 *
 * Source: https://argo-cd.readthedocs.io/en/stable/user-guide/sync-options/
 */
export function fateAfter(what: 'Prune' | 'Delete', { metadata }: KubeObject): Fate {
  const words = (metadata.annotations?.[SYNC_OPTIONS] ?? '').split(',').map((one) => one.trim());
  const options = new Set(words);
  if (options.has(`${what}=false`)) return 'left';
  return options.has(`${what}=confirm`) ? 'asked' : 'deleted';
}
