import type { Immutable, Live, ObjectMeta } from '../kinds/kind.ts';

/** What any cached object has, however little of it is kept. */
export interface Cached {
  readonly metadata: Immutable<ObjectMeta>;
}

/**
 * Under which words objects are found: the names of owners, a field. Pure; asked of what is kept. An index
 * is kept for each function, so it must be one for all calls, and not made anew in each.
 */
export type CacheIndex<O extends Cached = Live> = (object: O) => readonly string[];

/** Which of the cached objects; those that meet all of it. */
export interface CachedSelection<O extends Cached = Live> {
  /** @default - all */
  readonly namespace?: string | undefined;
  /** As kubectl writes it: `app=shop,tier!=db`. @default - all */
  readonly labelSelector?: string | undefined;
  /** An index of the cache, and the word. @default - all */
  readonly index?: { readonly by: CacheIndex<O>; readonly is: string } | undefined;
}

/** Told in the order in which it happens; once each, and one at a time. */
export interface CacheHandlers<O extends Cached = Live> {
  /** `isInitial`: it was there when the handlers or the cache began, so it is no news. */
  readonly added?: (object: O, isInitial: boolean) => void;
  readonly changed?: (before: O, now: O) => void;
  /** With the state that was told last. */
  readonly deleted?: (last: O) => void;
}

/** Handlers that are told. */
export interface CacheSubscription {
  /** Resolves when they have been told all that was there; rejects when they or the cache end before. */
  readonly synced: Promise<void>;
  /** From now on they are told nothing. */
  end(): void;
}
