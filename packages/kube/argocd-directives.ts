import type { Path } from './problem.ts';
import { isMapping } from './mapping.ts';

/** The annotations that control how Argo CD treats an object. */
export const SYNC_OPTIONS = 'argocd.argoproj.io/sync-options';
export const COMPARE_OPTIONS = 'argocd.argoproj.io/compare-options';
export const SYNC_WAVE = 'argocd.argoproj.io/sync-wave';

/**
 * Sync options that require a person's confirmation before Argo CD prunes the object, or deletes it
 * with its Application.
 */
export const CONFIRM = 'Prune=confirm,Delete=confirm';
/** A compare option: Argo CD does not report the object as out of sync once it is no longer in Git. */
export const QUIET = 'IgnoreExtraneous';

/**
 * A finalizer of Argo CD. An Application with it takes its objects along when it is deleted; an AppProject with it stays
 * as long as an Application names it.
 */
export const RESOURCES_FINALIZER = 'resources-finalizer.argocd.argoproj.io';

interface Manifest {
  readonly metadata: { readonly annotations?: Readonly<Record<string, string>> };
}

/**
 * Makes Argo CD require a person's confirmation before it prunes or deletes an object. Source:
 * https://argo-cd.readthedocs.io/en/stable/user-guide/sync-options/
 */
export function requireDeletionConfirmation<T extends Manifest>(manifest: T): T {
  const { annotations } = manifest.metadata;
  const existing = annotations?.[SYNC_OPTIONS]?.split(',') ?? [];
  const options = [...new Set([...existing, ...CONFIRM.split(',')])].join(',');
  return {
    ...manifest,
    metadata: { ...manifest.metadata, annotations: { ...annotations, [SYNC_OPTIONS]: options } },
  };
}

/**
 * Argo CD searches for its markers in the bytes of a file: in comments, and also in descriptions. A file with
 * `+argocd:skip-file-rendering` is ignored, and its objects are pruned. Nothing else begins like this, so all such
 * markers are refused.
 * Source: https://argo-cd.readthedocs.io/en/stable/user-guide/directory/#skipping-file-rendering
 */
const MARKER = '+argocd:';

export const NO_SKIP_MARKER = `must not hold the text '${MARKER}', which Argo CD obeys anywhere in a file: it would leave the whole file out`;

/** Whether a text contains a command for Argo CD. */
export function hasSkipMarker(text: string): boolean {
  return text.includes(MARKER);
}

/** Finds the path of a text with a marker in a value, as a string or as a key; undefined if there is none. */
export function findSkipMarker(value: unknown): Path | undefined {
  if (typeof value === 'string') return hasSkipMarker(value) ? [] : undefined;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i += 1) {
      const found = findSkipMarker(value[i]);
      if (found) return [i, ...found];
    }
  } else if (isMapping(value)) {
    for (const key in value) {
      // A key is followed by a colon.
      const found = hasSkipMarker(`${key}:`) ? [] : findSkipMarker(value[key]);
      if (found) return [key, ...found];
    }
  }
  return undefined;
}
