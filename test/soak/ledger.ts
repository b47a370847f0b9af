import type { Clock } from '@tenantry/runtime/clock/clock';
import { compareVersions, isReached } from '@tenantry/runtime/watch/sink-writer';
import type { Shop } from './shops.ts';

interface Entry {
  readonly version: string;
  readonly at: number;
}

/** Keeps every change that must lead to a reconcile, until a reconcile that read it or a later state has succeeded. */
export class Ledger {
  changes = 0;
  deletions = 0;
  reconciles = 0;
  cleanUps = 0;
  /** Milliseconds from each change to the end of the resulting reconcile. */
  readonly lags: number[] = [];
  readonly #clock: Clock;
  /** Open changes by uid, the oldest first. */
  readonly #open = new Map<string, Entry[]>();
  /** Times of deletion by uid. */
  readonly #deleted = new Map<string, number>();
  /** The newest reconciled state by uid, for reconciles that finish before the writer has its answer. */
  readonly #reached = new Map<string, string>();
  readonly #cleaned = new Set<string>();
  /** The uid of the newest shop of each name. */
  readonly #uids = new Map<string, string>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Records that a writer created this state. */
  changed({ metadata: { name, uid, resourceVersion, deletionTimestamp } }: Shop): void {
    this.#uids.set(name, uid);
    // An object that waits for its clean-up is no longer reconciled.
    if (deletionTimestamp !== undefined) return;
    this.changes += 1;
    const reached = this.#reached.get(uid);
    if (reached !== undefined && isReached(resourceVersion, reached)) return void this.lags.push(0);
    const entries = this.#open.get(uid) ?? [];
    this.#open.set(uid, entries);
    // Answers to several writers may arrive in another order than their writes.
    entries.push({ version: resourceVersion, at: this.#clock.now() });
    entries.sort((one, other) => compareVersions(one.version, other.version) ?? 0);
  }

  /** Records a deletion: only the clean-up is now expected. */
  deleted(uid: string): void {
    this.deletions += 1;
    this.#open.delete(uid);
    if (!this.#cleaned.has(uid)) this.#deleted.set(uid, this.#clock.now());
  }

  /** Records that the shop of this name was deleted before it had a finalizer: nothing is expected. */
  vanished(name: string): void {
    this.#open.delete(this.#uids.get(name) ?? '');
  }

  reconciled({ metadata: { uid, resourceVersion } }: Shop): void {
    this.reconciles += 1;
    const reached = this.#reached.get(uid);
    if (reached === undefined || isReached(reached, resourceVersion)) {
      this.#reached.set(uid, resourceVersion);
    }
    const entries = this.#open.get(uid) ?? [];
    const rest = entries.filter((entry) => !this.#isOver(entry, resourceVersion));
    if (rest.length > 0) this.#open.set(uid, rest);
    else this.#open.delete(uid);
  }

  cleanedUp({ metadata: { uid } }: Shop): void {
    this.cleanUps += 1;
    this.#cleaned.add(uid);
    this.#reached.delete(uid);
    const at = this.#deleted.get(uid);
    if (at === undefined) return;
    this.lags.push(this.#clock.now() - at);
    this.#deleted.delete(uid);
  }

  /** Returns the number of changes and deletions that have had no effect so far. */
  get missing(): number {
    const open = this.#open.values().reduce((sum, { length }) => sum + length, 0);
    return open + this.#deleted.size;
  }

  #isOver({ version, at }: Entry, reconciled: string): boolean {
    const isOver = isReached(version, reconciled);
    if (isOver) this.lags.push(this.#clock.now() - at);
    return isOver;
  }
}
