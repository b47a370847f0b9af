import { compareVersions, isReached } from '../watch/versions.ts';
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
      /** What was read before. */
      readonly last?: O | undefined;
      readonly version: string;
      readonly list: number;
    };

/** An object that this program made, and that was gone before any watch or list showed it. */
export interface UnobservedObject<O> {
  readonly key: string;
  readonly last: O;
}

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

  /**
   * `now` is what reads see, `object` what is kept of what the server answered; undefined if it is not
   * selected.
   */
  recordWrite(
    key: string,
    { uid, resourceVersion: version, deletionTimestamp }: Cached['metadata'],
    object: O | undefined,
    now: O | undefined,
  ): void {
    if (this.#reached !== undefined && isReached(version, this.#reached)) return;
    const before = this.#writes.get(key);
    if (before && isDeletionOf(before, uid) && deletionTimestamp === undefined) return;
    const known = before?.version ?? now?.metadata.resourceVersion;
    if (known !== undefined && isReached(version, known)) return;
    const list = this.#lists;
    if (object) this.#writes.set(key, { type: 'written', object, version, list });
    else this.#writes.set(key, { type: 'hidden', last: now, version, list });
  }

  /** A deletion of `now` was accepted. What already waits for its finalizers goes on doing so. */
  recordDeletion(key: string, now: O): void {
    const { uid, deletionTimestamp, resourceVersion } = now.metadata;
    if (deletionTimestamp !== undefined) return;
    const [version, list] = [resourceVersion, this.#lists];
    this.#writes.set(key, { type: 'hidden', uid, last: now, version, list });
  }

  /** The watch told a state. */
  put(key: string, { uid, resourceVersion, deletionTimestamp }: Cached['metadata']): void {
    const write = this.#writes.get(key);
    if (!write) return;
    const isObserved =
      write.type === 'hidden' && write.uid !== undefined
        ? isDeletionOf(write, uid)
          ? deletionTimestamp !== undefined
          : // Nor does a state of an object that had the name before say anything of the deletion.
            !isOlder(resourceVersion, write.version)
        : isReached(write.version, resourceVersion);
    if (isObserved) this.#writes.delete(key);
  }

  /** The watch told that it is gone, or left the selection: a later write has brought it back then. */
  drop(key: string, { uid }: Cached['metadata'], resourceVersion?: string): void {
    const write = this.#writes.get(key);
    if (!write || uidOf(write) !== uid) return;
    const isLater = (compareVersions(write.version, resourceVersion ?? '') ?? 0) > 0;
    if (!isLater || isDeletionOf(write, uid)) this.#writes.delete(key);
  }

  /**
   * The watch told all up to this version; `has` says what it told to be there. Gives what was read of
   * objects that are gone, and of which it told nothing.
   */
  reached(version: string, has: (key: string) => boolean): UnobservedObject<O>[] {
    this.#reached = version;
    return this.#releaseWrites(has, (key, write) => {
      const isDeletion = write.type === 'hidden' && write.uid !== undefined;
      return isReached(write.version, version) && !(isDeletion && has(key));
    });
  }

  listing(): void {
    this.#lists += 1;
  }

  /** The list shows whatever was written before it began. Gives the same as `reached`. */
  listed(has: (key: string) => boolean): UnobservedObject<O>[] {
    return this.#releaseWrites(has, (_, { list }) => list < this.#lists);
  }

  #releaseWrites(
    has: (key: string) => boolean,
    isOver: (key: string, write: OwnWrite<O>) => boolean,
  ): UnobservedObject<O>[] {
    const unobserved: UnobservedObject<O>[] = [];
    for (const [key, write] of this.#writes) {
      if (!isOver(key, write)) continue;
      this.#writes.delete(key);
      const last = write.type === 'written' ? write.object : write.last;
      if (last && !has(key)) unobserved.push({ key, last });
    }
    return unobserved;
  }
}

/** Of an object that was deleted, a state without a deletionTimestamp is older than that. */
function isDeletionOf(write: OwnWrite<unknown>, uid: string): boolean {
  return write.type === 'hidden' && write.uid === uid;
}

function isOlder(version: string, other: string): boolean {
  return (compareVersions(version, other) ?? 0) < 0;
}

/** Of the object that was written, or is no longer read. */
function uidOf(write: OwnWrite<Cached>): string | undefined {
  if (write.type === 'written') return write.object.metadata.uid;
  return write.uid ?? write.last?.metadata.uid;
}
