import type { UnreadableObject, WatchEvent } from '../client/client.ts';
import { keyOf, type Kind, type Live } from '../kinds/kind.ts';
import { ResourceVersionDecreasedError } from './failures.ts';
import type { Sink } from './options.ts';
import type { TimeSlice } from '../clock/pacing.ts';

/**
 * The number of consecutive lists that are rejected because they are older than delivered states: a server may lag
 * behind, and a proxy may cache. After that it must be a restored backup.
 */
const maxOlderLists = 3;

/** An error of a sink without `onError`. */
export class SinkFailure extends Error {}

/** Delivers to a sink what it does not have yet: no state twice, and none older than a delivered one. */
export class SinkWriter<K extends Kind> {
  readonly #sink: Sink<K>;
  readonly #onError: ((error: unknown) => void) | undefined;
  readonly #onUnreadable: (key: string, object: UnreadableObject) => void;
  #position: string | undefined;
  /** The last position, even if it is no longer valid. */
  #newest: string | undefined;
  #olderLists = 0;

  constructor(
    sink: Sink<K>,
    onError: ((error: unknown) => void) | undefined,
    onUnreadable: (key: string, object: UnreadableObject) => void,
  ) {
    this.#sink = sink;
    this.#onError = onError;
    this.#onUnreadable = onUnreadable;
  }

  /** The version up to which all changes have been delivered; undefined if all objects must be listed. */
  get position(): string | undefined {
    return this.#position;
  }

  /** Invalidates the position: delivered states may be outdated, so all objects must be listed. */
  invalidate(): void {
    this.#position = undefined;
  }

  /** Applies an event that follows the position. Returns whether it contained a new state. */
  applyEvent(event: WatchEvent<K>): boolean {
    const isBookmark = event.type === 'BOOKMARK';
    const version = isBookmark ? event.resourceVersion : event.object.metadata.resourceVersion;
    const order = this.#position === undefined ? 1 : compareVersions(version, this.#position);
    if (isBookmark) {
      if (this.#position !== undefined && order !== undefined && order < 0) {
        throw new ResourceVersionDecreasedError(this.#position, version);
      }
    } else {
      if (order !== undefined && order <= 0) return false;
      if (event.type === 'DELETED') this.#remove(event.object);
      else this.#store(event.object);
    }
    this.#advance(version);
    return true;
  }

  /** Applies an event of an unreadable object that follows the position. */
  applyUnreadable(object: UnreadableObject): void {
    const { resourceVersion: version } = object.metadata;
    const { position } = this;
    if (position !== undefined && (compareVersions(version, position) ?? 1) <= 0) return;
    this.#noteUnreadable(object);
    this.#advance(version);
  }

  /** Begins a list of all objects. Until its end no stored object counts as gone. */
  beginList(): Listing<K> {
    this.invalidate();
    this.#callSink(() => this.#sink.listing());
    return new Listing<K>({
      check: (version) => this.#check(version),
      isOutdated: (key, version) => this.#isOutdated(key, version),
      store: (object) => this.#store(object),
      unreadable: (object) => this.#noteUnreadable(object),
      remove: (object) => this.#remove(object),
      keys: () => this.#sink.keys(),
      drop: (key) => this.#callSink(() => this.#sink.drop(key)),
      listed: (version) => {
        this.#callSink(() => this.#sink.listed(version));
        this.#olderLists = 0;
        this.#advance(version);
      },
    });
  }

  /**
   * @throws {ResourceVersionDecreasedError} for a list that is older than delivered states, unless lists stay that old
   */
  #check(version: string): void {
    const from = this.#newest;
    if (from === undefined || (compareVersions(version, from) ?? 0) >= 0) return;
    if (this.#olderLists >= maxOlderLists) return;
    this.#olderLists += 1;
    throw new ResourceVersionDecreasedError(from, version);
  }

  /** Whether a later state or the deletion was delivered before. */
  #isOutdated(key: string, version: string): boolean {
    const stored = this.#sink.getMetadata(key);
    if (stored) return (compareVersions(version, stored.resourceVersion) ?? 0) < 0;
    return this.#newest !== undefined && isReached(version, this.#newest);
  }

  #store(object: Live<K>): void {
    const { uid, resourceVersion } = object.metadata;
    const key = keyOf(object.metadata);
    const stored = this.#sink.getMetadata(key);
    if (stored !== undefined && stored.uid !== uid) this.#callSink(() => this.#sink.drop(key));
    else if (stored?.resourceVersion === resourceVersion) return;
    this.#callSink(() => this.#sink.put(key, object));
  }

  #noteUnreadable(object: UnreadableObject): void {
    const key = keyOf(object.metadata);
    const stored = this.#sink.getMetadata(key);
    if (stored !== undefined && stored.uid !== object.metadata.uid) {
      this.#callSink(() => this.#sink.drop(key));
    }
    this.#callSink(() => this.#sink.unreadable?.(key, object));
    this.#onUnreadable(key, object);
  }

  #remove(object: Live<K>): void {
    const { uid, resourceVersion } = object.metadata;
    const key = keyOf(object.metadata);
    if (this.#sink.getMetadata(key)?.uid !== uid) return;
    this.#callSink(() => this.#sink.drop(key, resourceVersion));
  }

  #advance(version: string): void {
    this.#position = version;
    this.#newest = version;
    this.#callSink(() => this.#sink.reached(version));
  }

  #callSink(run: () => void): void {
    try {
      run();
    } catch (error) {
      if (!this.#onError) throw new SinkFailure('the sink threw', { cause: error });
      this.#onError(error);
    }
  }
}

interface ListingProps<K extends Kind> {
  /**
   * Throws a `ResourceVersionDecreasedError` if the version is older than what was delivered, and must not be accepted.
   */
  readonly check: (resourceVersion: string) => void;
  /** Whether a later state or the deletion of the object was delivered before the list. */
  readonly isOutdated: (key: string, resourceVersion: string) => boolean;
  readonly store: (object: Live<K>) => void;
  readonly unreadable: (object: UnreadableObject) => void;
  readonly remove: (object: Live<K>) => void;
  /** Returns the keys of all stored objects. */
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
    if (this.#props.isOutdated(key, version)) this.#late.set(key, object);
    else this.#props.store(object);
  }

  /** Adds an object that exists and cannot be read; a stored state of it stays. */
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

const decimal = /^[1-9][0-9]*$/;

/**
 * Compares two resourceVersions of one kind: below 0 if the first is older. They are decimal numbers of any length and
 * can be compared as such (KEP-5504, verified by conformance tests since Kubernetes 1.35). Returns undefined if one is
 * not a number, as is possible with aggregated API servers.
 */
export function compareVersions(one: string, other: string): number | undefined {
  if (one === other) return 0;
  if (!decimal.test(one) || !decimal.test(other)) return undefined;
  return one.length - other.length || (one < other ? -1 : 1);
}

/** Whether a state at `version` was delivered, given that all up to `reached` were. */
export function isReached(version: string, reached: string): boolean {
  return (compareVersions(version, reached) ?? 1) <= 0;
}
