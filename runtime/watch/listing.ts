import type { UnreadableObject } from '../client/client.ts';
import { keyOf, type Kind, type Live } from '../kinds/kind.ts';
import type { TimeSlice } from './time-slice.ts';
import { isReached } from './versions.ts';

export interface ListingProps<K extends Kind> {
  /**
   * Throws a `ResourceVersionDecreasedError` if the version is older than what was delivered, and must not be accepted.
   */
  readonly check: (resourceVersion: string) => void;
  /** Whether a later state or the deletion of the object was delivered before the list. */
  readonly isPast: (key: string, resourceVersion: string) => boolean;
  readonly store: (object: Live<K>) => void;
  readonly unreadable: (object: UnreadableObject) => void;
  readonly remove: (object: Live<K>) => void;
  /** Returns the keys of all held objects. */
  readonly keys: () => Iterable<string>;
  readonly drop: (key: string) => void;
  readonly listed: (resourceVersion: string) => void;
}

/**
 * A list of all objects in progress. Objects that look older than delivered states are kept until the end, which shows
 * whether the list is outdated. A list of a server that lags behind then delivers no state twice, and a list of a
 * restored backup delivers everything.
 */
export class Listing<K extends Kind> {
  readonly #props: ListingProps<K>;
  /** The newest version of each object in this list. */
  readonly #seen = new Map<string, string>();
  /** Objects of this list that were deleted before its end, with the version of their deletion. */
  readonly #gone = new Map<string, string>();
  /** Objects that look older than their delivered states. */
  readonly #late = new Map<string, Live<K>>();

  constructor(props: ListingProps<K>) {
    this.#props = props;
  }

  add(object: Live<K>): void {
    const key = keyOf(object.metadata);
    const version = object.metadata.resourceVersion;
    if (this.#isAlreadySeen(key, version)) return;
    this.#seen.set(key, version);
    this.#late.delete(key);
    if (this.#props.isPast(key, version)) this.#late.set(key, object);
    else this.#props.store(object);
  }

  /** Adds an object that exists and cannot be read; a held state of it stays. */
  addUnreadable(object: UnreadableObject): void {
    const key = keyOf(object.metadata);
    const version = object.metadata.resourceVersion;
    if (this.#isAlreadySeen(key, version)) return;
    this.#seen.set(key, version);
    this.#late.delete(key);
    this.#props.unreadable(object);
  }

  /** Removes an object that was added and is deleted before the end of the list. */
  remove(object: Live<K>): void {
    const key = keyOf(object.metadata);
    const version = object.metadata.resourceVersion;
    if (this.#isAlreadySeen(key, version)) return;
    this.#seen.delete(key);
    this.#late.delete(key);
    this.#gone.set(key, version);
    this.#props.remove(object);
  }

  /**
   * Ends the list. Objects that were not added are gone. Returns the number of objects.
   * @throws {ResourceVersionDecreasedError} if it is older than what was delivered
   */
  async end(resourceVersion: string, slice: TimeSlice): Promise<number> {
    this.#props.check(resourceVersion);
    for (const object of this.#late.values()) {
      this.#props.store(object);
      if (slice.isOver) await slice.yieldToOthers();
    }
    for (const key of [...this.#props.keys()].filter((key) => !this.#seen.has(key))) {
      this.#props.drop(key);
      if (slice.isOver) await slice.yieldToOthers();
    }
    this.#props.listed(resourceVersion);
    return this.#seen.size;
  }

  /** Whether this list already contained this state of the object, or a later one. */
  #isAlreadySeen(key: string, version: string): boolean {
    const seenVersion = this.#seen.get(key) ?? this.#gone.get(key);
    return seenVersion !== undefined && isReached(version, seenVersion);
  }
}
