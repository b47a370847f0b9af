import type { Kind } from '../kinds/kind.ts';
import type { List, ListOptions, Reader } from './client.ts';

/**
 * Yields all pages of a list, each requested once the previous one has been used. All pages show the state of the first
 * one. Rejects with an `ApiError` that `isExpired` if that state is too old; then list again.
 */
export async function* listPages<K extends Kind>(
  reader: Reader,
  kind: K,
  options: Omit<ListOptions, 'continue'> = {},
): AsyncGenerator<List<K>, void, undefined> {
  let page = await reader.list(kind, options);
  yield page;
  while (page.continue !== undefined) {
    // A next page continues the state of the first one, so it takes no resourceVersion.
    const { resourceVersion: _, resourceVersionMatch: __, ...rest } = options;
    page = await reader.list(kind, { ...rest, continue: page.continue });
    yield page;
  }
}
