import { isReached } from '../watch/versions.ts';
import type { Cached } from './cached.ts';

/** What an own write left under a key. */
export type OwnWrite<O> =
  | {
      readonly type: 'written';
      readonly object: O;
      readonly version: string;
      readonly list: number;
    }
  /** Nothing that the cache selects; of a deletion with the uid of what is deleted. */
  | {
      readonly type: 'hidden';
      readonly uid?: string;
      readonly version: string;
      readonly list: number;
    };

/**
 * What this program wrote and the watch has not told yet (the idea of KEP-5647), so that a controller
 * reads what it did. A write is let go as soon as the watch has told this state or a newer one, or as
 * a list that was begun after it is complete.
 */
export class OwnWrites<O extends Cached> {
  readonly #writes = new Map<string, OwnWrite<O>>();
  #reached: string | undefined;
  #lists = 0;

  get(key: string): OwnWrite<O> | undefined {
    return this.#writes.get(key);
  }

  entries(): Iterable<[string, OwnWrite<O>]> {
    return this.#writes;
  }

  /** `now` is what reads see, `object` what the server answered; undefined if it is not selected. */
  written(key: string, version: string, object: O | undefined, now: O | undefined): void {
    if (this.#reached !== undefined && isReached(version, this.#reached)) return;
    const known = this.#writes.get(key)?.version ?? now?.metadata.resourceVersion;
    if (known !== undefined && isReached(version, known)) return;
    const list = this.#lists;
    if (object) this.#writes.set(key, { type: 'written', object, version, list });
    else this.#writes.set(key, { type: 'hidden', version, list });
  }

  /** A deletion of `now` was accepted. What already waits for its finalizers goes on doing so. */
  deleted(key: string, { uid, deletionTimestamp, resourceVersion }: Cached['metadata']): void {
    if (deletionTimestamp !== undefined) return;
    const [version, list] = [resourceVersion, this.#lists];
    this.#writes.set(key, { type: 'hidden', uid, version, list });
  }

  /** The watch told a state. */
  put(key: string, { uid, resourceVersion, deletionTimestamp }: Cached['metadata']): void {
    const write = this.#writes.get(key);
    if (!write) return;
    // A state without a deletionTimestamp is older than the deletion.
    const isTold =
      write.type === 'hidden' && write.uid !== undefined
        ? uid !== write.uid || deletionTimestamp !== undefined
        : isReached(write.version, resourceVersion);
    if (isTold) this.#writes.delete(key);
  }

  /** The watch told that it is gone. */
  drop(key: string, { uid }: Cached['metadata']): void {
    const write = this.#writes.get(key);
    if (write && (write.type === 'written' ? write.object.metadata.uid : write.uid) === uid) {
      this.#writes.delete(key);
    }
  }

  /** The watch told all up to this version; `has` says what it told to be there. */
  reached(version: string, has: (key: string) => boolean): void {
    this.#reached = version;
    for (const [key, write] of this.#writes) {
      const isDeletion = write.type === 'hidden' && write.uid !== undefined;
      if (isReached(write.version, version) && !(isDeletion && has(key))) this.#writes.delete(key);
    }
  }

  listing(): void {
    this.#lists += 1;
  }

  /** The list shows whatever was written before it began. */
  listed(): void {
    for (const [key, { list }] of this.#writes) if (list < this.#lists) this.#writes.delete(key);
  }
}
