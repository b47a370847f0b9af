import type { Kind } from '../kinds/kind.ts';
import type { List, ListOptions, Reader } from './client.ts';

/**
 * All pages of a list, each asked for when the last has been used. All are of the state of the first;
 * rejects with an `ApiError` that `isExpired` when that is too old: list anew then.
 */
export async function* listPages<K extends Kind>(
  reader: Reader,
  kind: K,
  options: Omit<ListOptions, 'continue'> = {},
): AsyncGenerator<List<K>, void, undefined> {
  let page = await reader.list(kind, options);
  yield page;
  while (page.continue !== undefined) {
    // A next page is of the state of the first, so it takes no resourceVersion.
    const { resourceVersion: _, resourceVersionMatch: __, ...rest } = options;
    page = await reader.list(kind, { ...rest, continue: page.continue });
    yield page;
  }
}
