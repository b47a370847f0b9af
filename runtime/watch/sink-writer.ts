import type { UnreadableObject, WatchEvent } from '../client/client.ts';
import { keyOf, type Kind, type Live } from '../kinds/kind.ts';
import { ResourceVersionDecreasedError } from './reflector-event.ts';
import { Listing } from './listing.ts';
import type { Sink } from './sink.ts';
import { compareVersions, isReached } from './versions.ts';

/**
 * So many lists in a row that are older than what was told are not believed: a server may lag behind,
 * and a proxy remember. What is still older then is a restored backup.
 */
const maxOlderLists = 3;

/** What a sink threw where nobody takes its errors. */
export class SinkFailure extends Error {}

/** Tells a sink what it does not hold yet: no state twice, none that is older than what was told. */
export class SinkWriter<K extends Kind> {
  readonly #sink: Sink<K>;
  readonly #onError: ((error: unknown) => void) | undefined;
  readonly #onUnreadable: (key: string, object: UnreadableObject) => void;
  #position: string | undefined;
  /** The last position, be it that it is lost. */
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

  /** All changes up to this version have been told; undefined where all objects must be listed. */
  get position(): string | undefined {
    return this.#position;
  }

  /** What was told may not be what is there: all objects must be listed. */
  invalidate(): void {
    this.#position = undefined;
  }

  /** An event that follows on the position. Whether it was news. */
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

  /** An event of an object that cannot be read, which follows on the position. */
  applyUnreadable(object: UnreadableObject): void {
    const { resourceVersion: version } = object.metadata;
    const { position } = this;
    if (position !== undefined && (compareVersions(version, position) ?? 1) <= 0) return;
    this.#noteUnreadable(object);
    this.#advance(version);
  }

  /** A list of all objects. Until its end nothing that is held is taken for gone. */
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

  /** @throws {ResourceVersionDecreasedError} where a list is older than what was told, unless lists go on to be */
  #check(version: string): void {
    const from = this.#newest;
    if (from === undefined || (compareVersions(version, from) ?? 0) >= 0) return;
    if (this.#olderLists >= maxOlderLists) return;
    this.#olderLists += 1;
    throw new ResourceVersionDecreasedError(from, version);
  }

  /** Whether a later state was told before, be it that it is gone. */
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
