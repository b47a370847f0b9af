import { compareVersions, isReached } from '../watch/sink-writer.ts';
import type { Cached } from './cached.ts';

type OwnWrite<O> =
  | {
      readonly type: 'written';
      readonly object: O;
      readonly version: string;
      readonly list: number;
    }
  /** Nothing that the cache selects. For a deletion, `uid` is that of the deleted object. */
  | {
      readonly type: 'hidden';
      readonly uid?: string;
      /** The state that was read before. */
      readonly last?: O | undefined;
      readonly version: string;
      readonly list: number;
    };

/** An object that this program created and that was gone before any watch or list showed it. */
export interface UnobservedObject<O> {
  readonly key: string;
  readonly last: O;
}

/**
 * The writes of this program that the watch has not delivered yet (the idea of KEP-5647), so that a controller reads
 * its own writes. A write is released once the watch has delivered this state or a newer one, or once a list that began
 * after it is complete.
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
   * Records a write. `now` is what reads see; `object` is what is kept of the server's answer, undefined if it is not
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

  /** Records that a deletion of `now` was accepted. An object that already waits for its finalizers stays visible. */
  recordDeletion(key: string, now: O): void {
    const { uid, deletionTimestamp, resourceVersion } = now.metadata;
    if (deletionTimestamp !== undefined) return;
    const [version, list] = [resourceVersion, this.#lists];
    this.#writes.set(key, { type: 'hidden', uid, last: now, version, list });
  }

  put(key: string, { uid, resourceVersion, deletionTimestamp }: Cached['metadata']): void {
    const write = this.#writes.get(key);
    if (!write) return;
    const isObserved =
      write.type === 'hidden' && write.uid !== undefined
        ? isDeletionOf(write, uid)
          ? deletionTimestamp !== undefined
          : // A state of an earlier object of the same name does not confirm the deletion either.
            !isOlder(resourceVersion, write.version)
        : isReached(write.version, resourceVersion);
    if (isObserved) this.#writes.delete(key);
  }

  /**
   * The watch has reported that the object is gone or left the selection. A later own write has then brought it back.
   */
  drop(key: string, { uid }: Cached['metadata'], resourceVersion?: string): void {
    const write = this.#writes.get(key);
    if (!write || uidOf(write) !== uid) return;
    const isLater = (compareVersions(write.version, resourceVersion ?? '') ?? 0) > 0;
    if (!isLater || isDeletionOf(write, uid)) this.#writes.delete(key);
  }

  /**
   * The watch has delivered everything up to this version; `has` returns whether an object exists according to it.
   * Returns the last reads of objects that are gone and of which it never reported anything.
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

  /** A list shows everything that was written before it began. Returns the same as `reached`. */
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

/** A state of a deleted object without a deletionTimestamp is older than the deletion. */
function isDeletionOf(write: OwnWrite<unknown>, uid: string): boolean {
  return write.type === 'hidden' && write.uid === uid;
}

function isOlder(version: string, other: string): boolean {
  return (compareVersions(version, other) ?? 0) < 0;
}

function uidOf(write: OwnWrite<Cached>): string | undefined {
  if (write.type === 'written') return write.object.metadata.uid;
  return write.uid ?? write.last?.metadata.uid;
}
