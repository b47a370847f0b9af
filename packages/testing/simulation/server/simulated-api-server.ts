import type { Definition } from '@tenantry/crd/definition';
import type {
  Client,
  ApplyOptions,
  DeleteOptions,
  List,
  ListOptions,
  MergePatch,
  ReadOptions,
  Selection,
  WatchEvent,
  WatchOptions,
  WriteOptions,
} from '@tenantry/runtime/client/client';
import type { Clock, Random } from '@tenantry/runtime/clock/clock';
import { seededRandom } from '../random.ts';
import { Api, namespaces } from './api.ts';
import { ObjectStore, type StoredObject, type StoredChange } from './object-store.ts';
import { Paginator } from './listing.ts';
import { ServedKinds } from './served-kinds.ts';
import { ServerWatch, type WatchListener } from './server-watch.ts';
import { directWire, type Wire, type SentCall } from './wire.ts';
import { buildCollectionPath, buildObjectPath } from '@tenantry/runtime/client/paths';
import type { ClientCallOptions } from '@tenantry/runtime/client/decorator';
import type { FieldsOf, Kind, Live, ObjectName, Written } from '@tenantry/runtime/kinds/kind';
import { NotSimulated } from './errors.ts';

/** The properties of a `SimulatedApiServer`. */
export interface SimulatedApiServerProps {
  /** The clock for bookmarks and timestamps. */
  readonly clock: Clock;
  /** Custom resources that it serves. Their schemas default and validate them. @default - none */
  readonly definitions?: readonly Definition[] | undefined;
  /** The source of UIDs and generated names. @default - the same ones each time */
  readonly random?: Random | undefined;
}

/**
 * An API server in memory, for tests that a real one is too slow for. It has what a controller can
 * observe:
 *
 * - versions, conflicts, generations, finalizers and preconditions,
 * - selectors, pages, and watches that resume and expire,
 * - merge patches, server-side apply, scale, defaults and validation.
 *
 * The same test suite runs against it and against a real API server. It throws `NotSimulated` for
 * requests that it cannot answer.
 *
 * It has no controllers: nothing is garbage-collected and no pod becomes ready, unless `simulate` runs
 * it.
 *
 * @example
 * ```ts
 * import { core, ifExists } from '@tenantry/runtime';
 * import { SimulatedApiServer, VirtualClock } from '@tenantry/testing';
 *
 * const client = new SimulatedApiServer({ clock: new VirtualClock() }).client();
 * await client.create(core.Namespace, { metadata: { name: 'shop' } });
 * await client.create(core.Namespace, { metadata: { name: 'shop' } }).catch(ifExists);
 * const { status } = await client.get(core.Namespace, { name: 'shop' });
 * console.log(status?.phase); // Active
 * ```
 */
export class SimulatedApiServer {
  readonly #props: SimulatedApiServerProps;
  readonly #random: Random;
  readonly #store = new ObjectStore();
  readonly #pages = new Paginator(this.#store);
  readonly #kinds: ServedKinds;

  /** @throws {Error} for definitions whose versions a webhook converts */
  constructor(props: SimulatedApiServerProps) {
    this.#props = props;
    this.#random = props.random ?? seededRandom(1);
    this.#kinds = new ServedKinds(props.definitions ?? []);
    const own = this.api('kube-apiserver');
    for (const name of ['default', 'kube-node-lease', 'kube-public', 'kube-system']) {
      own.create(namespaces, { metadata: { name } });
    }
  }

  /** The served kinds with their paths. @internal */
  get kinds(): ServedKinds {
    return this.#kinds;
  }

  /** The stored objects. @internal */
  get store(): ObjectStore {
    return this.#store;
  }

  /** Returns a client of a user, whose name is also the field manager of its writes. */
  client(who = 'tenantry'): Client {
    return this.clientOver(who, directWire);
  }

  /** Returns a client with its own connection to the server. @internal */
  clientOver(who: string, wire: Wire): Client {
    const { clock } = this.#props;
    const store = this.#store;
    return new SimulatedClient(
      this.api(who),
      (kind, options, hearer) =>
        new ServerWatch(kind, this.#kinds.get(kind), options, { store, clock, hearer }),
      wire,
    );
  }

  /** Returns the API of a user without waiting: each call is complete when it returns. @internal */
  api(who: string): Api {
    const { clock } = this.#props;
    const [store, kinds, pages, random] = [this.#store, this.#kinds, this.#pages, this.#random];
    return new Api(who, { store, kinds, pages, clock, random });
  }

  /** Drops the history up to now: a client that resumes an older watch gets 410 and must list again. */
  compact(): void {
    this.#store.compact();
  }

  /** Calls the listener for every change as it is made, until the returned function is called. @internal */
  follow(listener: (change: StoredChange) => void): () => void {
    return this.#store.follow(listener);
  }

  /** Yields all objects, of all kinds. @internal */
  *objects(): Generator<StoredObject> {
    for (const [, object] of this.#store.entries()) yield object;
  }
}

/** A client of the simulated server. An invalid call rejects like that of a real client. */
class SimulatedClient implements Client {
  readonly #api: Api;
  readonly #open: (kind: Kind, options: WatchOptions, hearer: WatchListener) => ServerWatch;
  readonly #wire: Wire;

  constructor(
    api: Api,
    open: (kind: Kind, options: WatchOptions, hearer: WatchListener) => ServerWatch,
    wire: Wire,
  ) {
    this.#api = api;
    this.#open = open;
    this.#wire = wire;
  }

  async get<K extends Kind>(
    kind: K,
    name: ObjectName,
    options: ReadOptions = {},
  ): Promise<Live<K>> {
    buildObjectPath(kind, name, options.subresource);
    const { subresource } = options;
    return this.#send({ verb: 'get', kind, name, subresource }, options, () =>
      this.#api.get(kind, name, options),
    );
  }

  async list<K extends Kind>(kind: K, options: ListOptions = {}): Promise<List<K>> {
    buildCollectionPath(kind, options.namespace, 'many');
    return this.#send({ verb: 'list', kind }, options, () => this.#api.list(kind, options));
  }

  async *watch<K extends Kind>(
    kind: K,
    options: WatchOptions = {},
  ): AsyncGenerator<WatchEvent<K>, void, undefined> {
    buildCollectionPath(kind, options.namespace, 'many');
    yield* this.#wire.watch(kind, options, (hearer) => this.#open(kind, options, hearer));
  }

  async create<K extends Kind>(
    kind: K,
    object: Written<K>,
    options: WriteOptions = {},
  ): Promise<Live<K>> {
    buildCollectionPath(kind, object.metadata.namespace, 'one');
    const { name, namespace } = object.metadata;
    const named = name === undefined ? {} : { name: { name, namespace } };
    return this.#send({ verb: 'create', kind, ...named }, options, () =>
      this.#api.create(kind, object, options),
    );
  }

  async update<K extends Kind>(
    kind: K,
    object: Written<K>,
    options: WriteOptions = {},
  ): Promise<Live<K>> {
    const name = nameIn(kind, object, options);
    const { subresource } = options;
    return this.#send({ verb: 'update', kind, name, subresource }, options, () =>
      this.#api.update(kind, object, options),
    );
  }

  async patch<K extends Kind>(
    kind: K,
    name: ObjectName,
    patch: MergePatch<FieldsOf<K>>,
    options: WriteOptions = {},
  ): Promise<Live<K>> {
    buildObjectPath(kind, name, options.subresource);
    const { subresource } = options;
    return this.#send({ verb: 'patch', kind, name, subresource }, options, () =>
      this.#api.patch(kind, name, patch, options),
    );
  }

  async apply<K extends Kind>(
    kind: K,
    object: Written<K>,
    options: ApplyOptions = {},
  ): Promise<Live<K>> {
    const name = nameIn(kind, object, options);
    const { subresource } = options;
    return this.#send({ verb: 'apply', kind, name, subresource }, options, () =>
      this.#api.apply(kind, object, options),
    );
  }

  async delete<K extends Kind>(
    kind: K,
    name: ObjectName,
    options: DeleteOptions = {},
  ): Promise<Live<K> | undefined> {
    buildObjectPath(kind, name);
    return this.#send({ verb: 'delete', kind, name }, options, () =>
      this.#api.delete(kind, name, options),
    );
  }

  async deleteCollection(kind: Kind, options: Selection & DeleteOptions): Promise<void> {
    buildCollectionPath(kind, options.namespace, 'one');
    return this.#send({ verb: 'deletecollection', kind }, options, () =>
      this.#api.deleteCollection(kind, options),
    );
  }

  /** Pods run nothing here, so their logs are empty. */
  podLog(): Promise<string> {
    return Promise.reject(new NotSimulated('the log of a pod'));
  }

  followPodLog(): AsyncIterable<string> {
    throw new NotSimulated('the log of a pod');
  }

  #send<T>(call: SentCall, options: ClientCallOptions, ask: () => T): Promise<T> {
    return this.#wire.send(call, options, ask);
  }
}

function nameIn<K extends Kind>(
  kind: K,
  { metadata: { name = '', namespace } }: Written<K>,
  { subresource }: WriteOptions,
): ObjectName {
  buildObjectPath(kind, { name, namespace }, subresource);
  return { name, namespace };
}
