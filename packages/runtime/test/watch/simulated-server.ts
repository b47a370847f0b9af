import type { List, ListOptions, Reader, WatchEvent, WatchOptions } from '../../client/client.ts';
import type { Clock } from '../../clock/clock.ts';
import { ApiError } from '../../errors/api-error.ts';
import { Unreachable } from '../../errors/client-errors.ts';
import { keyOf, type Kind, type Live, type ObjectName } from '../../kinds/kind.ts';
import { WatchQueue } from '@tenantry/testing/simulation/server/wire';

export interface ShopFields {
  readonly spec: { readonly size: number };
}

/** The kind that the simulated server serves. */
export const shops: Kind<ShopFields, 'example.com', 'Shop'> = {
  group: 'example.com',
  version: 'v1',
  kind: 'Shop',
  plural: 'shops',
  scope: 'Namespaced',
};

export type Shop = Live<typeof shops>;
type Event = WatchEvent<typeof shops>;
type Change = Extract<Event, { readonly object: unknown }>;

export const gone = (): ApiError =>
  new ApiError({ code: 410, reason: 'Expired', message: 'too old resource version' });

/**
 * An API server of one kind, with its history. It answers at once, and can be made to fail. Like a real one it sends
 * a bookmark a minute, and ends watches after their timeout. It pages lists of one version, and forgets history when
 * it is compacted.
 */
export class SimulatedServer implements Reader {
  /** Whether the server has WatchList. */
  streams = true;
  /** Whether the kind is served. */
  isServed = true;
  /** The errors of the next calls. */
  readonly failures: unknown[] = [];
  /**
   * Whether a watch gets changes older than its start version, as after a restored backup. Kubernetes' own servers
   * send nothing then.
   */
  canSendOlder = false;
  /** The past versions that the next lists return, in pages or in a stream. */
  readonly past: string[] = [];
  /** The number of changes before its version that a resumed watch gets again. */
  duplicates = 0;
  readonly calls: (({ call: 'list' } & ListOptions) | ({ call: 'watch' } & WatchOptions))[] = [];

  readonly #clock: Clock;
  readonly #watches = new Set<Watch>();
  #history: Change[] = [];
  #compacted = 0;
  #hangs = false;
  #version = 100;
  #uids = 0;
  #objects = new Map<string, Shop>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get version(): string {
    return String(this.#version);
  }

  /** The objects by key. */
  get objects(): ReadonlyMap<string, Shop> {
    return this.#objects;
  }

  get history(): readonly Change[] {
    return this.#history;
  }

  get openWatches(): number {
    return this.#watches.size;
  }

  /** While this is set, open and new watches send nothing more, without ending. */
  set hangs(hangs: boolean) {
    this.#hangs = hangs;
    if (hangs) for (const watch of this.#watches) watch.isDead = true;
  }

  /** Creates or changes an object. */
  put(name: ObjectName, size: number, meta: Partial<Shop['metadata']> = {}): Shop {
    const key = keyOf(name);
    const before = this.#objects.get(key);
    const shop: Shop = {
      apiVersion: 'example.com/v1',
      kind: 'Shop',
      metadata: {
        ...(name.namespace !== undefined && { namespace: name.namespace }),
        name: name.name,
        uid: before?.metadata.uid ?? `uid-${(this.#uids += 1)}`,
        resourceVersion: String((this.#version += 1)),
        creationTimestamp: '2026-01-01T00:00:00Z',
        ...meta,
      },
      spec: { size },
    };
    this.#objects.set(key, shop);
    this.#happen({ type: before ? 'MODIFIED' : 'ADDED', object: shop });
    return shop;
  }

  delete(name: ObjectName): void {
    const before = this.#objects.get(keyOf(name));
    if (!before) return;
    this.#objects.delete(keyOf(name));
    const metadata = { ...before.metadata, resourceVersion: String((this.#version += 1)) };
    this.#happen({ type: 'DELETED', object: { ...before, metadata } });
  }

  /** Forgets the history up to now. */
  compact(): void {
    this.#compacted = this.#version;
  }

  /** Raises the version without a change of this kind, as a write of another kind does. */
  writeElsewhere(): void {
    this.#version += 1;
  }

  /** Makes a backup, and returns a function that restores it. */
  backup(): () => void {
    const [version, objects, history] = [
      this.#version,
      new Map(this.#objects),
      [...this.#history],
    ] as const;
    return () => {
      this.#version = version;
      this.#objects = new Map(objects);
      this.#history = [...history];
      this.cut();
    };
  }

  /** Breaks every connection. */
  cut(error: unknown = new Unreachable('the connection was reset')): void {
    for (const watch of this.#watches) watch.fail(error);
  }

  /** Ends every watch, as a server that shuts down. */
  end(): void {
    for (const watch of this.#watches) watch.end();
  }

  /** Sends bookmarks now. */
  bookmark(): void {
    for (const watch of this.#watches) this.#tell(watch, bookmarkAt(this.version));
  }

  async list<K extends Kind>(_kind: K, options: ListOptions = {}): Promise<List<K>> {
    this.calls.push({ call: 'list', ...options });
    this.#refuse();
    const [version = this.past.shift() ?? this.version, after = ''] =
      options.continue?.split(' ') ?? [];
    if (options.continue !== undefined && Number(version) < this.#compacted) throw gone();
    const objects = this.#at(Number(version)).filter(({ metadata }) => keyOf(metadata) > after);
    const items = objects.slice(0, options.limit ?? objects.length);
    const last = items.at(-1);
    return {
      items: items as readonly unknown[] as readonly Live<K>[],
      resourceVersion: version,
      ...(items.length < objects.length &&
        last && { continue: `${version} ${keyOf(last.metadata)}` }),
    };
  }

  watch<K extends Kind>(kind: K, options?: WatchOptions): AsyncIterable<WatchEvent<K>>;
  async *watch(_kind: Kind, options: WatchOptions = {}): AsyncGenerator<Event, void, undefined> {
    this.calls.push({ call: 'watch', ...options });
    this.#refuse();
    const watch = new Watch(options.signal);
    watch.isDead = this.#hangs;
    if (options.sendInitialEvents) {
      if (!this.streams)
        throw new ApiError({ code: 422, message: 'sendInitialEvents is forbidden' });
      const version = this.past.shift() ?? this.version;
      for (const object of this.#at(Number(version))) watch.tell({ type: 'ADDED', object });
      watch.tell({ ...bookmarkAt(version), isInitialEventsEnd: true });
    } else {
      const from = Number(options.resourceVersion);
      watch.from = from;
      if (from < this.#compacted) throw gone();
      const first = this.#history.findIndex((change) => versionOf(change) > from);
      const next = first < 0 ? this.#history.length : first;
      for (const one of this.#history.slice(Math.max(0, next - this.duplicates))) watch.tell(one);
    }
    yield* this.#attend(watch, options.timeoutSeconds ?? 1800);
  }

  async *#attend(watch: Watch, seconds: number): AsyncGenerator<Event, void, undefined> {
    this.#watches.add(watch);
    const cancelEnd = this.#clock.after(seconds * 1000, () => watch.isDead || watch.end());
    let cancelBookmark = (): void => undefined;
    const bookmarks = (): void => {
      this.#tell(watch, bookmarkAt(this.version));
      cancelBookmark = this.#clock.after(60_000, bookmarks);
    };
    cancelBookmark = this.#clock.after(60_000, bookmarks);
    try {
      yield* watch.events();
    } finally {
      this.#watches.delete(watch);
      cancelEnd();
      cancelBookmark();
      watch.close();
    }
  }

  #happen(change: Change): void {
    this.#history.push(change);
    for (const watch of this.#watches) this.#tell(watch, change);
  }

  #tell(watch: Watch, event: Event): void {
    if (this.canSendOlder || this.#version >= watch.from) watch.tell(event);
  }

  #refuse(): void {
    const failure = this.failures.shift();
    if (failure !== undefined) throw failure;
    if (!this.isServed) throw new ApiError({ code: 404, message: 'the server could not find it' });
  }

  #at(version: number): Shop[] {
    const objects = new Map<string, Shop>();
    for (const change of this.#history) {
      if (versionOf(change) > version) break;
      const key = keyOf(change.object.metadata);
      if (change.type === 'DELETED') objects.delete(key);
      else objects.set(key, change.object);
    }
    return [...objects].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, shop]) => shop);
  }
}

const versionOf = ({ object }: Change): number => Number(object.metadata.resourceVersion);

const bookmarkAt = (resourceVersion: string) =>
  ({ type: 'BOOKMARK', resourceVersion, isInitialEventsEnd: false }) as const;

/** A watch that may have died silently. */
class Watch extends WatchQueue<typeof shops> {
  isDead = false;
  /** The version it started with. */
  from = 0;

  tell(event: Event): void {
    if (!this.isDead) this.event(event);
  }
}
