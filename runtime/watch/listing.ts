import type { UnreadableObject } from '../client/client.ts';
import { keyOf, type Kind, type Live } from '../kinds/kind.ts';
import type { TimeSlice } from './time-slice.ts';
import { isReached } from './versions.ts';

export interface ListingProps<K extends Kind> {
  /** Throws `WentBack` where the version is older than what was told, and not believed. */
  readonly check: (resourceVersion: string) => void;
  /** Whether a later state of the object was told before the list, be it that it is gone. */
  readonly isPast: (key: string, resourceVersion: string) => boolean;
  readonly store: (object: Live<K>) => void;
  readonly unreadable: (object: UnreadableObject) => void;
  readonly remove: (object: Live<K>) => void;
  /** Of all that is held. */
  readonly keys: () => Iterable<string>;
  readonly drop: (key: string) => void;
  readonly listed: (resourceVersion: string) => void;
}

/**
 * A list of all objects while it comes. What looks older than what was told waits for the end, where it
 * shows whether the list is the past: that of a server that lags behind tells nothing twice, and that of
 * a restored backup everything.
 */
export class Listing<K extends Kind> {
  readonly #props: ListingProps<K>;
  /** The newest version of each object in this list. */
  readonly #seen = new Map<string, string>();
  /** What was in this list, and is gone before its end: the version at which it went. */
  readonly #gone = new Map<string, string>();
  /** What looks older than what was told. */
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

  /** What is there, and cannot be read: what is held of it is not gone. */
  addUnreadable(object: UnreadableObject): void {
    const key = keyOf(object.metadata);
    const version = object.metadata.resourceVersion;
    if (this.#isAlreadySeen(key, version)) return;
    this.#seen.set(key, version);
    this.#late.delete(key);
    this.#props.unreadable(object);
  }

  /** What was added, and is gone before the end of the list. */
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
   * What was not added is gone. Gives the number of objects.
   * @throws {WentBack} where it is older than what was told
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

  /** Whether this list had this state of the object already, or a later one. */
  #isAlreadySeen(key: string, version: string): boolean {
    const seenVersion = this.#seen.get(key) ?? this.#gone.get(key);
    return seenVersion !== undefined && isReached(version, seenVersion);
  }
}
