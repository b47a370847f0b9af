import type { Path } from './problem.ts';
import { isMapping } from './mapping.ts';

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
