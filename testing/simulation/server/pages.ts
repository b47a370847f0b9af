import type { ListOptions } from '../../../runtime/client/client.ts';
import type { Kind } from '../../../runtime/kinds/kind.ts';
import { ApiError } from '../../../runtime/errors/api-error.ts';
import { NotSimulated } from './not-simulated.ts';
import type { ObjectStore } from './object-store.ts';
import { badRequest, expired } from './refusal.ts';
import { buildSelectionMatcher } from './selection.ts';
import type { ServedKind } from './served-kind.ts';
import type { StoredObject } from './stored.ts';

/** One page of the objects at a version. */
export interface Page {
  readonly items: readonly StoredObject[];
  readonly resourceVersion: string;
  readonly continue?: string;
}

interface PendingPage {
  readonly version: number;
  readonly items: readonly StoredObject[];
}

/** Lists objects in pages, all of the state that the first page showed. */
export class Paginator {
  readonly #store: ObjectStore;
  readonly #rests = new Map<string, PendingPage>();

  constructor(store: ObjectStore) {
    this.#store = store;
  }

  /** @throws {ApiError} */
  list(kind: Kind, served: ServedKind, options: ListOptions): Page {
    const { limit = 500 } = options;
    const { version, items } = this.#items(kind, served, options);
    const resourceVersion = String(version);
    if (limit === 0 || items.length <= limit) return { items, resourceVersion };
    const next = `${version} ${this.#rests.size}`;
    this.#rests.set(next, { version, items: items.slice(limit) });
    return { items: items.slice(0, limit), resourceVersion, continue: next };
  }

  #items(kind: Kind, served: ServedKind, options: ListOptions): PendingPage {
    const { continue: next, resourceVersion, resourceVersionMatch } = options;
    if (next) {
      if (resourceVersion) {
        throw badRequest('specifying resource version is not allowed when using continue');
      }
      const rest = this.#rests.get(next);
      if (!rest) throw badRequest('continue key is not valid');
      if (!this.#store.hasVersion(rest.version)) throw expired();
      return rest;
    }
    const { version } = this.#store;
    const asked = Number(resourceVersion ?? 0);
    if (asked > version) throw resourceVersionTooLarge(asked, version);
    if (resourceVersionMatch === 'Exact' && asked !== version) {
      throw new NotSimulated('a list of an older version');
    }
    return { version, items: this.#store.all(kind).filter(buildSelectionMatcher(served, options)) };
  }
}

/** Builds the error for a version that the server has not reached yet. */
export function resourceVersionTooLarge(asked: number, version: number): ApiError {
  const message = `Too large resource version: ${asked}, current: ${version}`;
  const causes = [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }];
  const details = { retryAfterSeconds: 1, causes };
  return new ApiError({ code: 504, reason: 'Timeout', message, details });
}
