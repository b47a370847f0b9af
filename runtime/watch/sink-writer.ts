import type { UnreadableObject, WatchEvent } from '../client/client.ts';
import { keyOf, type Kind, type Live } from '../kinds/kind.ts';
import { ResourceVersionDecreasedError } from './reflector-event.ts';
import { Listing } from './listing.ts';
import type { Sink } from './sink.ts';
import { compareVersions, isReached } from './versions.ts';

/**
 * The number of consecutive lists that are rejected because they are older than delivered states: a server may lag
 * behind, and a proxy may cache. After that it must be a restored backup.
 */
const maxOlderLists = 3;

/** An error of a sink without `onError`. */
export class SinkFailure extends Error {}

/** Delivers to a sink what it does not hold yet: no state twice, and none older than a delivered one. */
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

  /** Begins a list of all objects. Until its end no held object counts as gone. */
  beginList(): Listing<K> {
    this.invalidate();
    this.#callSink(() => this.#sink.listing());
    return new Listing<K>({
      check: (version) => this.#check(version),
      isPast: (key, version) => this.#isOutdated(key, version),
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
    const held = this.#sink.held(key);
    if (held) return (compareVersions(version, held.resourceVersion) ?? 0) < 0;
    return this.#newest !== undefined && isReached(version, this.#newest);
  }

  #store(object: Live<K>): void {
    const { uid, resourceVersion } = object.metadata;
    const key = keyOf(object.metadata);
    const held = this.#sink.held(key);
    if (held !== undefined && held.uid !== uid) this.#callSink(() => this.#sink.drop(key));
    else if (held?.resourceVersion === resourceVersion) return;
    this.#callSink(() => this.#sink.put(key, object));
  }

  #noteUnreadable(object: UnreadableObject): void {
    const key = keyOf(object.metadata);
    const held = this.#sink.held(key);
    if (held !== undefined && held.uid !== object.metadata.uid) {
      this.#callSink(() => this.#sink.drop(key));
    }
    this.#callSink(() => this.#sink.unreadable?.(key, object));
    this.#onUnreadable(key, object);
  }

  #remove(object: Live<K>): void {
    const { uid, resourceVersion } = object.metadata;
    const key = keyOf(object.metadata);
    if (this.#sink.held(key)?.uid !== uid) return;
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
