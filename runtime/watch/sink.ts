import type { UnreadableObject } from '../client/client.ts';
import type { Kind, Live, ObjectMeta } from '../kinds/kind.ts';

/**
 * The destination of a reflection. It holds the only copy of the objects; from it the reflection knows what it has
 * delivered.
 */
export interface Sink<K extends Kind> {
  /** Returns the last object that was put under this key (`keyOf`) and not dropped since. */
  held(key: string): Pick<ObjectMeta, 'uid' | 'resourceVersion'> | undefined;
  /** Returns the keys of all held objects. */
  keys(): Iterable<string>;
  /** Adds an object, or replaces it by a newer state. No state comes twice. */
  put(key: string, object: Live<K>): void;
  /**
   * Reports an object whose newest state cannot be read. A held state of it stays. The object is put once it can be
   * read, and dropped once it is gone. Until then `held` and `keys` include it.
   * @default - only the observer is notified
   */
  unreadable?(key: string, object: UnreadableObject): void;
  /**
   * Removes an object that is gone. An object that was deleted and created again under the same name is dropped before
   * the new one is put. `resourceVersion` is the version of the deletion event, if there was one.
   */
  drop(key: string, resourceVersion?: string): void;
  /** A list of all objects begins. It shows everything that was on the server before this call. */
  listing(): void;
  /** The list is complete: the held objects are those of this version. */
  listed(resourceVersion: string): void;
  /** All changes up to this version have been delivered. */
  reached(resourceVersion: string): void;
}
