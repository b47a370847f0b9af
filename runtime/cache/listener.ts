import type { TimeSlice } from '../watch/time-slice.ts';
import type { Cached, CacheHandlers, CacheSubscription } from './cached.ts';

/**
 * Handlers of an existing cache. They are called for the existing objects first, then for changes. If an object changes
 * before its turn, the change is delivered like any other, after the state that existed before.
 */
export class Listener<O extends Cached> implements CacheSubscription {
  readonly synced: Promise<void>;
  readonly #handlers: CacheHandlers<O>;
  readonly #onError: (error: unknown) => void;
  readonly #end: () => void;
  readonly #sync: PromiseWithResolvers<void> = Promise.withResolvers();
  /** Keys of initial objects that have not been delivered yet. */
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
    // Avoids an unhandled rejection if nobody uses `synced`.
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

  /** Delivers the initial objects, each in its state when its turn comes. */
  async catchUp(get: (key: string) => O | undefined, slice: TimeSlice): Promise<void> {
    for (const key of this.#pendingKeys) {
      this.#pendingKeys.delete(key);
      const object = get(key);
      if (object) this.added(object, true);
      if (slice.isOver) await slice.yieldToOthers();
    }
    this.#isCaughtUp = true;
  }

  /** The cache has delivered everything, and so have these handlers once they have caught up. */
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
