import type { Path } from './problem.ts';
import { isMapping } from './mapping.ts';

/**
 * Argo CD looks for its markers in the bytes of a file, wherever they stand: in a comment, and just
 * so in a description. With `+argocd:skip-file-rendering` the file does not exist, and its objects
 * are pruned. Nothing else begins like this, so none of the family is let through.
 * Source: https://argo-cd.readthedocs.io/en/stable/user-guide/directory/#skipping-file-rendering
 */
const MARKER = '+argocd:';

export const NO_SKIP_MARKER = `must not hold the text '${MARKER}', which Argo CD obeys wherever it stands in a file: it would leave the whole file out`;

/** Whether a reader takes orders from a text. */
export function hasSkipMarker(text: string): boolean {
  return text.includes(MARKER);
}

/** Where a text that steers stands in a value, as a string or as a key; undefined: nowhere. */
export function findSkipMarker(value: unknown): Path | undefined {
  if (typeof value === 'string') return hasSkipMarker(value) ? [] : undefined;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i += 1) {
      const found = findSkipMarker(value[i]);
      if (found) return [i, ...found];
    }
  } else if (isMapping(value)) {
    for (const key in value) {
      // behind a key comes a colon
      const found = hasSkipMarker(`${key}:`) ? [] : findSkipMarker(value[key]);
      if (found) return [key, ...found];
    }
  }
  return undefined;
}
