import type { Immutable, ObjectMeta } from '../kinds/kind.ts';

/** What any cached object has, however little of it is kept. */
export interface Cached {
  readonly metadata: Immutable<ObjectMeta>;
}

/** Under which words objects are found: the names of owners, a field. Pure; asked of what is kept. */
export type Index<O> = (object: O) => readonly string[];

/** Which of the cached objects; those that meet all of it. */
export interface Query<O> {
  /** @default - all */
  readonly namespace?: string | undefined;
  /** As kubectl writes it: `app=shop,tier!=db`. */
  readonly labelSelector?: string | undefined;
  /** An index of the cache, and the word. */
  readonly index?: { readonly by: Index<O>; readonly is: string } | undefined;
}

/** Told in the order in which it happens; once each, and one at a time. */
export interface Handlers<O> {
  /** `isInitial`: it was there when the handlers or the cache began, so it is no news. */
  readonly added?: (object: O, isInitial: boolean) => void;
  readonly changed?: (before: O, now: O) => void;
  /** With the state that was told last. */
  readonly deleted?: (last: O) => void;
}

/** Handlers that are told. */
export interface Subscription {
  /** Resolves when they have been told all that was there; rejects when they or the cache end before. */
  readonly synced: Promise<void>;
  /** From now on they are told nothing. */
  end(): void;
}
