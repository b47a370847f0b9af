import type {
  Client,
  List,
  MergePatch,
  WatchEvent,
  WatchOptions,
  WriteOptions,
} from '../../../runtime/client/client.ts';
import type { Caches, CacheWish, OpenedCache } from '../../../runtime/controller/caches.ts';
import { ApiError } from '../../../runtime/errors/apierror.ts';
import { Pod } from '../../../runtime/kinds/core.ts';
import {
  apiVersionOf,
  keyOf,
  resourceOf,
  type FieldsOf,
  type Kind,
  type Live,
  type ObjectName,
  type Written,
} from '../../../runtime/kinds/kind.ts';
import { MemoryCache, type Heard } from './memorycache.ts';

type Json = { [name: string]: unknown };

/**
 * As much of an API server as a controller notices: versions, conflicts, generations, finalizers. Its
 * caches hear of a change at once, or, while `isSilent`, when `tell` is called.
 */
export class MemoryCluster implements Client, Caches {
  readonly #objects = new Map<string, Live>();
  readonly #caches = new Map<string, MemoryCache[]>();
  readonly #untold: (() => void)[] = [];
  readonly #told: {
    readonly version: number;
    readonly resource: string;
    readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
    readonly object: Live;
  }[] = [];
  #watchers: (() => void)[] = [];
  #version = 0;
  /** `create namespaces shop`, in order. */
  readonly calls: string[] = [];
  /** Options of the calls, by the same index. */
  readonly options: (WriteOptions | undefined)[] = [];
  isSilent = false;
  /** Whether objects count the changes of their spec. */
  hasGenerations = true;
  /** Kinds whose caches are not synced before this resolves. */
  readonly syncing = new Map<string, Promise<void>>();
  /** Resources that are not served to lists and watches. */
  readonly missing = new Set<string>();
  /** Asked before each call; what it throws is the answer. */
  before: (call: string) => void | Promise<void> = () => {};
  /** What was opened, and how many of them were closed. */
  readonly wishes: (CacheWish & { readonly resource: string })[] = [];
  closed = 0;

  /** The caches that were opened of a kind. */
  cachesOf(kind: Kind): readonly MemoryCache[] {
    return this.#caches.get(resourceOf(kind)) ?? [];
  }

  /** As somebody else does it: no call is noted. */
  put<K extends Kind>(kind: K, object: Written<K>): Live<K> {
    const old = this.#objects.get(idOf(kind, nameIn(object)));
    const metadata = { ...old?.metadata, ...object.metadata };
    return this.#store(kind, { ...old, ...object, metadata }, old);
  }

  remove(kind: Kind, name: ObjectName): void {
    const old = this.#find(kind, name);
    if ((old.metadata.finalizers ?? []).length === 0) return this.#drop(kind, old);
    if (old.metadata.deletionTimestamp !== undefined) return;
    const deletionTimestamp = '2026-01-01T00:00:00Z';
    this.#store(kind, { ...old, metadata: { ...old.metadata, deletionTimestamp } }, old);
  }

  peek<K extends Kind>(kind: K, name: ObjectName): Live<K> | undefined {
    return this.#objects.get(idOf(kind, name)) as Live<K> | undefined;
  }

  tell(): void {
    for (const event of this.#untold.splice(0)) event();
  }

  async get<K extends Kind>(kind: K, name: ObjectName, options?: WriteOptions): Promise<Live<K>> {
    await this.#called('get', kind, name, options);
    return this.#find(kind, name);
  }

  async list<K extends Kind>(kind: K): Promise<List<K>> {
    if (this.missing.has(resourceOf(kind))) throw refused(404, 'NotFound');
    return { items: this.#all(kind), resourceVersion: String(this.#version) };
  }

  async *watch<K extends Kind>(
    kind: K,
    { resourceVersion, signal }: WatchOptions = {},
  ): AsyncGenerator<WatchEvent<K>, void, undefined> {
    if (this.missing.has(resourceOf(kind))) throw refused(404, 'NotFound');
    let at = Number(resourceVersion ?? this.#version);
    if (resourceVersion === undefined) {
      for (const object of this.#all(kind)) yield { type: 'ADDED', object };
      yield { type: 'BOOKMARK', resourceVersion: String(at), isInitialEventsEnd: true };
    }
    for (;;) {
      signal?.throwIfAborted();
      const next = this.#told.find((one) => one.version > at && one.resource === resourceOf(kind));
      if (next) {
        at = next.version;
        yield { type: next.type, object: next.object as Live<K> };
      } else {
        await new Promise<void>((resolve) => {
          this.#watchers.push(resolve);
          signal?.addEventListener('abort', () => resolve(), { once: true });
        });
      }
    }
  }

  async create<K extends Kind>(
    kind: K,
    object: Written<K>,
    options?: WriteOptions,
  ): Promise<Live<K>> {
    const name = nameIn(object);
    await this.#called('create', kind, name, options);
    if (this.#objects.has(idOf(kind, name))) throw refused(409, 'AlreadyExists');
    return this.#store(kind, object, undefined, options);
  }

  async update<K extends Kind>(
    kind: K,
    object: Written<K>,
    options?: WriteOptions,
  ): Promise<Live<K>> {
    const name = nameIn(object);
    await this.#called('update', kind, name, options);
    return this.#store(kind, object, this.#find(kind, name), options);
  }

  async patch<K extends Kind>(
    kind: K,
    name: ObjectName,
    patch: MergePatch<FieldsOf<K>>,
    options?: WriteOptions,
  ): Promise<Live<K>> {
    await this.#called('patch', kind, name, options);
    const old = this.#find(kind, name);
    return this.#store(kind, merged(old, patch), old, options);
  }

  async apply<K extends Kind>(
    kind: K,
    object: Written<K>,
    options?: WriteOptions,
  ): Promise<Live<K>> {
    const name = nameIn(object);
    await this.#called('apply', kind, name, options);
    const old = this.#objects.get(idOf(kind, name));
    return this.#store(kind, merged(old ?? {}, object), old, options);
  }

  async delete<K extends Kind>(
    kind: K,
    name: ObjectName,
    options?: WriteOptions,
  ): Promise<Live<K> | undefined> {
    await this.#called('delete', kind, name, options);
    if (!options?.dryRun) this.remove(kind, name);
    const left = this.peek(kind, name);
    return left?.metadata.deletionTimestamp === undefined ? undefined : left;
  }

  async deleteCollection(kind: Kind, options: WriteOptions): Promise<void> {
    await this.#called('deletecollection', kind, { name: '' }, options);
  }

  async podLog(pod: ObjectName): Promise<string> {
    await this.#called('get', Pod, pod, { subresource: 'log' });
    return 'opened\n';
  }

  async *followPodLog(pod: ObjectName): AsyncGenerator<string, void, undefined> {
    yield (await this.podLog(pod)).trim();
  }

  open(kind: Kind, wish: CacheWish): OpenedCache {
    const resource = resourceOf(kind);
    this.wishes.push({ resource, ...wish });
    const cache = new MemoryCache(this.syncing.get(resource) ?? Promise.resolve(), wish);
    for (const object of this.#all(kind)) cache.fill(object);
    this.#caches.set(resource, [...(this.#caches.get(resource) ?? []), cache]);
    return { cache, close: () => void (this.closed += 1) };
  }

  written(kind: Kind, object: Live): void {
    for (const cache of this.cachesOf(kind)) cache.written(object);
  }

  deleted(kind: Kind, name: ObjectName, uid: string): void {
    for (const cache of this.cachesOf(kind)) cache.deleted(name, uid);
  }

  async #called(verb: string, kind: Kind, name: ObjectName, options?: WriteOptions): Promise<void> {
    const subresource = options?.subresource === undefined ? '' : `/${options.subresource}`;
    const call = `${verb} ${resourceOf(kind)}${subresource} ${keyOf(name)}`;
    this.calls.push(call);
    this.options.push(options);
    options?.signal?.throwIfAborted();
    await this.before(call);
  }

  #find<K extends Kind>(kind: K, name: ObjectName): Live<K> {
    const found = this.#objects.get(idOf(kind, name));
    if (!found) throw refused(404, 'NotFound');
    return found as Live<K>;
  }

  #store<K extends Kind>(
    kind: K,
    written: object,
    old: Live | undefined,
    { subresource, dryRun }: WriteOptions = {},
  ): Live<K> {
    const object = written as Written;
    const { resourceVersion } = object.metadata;
    if (old && resourceVersion !== undefined && resourceVersion !== old.metadata.resourceVersion) {
      throw refused(409, 'Conflict');
    }
    this.#version += 1;
    const generation = old?.metadata.generation ?? 0;
    const isSame = subresource !== undefined || specOf(object) === specOf(old);
    const stored = {
      ...object,
      apiVersion: apiVersionOf(kind),
      kind: kind.kind,
      metadata: {
        creationTimestamp: '2026-01-01T00:00:00Z',
        uid: `uid-${this.#version}`,
        ...old?.metadata,
        ...object.metadata,
        resourceVersion: String(this.#version),
        ...(this.hasGenerations && { generation: old && isSame ? generation : generation + 1 }),
      },
    } as Live<K>;
    if (dryRun) return stored;
    const { deletionTimestamp, finalizers = [] } = stored.metadata;
    if (deletionTimestamp !== undefined && finalizers.length === 0) {
      this.#drop(kind, stored);
    } else {
      this.#objects.set(idOf(kind, stored.metadata), stored);
      this.#hear(kind, old ? 'changed' : 'added', stored);
    }
    return stored;
  }

  #drop(kind: Kind, object: Live): void {
    this.#objects.delete(idOf(kind, object.metadata));
    this.#version += 1;
    const resourceVersion = String(this.#version);
    this.#hear(kind, 'deleted', { ...object, metadata: { ...object.metadata, resourceVersion } });
  }

  #all<K extends Kind>(kind: K): Live<K>[] {
    return [...this.#objects].flatMap(([id, object]) =>
      id.startsWith(`${resourceOf(kind)} `) ? [object as Live<K>] : [],
    );
  }

  #hear(kind: Kind, type: Heard, object: Live): void {
    this.#untold.push(() => {
      const resource = resourceOf(kind);
      for (const cache of this.cachesOf(kind)) cache.hear(type, object);
      this.#told.push({ version: this.#version, resource, type: eventTypes[type], object });
      for (const wake of this.#watchers.splice(0)) wake();
    });
    if (!this.isSilent) this.tell();
  }
}

const eventTypes = { added: 'ADDED', changed: 'MODIFIED', deleted: 'DELETED' } as const;

export function refused(code: number, reason: string, message = reason): ApiError {
  return new ApiError({ code, reason, message });
}

const idOf = (kind: Kind, name: ObjectName): string => `${resourceOf(kind)} ${keyOf(name)}`;

const specOf = (object: object | undefined): string =>
  object && 'spec' in object ? JSON.stringify(object.spec) : '';

function nameIn({ metadata: { name = '', namespace } }: Written): ObjectName {
  return { name, namespace };
}

/** RFC 7386. */
function merged(old: object, patch: object): Json {
  const result: Json = { ...old };
  for (const [name, value] of Object.entries(patch)) {
    const before = result[name];
    if (value === null) delete result[name];
    else if (typeof value === 'object' && !Array.isArray(value)) {
      const isObject = typeof before === 'object' && before !== null && !Array.isArray(before);
      result[name] = merged(isObject ? before : {}, value);
    } else result[name] = value;
  }
  return result;
}
