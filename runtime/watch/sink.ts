import type { UnreadableObject } from '../client/client.ts';
import type { Kind, Live, ObjectMeta } from '../kinds/kind.ts';

/**
 * Where a reflection keeps what is on the server. It holds the only copy: by it the reflection knows
 * what it has told.
 */
export interface Sink<K extends Kind> {
  /** What was put there last under this key (`keyOf`), and not dropped since. */
  held(key: string): Pick<ObjectMeta, 'uid' | 'resourceVersion'> | undefined;
  /** Of all that is held. */
  keys(): Iterable<string>;
  /** An object that is not held, or a newer state of it. No state comes twice. */
  put(key: string, object: Live<K>): void;
  /**
   * An object, or its newer state, cannot be read; what is held of it stays. It is put when it can be read, and dropped
   * when it is gone. Until then `held` and `keys` have it.
   * @default - it is nowhere but among the happenings
   */
  unreadable?(key: string, object: UnreadableObject): void;
  /**
   * A held object is gone. One that was deleted and made anew under the same name is dropped before
   * the new one is put. `resourceVersion` is that of the event which told it, where one did.
   */
  drop(key: string, resourceVersion?: string): void;
  /** A list of all objects begins: from here on it shows what was on the server before this call. */
  listing(): void;
  /** The list is complete: what is held is what was there at this version. */
  listed(resourceVersion: string): void;
  /** All changes up to this version have been told. */
  reached(resourceVersion: string): void;
}
