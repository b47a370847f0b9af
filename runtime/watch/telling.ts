import type { WatchEvent } from '../client/client.ts';
import { keyOf, type Kind, type Live } from '../kinds/kind.ts';
import type { Breath } from './breath.ts';
import { WentBack } from './happening.ts';
import type { Sink } from './sink.ts';
import { compareVersions } from './versions.ts';

/** What a sink threw where nobody takes its errors. */
export class SinkFailure extends Error {}

/** Tells a sink what it does not hold yet: no state twice, none that is older than what was told. */
export class Telling<K extends Kind> {
  readonly #sink: Sink<K>;
  readonly #onError: ((error: unknown) => void) | undefined;
  #position: string | undefined;

  constructor(sink: Sink<K>, onError: ((error: unknown) => void) | undefined) {
    this.#sink = sink;
    this.#onError = onError;
  }

  /** All changes up to this version have been told; undefined where all objects must be listed. */
  get position(): string | undefined {
    return this.#position;
  }

  /** What was told may not be what is there: all objects must be listed. */
  lose(): void {
    this.#position = undefined;
  }

  /** An event that follows on the position. Whether it was news. */
  event(event: WatchEvent<K>): boolean {
    const isBookmark = event.type === 'BOOKMARK';
    const version = isBookmark ? event.resourceVersion : event.object.metadata.resourceVersion;
    const order = this.#position === undefined ? 1 : compareVersions(version, this.#position);
    if (isBookmark) {
      if (this.#position !== undefined && order !== undefined && order < 0) {
        throw new WentBack(this.#position, version);
      }
    } else {
      if (order !== undefined && order <= 0) return false;
      if (event.type === 'DELETED') this.#remove(event.object);
      else this.#store(event.object);
    }
    this.#reach(version);
    return true;
  }

  /** A list of all objects. Until its end nothing that is held is taken for gone. */
  list(): Listing<K> {
    this.lose();
    this.#tell(() => this.#sink.listing());
    const seen = new Set<string>();
    return {
      add: (object) => void seen.add(this.#store(object)),
      remove: (object) => void seen.delete(this.#remove(object)),
      end: async (resourceVersion, breath) => {
        for (const key of [...this.#sink.keys()].filter((key) => !seen.has(key))) {
          this.#tell(() => this.#sink.drop(key));
          if (breath.isDue) await breath.take();
        }
        this.#tell(() => this.#sink.listed(resourceVersion));
        this.#reach(resourceVersion);
        return seen.size;
      },
    };
  }

  #store(object: Live<K>): string {
    const { uid, resourceVersion } = object.metadata;
    const key = keyOf(object.metadata);
    const held = this.#sink.held(key);
    if (held !== undefined && held.uid !== uid) this.#tell(() => this.#sink.drop(key));
    else if (held?.resourceVersion === resourceVersion) return key;
    this.#tell(() => this.#sink.put(key, object));
    return key;
  }

  #remove(object: Live<K>): string {
    const key = keyOf(object.metadata);
    if (this.#sink.held(key)?.uid === object.metadata.uid) this.#tell(() => this.#sink.drop(key));
    return key;
  }

  #reach(version: string): void {
    this.#position = version;
    this.#tell(() => this.#sink.reached(version));
  }

  #tell(run: () => void): void {
    try {
      run();
    } catch (error) {
      if (!this.#onError) throw new SinkFailure('the sink threw', { cause: error });
      this.#onError(error);
    }
  }
}

export interface Listing<K extends Kind> {
  add(object: Live<K>): void;
  /** What was added, and is gone before the end of the list. */
  remove(object: Live<K>): void;
  /** What was not added is gone. Gives the number of objects. */
  end(resourceVersion: string, breath: Breath): Promise<number>;
}
