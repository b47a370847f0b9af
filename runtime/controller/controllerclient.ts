import type {
  ApplyOptions,
  CallOptions,
  Client,
  DeleteOptions,
  List,
  ListOptions,
  MergePatch,
  ReadOptions,
  Selection,
  WatchEvent,
  WatchOptions,
  WriteOptions,
} from '../client/client.ts';
import type { FieldsOf, Kind, Live, ObjectName, WrittenMeta, Written } from '../kinds/kind.ts';
import type { Caches } from './caches.ts';
import { isOwnedBy } from './ownership.ts';

export interface ControllerClientProps {
  readonly client: Client;
  /** The kind of the controller. */
  readonly owner: Kind;
  readonly fieldManager: string;
  readonly caches: Pick<Caches, 'written' | 'deleted'>;
  /** What the controller knows of an object. */
  readonly find: (kind: Kind, name: ObjectName) => Live | undefined;
  /** Once it aborts, no call is started, and those under way end. */
  readonly cut: AbortSignal;
}

/** The client of one controller: it writes in its name, and its caches know what it has written. */
export class ControllerClient implements Client {
  readonly #client: Client;
  readonly #owner: Kind;
  readonly #fieldManager: string;
  readonly #caches: Pick<Caches, 'written' | 'deleted'>;
  readonly #find: ControllerClientProps['find'];
  readonly #cut: AbortSignal;

  constructor({ client, owner, fieldManager, caches, find, cut }: ControllerClientProps) {
    this.#client = client;
    this.#owner = owner;
    this.#fieldManager = fieldManager;
    this.#caches = caches;
    this.#find = find;
    this.#cut = cut;
  }

  async get<K extends Kind>(kind: K, name: ObjectName, options?: ReadOptions): Promise<Live<K>> {
    return this.#client.get(kind, name, this.#call(options));
  }

  async list<K extends Kind>(kind: K, options?: ListOptions): Promise<List<K>> {
    return this.#client.list(kind, this.#call(options));
  }

  watch<K extends Kind>(kind: K, options?: WatchOptions): AsyncIterable<WatchEvent<K>> {
    return this.#client.watch(kind, this.#call(options));
  }

  async create<K extends Kind>(
    kind: K,
    object: Written<K>,
    options?: WriteOptions,
  ): Promise<Live<K>> {
    this.#checkOwner(kind, object);
    return this.#kept(kind, await this.#client.create(kind, object, this.#write(options)), options);
  }

  async update<K extends Kind>(
    kind: K,
    object: Written<K>,
    options?: WriteOptions,
  ): Promise<Live<K>> {
    this.#checkOwner(kind, object);
    return this.#kept(kind, await this.#client.update(kind, object, this.#write(options)), options);
  }

  async patch<K extends Kind>(
    kind: K,
    name: ObjectName,
    patch: MergePatch<FieldsOf<K>>,
    options?: WriteOptions,
  ): Promise<Live<K>> {
    return this.#kept(
      kind,
      await this.#client.patch(kind, name, patch, this.#write(options)),
      options,
    );
  }

  async apply<K extends Kind>(
    kind: K,
    object: Written<K>,
    options?: ApplyOptions,
  ): Promise<Live<K>> {
    this.#checkOwner(kind, object);
    return this.#kept(kind, await this.#client.apply(kind, object, this.#write(options)), options);
  }

  async delete<K extends Kind>(
    kind: K,
    name: ObjectName,
    options?: DeleteOptions,
  ): Promise<Live<K> | undefined> {
    const waiting = await this.#client.delete(kind, name, this.#call(options));
    if (options?.dryRun) return waiting;
    if (waiting) {
      this.#caches.written(kind, waiting);
      return waiting;
    }
    const uid = options?.preconditions?.uid ?? this.#find(kind, name)?.metadata.uid;
    if (uid !== undefined) this.#caches.deleted(kind, name, uid);
    return undefined;
  }

  async deleteCollection(kind: Kind, selection: Selection & DeleteOptions): Promise<void> {
    await this.#client.deleteCollection(kind, { ...selection, ...this.#call(selection) });
  }

  /** @throws the reason of the cut */
  #call<O extends CallOptions | WatchOptions>(options?: O): O & { readonly signal: AbortSignal };
  #call(options?: CallOptions): CallOptions {
    this.#cut.throwIfAborted();
    const { signal } = options ?? {};
    return { ...options, signal: signal ? AbortSignal.any([signal, this.#cut]) : this.#cut };
  }

  #write<O extends WriteOptions>(options?: O): O & { readonly fieldManager: string } {
    const { fieldManager = this.#fieldManager } = options ?? {};
    return { ...this.#call(options), fieldManager };
  }

  /** Subresources but the status answer with objects of other kinds. */
  #kept<K extends Kind>(
    kind: K,
    object: Live<K>,
    { dryRun, subresource }: WriteOptions = {},
  ): Live<K> {
    if (!dryRun && (subresource === undefined || subresource === 'status')) {
      this.#caches.written(kind, object);
    }
    return object;
  }

  /** What lies in no namespace and is owned by what does, the garbage collector deletes. */
  #checkOwner(kind: Kind, { metadata }: { readonly metadata: WrittenMeta }): void {
    const owner = this.#owner;
    if (kind.scope === 'Namespaced' || owner.scope === 'Cluster') return;
    if (!isOwnedBy(owner, metadata)) return;
    throw new Error(
      `${owner.kind}, which lies in namespaces, must own kinds that do, got ${kind.kind} ${metadata.name}: the garbage collector would delete it`,
    );
  }
}
