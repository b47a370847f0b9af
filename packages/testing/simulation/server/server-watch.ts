import { deepFreeze } from '@tenantry/kube/immutable';
import type { WatchEvent, WatchOptions } from '@tenantry/runtime/client/client';
import type { Clock } from '@tenantry/runtime/clock/clock';
import { resourceOf, type Kind } from '@tenantry/runtime/kinds/kind';
import { convertToVersion } from './api.ts';
import { asLive, type ObjectStore, type StoredObject, type StoredChange } from './object-store.ts';
import { resourceVersionTooLarge, buildSelectionMatcher } from './listing.ts';
import type { ServedKind } from './served-kinds.ts';

/** Milliseconds from one bookmark to the next. */
const bookmarkEvery = 60_000;

/** Receives the events of a watch. */
export interface WatchListener {
  event(event: WatchEvent<Kind>): void;
  end(): void;
}

/** One watch on the server: it sends events and bookmarks, and ends after its time. */
export class ServerWatch {
  readonly kind: Kind;
  readonly #options: WatchOptions;
  readonly #selects: (object: StoredObject) => boolean;
  readonly #store: ObjectStore;
  readonly #clock: Clock;
  readonly #hearer: WatchListener;
  #isOpen = true;
  #unfollow = (): void => undefined;
  readonly #cancels: (() => void)[] = [];

  /** @throws {ApiError} for a version that is dropped or not reached, and for an invalid selector */
  constructor(
    kind: Kind,
    served: ServedKind,
    options: WatchOptions,
    deps: { readonly store: ObjectStore; readonly clock: Clock; readonly hearer: WatchListener },
  ) {
    this.kind = kind;
    this.#options = options;
    this.#selects = buildSelectionMatcher(served, options);
    this.#store = deps.store;
    this.#clock = deps.clock;
    this.#hearer = deps.hearer;
    this.#begin();
  }

  /** Sends the last events of the kind again. */
  repeat(count: number): void {
    for (const change of this.#store.last(this.kind, count)) this.#deliverChange(change);
  }

  /** Stops the watch. */
  close(): void {
    this.#isOpen = false;
    this.#unfollow();
    for (const cancel of this.#cancels.splice(0)) cancel();
  }

  #begin(): void {
    const { resourceVersion, sendInitialEvents, timeoutSeconds = 1800 } = this.#options;
    const from = Number(resourceVersion ?? 0);
    if (from > this.#store.version) throw resourceVersionTooLarge(from, this.#store.version);
    const isResumed = !sendInitialEvents && from > 0;
    const missed = isResumed ? this.#store.since(this.kind, from) : [];
    const resource = resourceOf(this.kind);
    this.#unfollow = this.#store.follow((change) => {
      if (change.resource === resource) this.#deliverChange(change);
    });
    if (!isResumed) {
      for (const object of this.#store.all(this.kind)) {
        if (this.#selects(object)) this.#deliver('ADDED', object);
      }
    }
    for (const change of missed) this.#deliverChange(change);
    if (sendInitialEvents) this.#bookmark({ isInitialEventsEnd: true });
    this.#sendBookmarks();
    this.#cancels.push(this.#clock.after(timeoutSeconds * 1000, () => this.#end()));
  }

  #end(): void {
    this.close();
    this.#hearer.end();
  }

  #sendBookmarks(): void {
    const cancel = this.#clock.after(bookmarkEvery, () => {
      this.#cancels.splice(this.#cancels.indexOf(cancel), 1);
      this.#bookmark({ isInitialEventsEnd: false });
      this.#sendBookmarks();
    });
    this.#cancels.push(cancel);
  }

  #bookmark({ isInitialEventsEnd }: { readonly isInitialEventsEnd: boolean }): void {
    const resourceVersion = String(this.#store.version);
    this.#hearer.event({ type: 'BOOKMARK', resourceVersion, isInitialEventsEnd });
  }

  /**
   * Sends a change: an object that leaves the selection is deleted for the watch, one that enters it is
   * added.
   */
  #deliverChange({ type, object, old }: StoredChange): void {
    if (!this.#isOpen) return;
    const was = old !== undefined && this.#selects(old);
    const is = type !== 'DELETED' && this.#selects(object);
    if (is) this.#deliver(was ? 'MODIFIED' : 'ADDED', object);
    else if (was) this.#deliver('DELETED', type === 'DELETED' ? object : withVersion(old, object));
  }

  #deliver(type: 'ADDED' | 'MODIFIED' | 'DELETED', object: StoredObject): void {
    const live = asLive(this.kind, convertToVersion(this.kind, object, this.#options));
    this.#hearer.event({ type, object: live });
  }
}

/** Returns the last selected state, with the version of the state that is not selected. */
function withVersion(
  old: StoredObject,
  { metadata: { resourceVersion } }: StoredObject,
): StoredObject {
  return deepFreeze({ ...old, metadata: { ...old.metadata, resourceVersion } });
}
