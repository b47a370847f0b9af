import type { Client, UnreadableObject } from '@tenantry/runtime/client/client';
import { ApiError } from '@tenantry/runtime/errors/api-error';
import { TooLarge } from '@tenantry/runtime/errors/client-errors';
import { resourceOf, type Kind, type Live } from '@tenantry/runtime/kinds/kind';
import { UsageError } from '../usage-error.ts';

/** The most requests for the list of one kind, with those that failed. */
export const MAX_REQUESTS = 20;

const FIRST_PAGE = 500;
const USUAL_PAGE = 10_000;
/** From this request on, pages grow without bound, so that a list of any size has an end. */
const LAST_RESORT = 16;

/**
 * Returns the number of objects of a page, by the number of the request. Pages double, because a cluster with few objects
 * should answer fast, and one with many should get few requests: 500, 1,000, ... 10,000. All pages together have 735,000
 * objects.
 * @param request from 1
 */
export function findPageSize(request: number): number {
  const size = Math.min(USUAL_PAGE, FIRST_PAGE * 2 ** (request - 1));
  return request < LAST_RESORT ? size : USUAL_PAGE * 2 ** (request - LAST_RESORT + 1);
}

/** Milliseconds for a page: the largest ones have a hundred megabytes. */
const PAGE_TIMEOUT = 120_000;

/** Reads the objects of a page. What it returns for each is kept, instead of the object. */
interface PageReaders<T> {
  readonly read: (object: Live) => T;
  readonly readUnreadable: (object: UnreadableObject) => T;
}

/**
 * Lists all objects of one kind page by page. A list that the API server has forgotten begins again, and an answer that is
 * too large is requested in smaller pages.
 */
export class KindList<T> {
  readonly kind: Kind;
  readonly #client: Client;
  readonly #readers: PageReaders<T>;
  #items: T[] = [];
  #requests = 0;
  #next: string | undefined;
  /** The size of a page for which an answer was too large. */
  #tooMany = Infinity;

  constructor(client: Client, kind: Kind, readers: PageReaders<T>) {
    this.kind = kind;
    this.#client = client;
    this.#readers = readers;
  }

  /** What the readers returned for the objects so far. */
  get items(): readonly T[] {
    return this.#items;
  }

  /** The number of requests, with repeated ones. */
  get requests(): number {
    return this.#requests;
  }

  /**
   * Requests the next page; returns whether there are more.
   * @throws {UsageError} after too many requests
   * @throws {ApiError} if the API server refuses
   */
  async readPage(): Promise<boolean> {
    const limit = Math.min(
      findPageSize(this.#requests + 1),
      Math.max(1, Math.floor(this.#tooMany / 4)),
    );
    try {
      const unreadable: T[] = [];
      const page = await this.#client.list(this.kind, {
        limit,
        continue: this.#next,
        timeout: PAGE_TIMEOUT,
        permit: () => this.#countRequest(),
        onUnreadable: (one) => unreadable.push(this.#readers.readUnreadable(one)),
      });
      for (const one of page.items) this.#items.push(this.#readers.read(one));
      this.#items.push(...unreadable);
      this.#next = page.continue;
      return this.#next !== undefined;
    } catch (error) {
      if (error instanceof ApiError && error.isExpired && this.#next !== undefined) {
        this.#items = [];
        this.#next = undefined;
      } else if (error instanceof TooLarge && limit > 1) this.#tooMany = limit;
      else throw error;
      return true;
    }
  }

  #countRequest(): void {
    if (this.#requests >= MAX_REQUESTS) {
      throw new UsageError(
        `${resourceOf(this.kind)} must be listed in ${MAX_REQUESTS} requests, which were not enough: import again, or leave the kind out of --kinds`,
      );
    }
    this.#requests += 1;
  }
}
