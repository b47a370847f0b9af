import type { TimeSlice } from '../watch/time-slice.ts';
import type { Cached, CacheHandlers, CacheSubscription } from './cached.ts';

/**
 * Handlers of a cache that is there already: told what there is first, then what happens. What happens to
 * an object whose turn has not come yet is told as of any other, after the state that was there.
 */
export class Listener<O extends Cached> implements CacheSubscription {
  readonly synced: Promise<void>;
  readonly #handlers: CacheHandlers<O>;
  readonly #onError: (error: unknown) => void;
  readonly #end: () => void;
  readonly #sync: PromiseWithResolvers<void> = Promise.withResolvers();
  /** What was there at the start, and has not been told yet. */
  readonly #pendingKeys: Set<string>;
  #isCaughtUp = false;
  #hasEnded = false;

  constructor(
    handlers: CacheHandlers<O>,
    there: Iterable<string>,
    callbacks: { readonly onError: (error: unknown) => void; readonly onEnd: () => void },
  ) {
    this.#handlers = handlers;
    this.#pendingKeys = new Set(there);
    this.#onError = callbacks.onError;
    this.#end = callbacks.onEnd;
    this.synced = this.#sync.promise;
    // Who does not ask need not be told that it never came.
    this.synced.catch(() => undefined);
  }

  added(object: O, isInitial: boolean): void {
    this.#callHandler(() => this.#handlers.added?.(object, isInitial));
  }

  changed(key: string, before: O, now: O): void {
    if (this.#pendingKeys.delete(key)) this.added(before, true);
    this.#callHandler(() => this.#handlers.changed?.(before, now));
  }

  deleted(key: string, last: O): void {
    if (this.#pendingKeys.delete(key)) this.added(last, true);
    this.#callHandler(() => this.#handlers.deleted?.(last));
  }

  /** Tells what was there at the start, as it is when its turn comes. */
  async catchUp(get: (key: string) => O | undefined, slice: TimeSlice): Promise<void> {
    for (const key of this.#pendingKeys) {
      this.#pendingKeys.delete(key);
      const object = get(key);
      if (object) this.added(object, true);
      if (slice.isOver) await slice.yieldToOthers();
    }
    this.#isCaughtUp = true;
  }

  /** The cache has been told all that is there; and so have these handlers, once they caught up. */
  sync(): void {
    if (this.#isCaughtUp) this.#sync.resolve();
  }

  end(reason: unknown = new Error('the subscription has ended')): void {
    this.#hasEnded = true;
    this.#pendingKeys.clear();
    this.#sync.reject(reason);
    this.#end();
  }

  #callHandler(run: () => void): void {
    if (this.#hasEnded) return;
    try {
      run();
    } catch (error) {
      this.#onError(error);
    }
  }
}
