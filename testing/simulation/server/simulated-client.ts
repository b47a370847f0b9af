import { collectionPath, objectPath } from '../../../runtime/client/paths.ts';
import type {
  ApplyOptions,
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
} from '../../../runtime/client/client.ts';
import type { ClientCallOptions } from '../../../runtime/client/decorator.ts';
import type { FieldsOf, Kind, Live, ObjectName, Written } from '../../../runtime/kinds/kind.ts';
import type { Api } from './api.ts';
import { NotSimulated } from './not-simulated.ts';
import type { WatchListener, ServerWatch } from './server-watch.ts';
import type { SentCall, Wire } from './wire.ts';

/** A client of the simulated server. An invalid call rejects like that of a real client. */
export class SimulatedClient implements Client {
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
    objectPath(kind, name, options.subresource);
    const { subresource } = options;
    return this.#send({ verb: 'get', kind, name, subresource }, options, () =>
      this.#api.get(kind, name, options),
    );
  }

  async list<K extends Kind>(kind: K, options: ListOptions = {}): Promise<List<K>> {
    collectionPath(kind, options.namespace, 'many');
    return this.#send({ verb: 'list', kind }, options, () => this.#api.list(kind, options));
  }

  async *watch<K extends Kind>(
    kind: K,
    options: WatchOptions = {},
  ): AsyncGenerator<WatchEvent<K>, void, undefined> {
    collectionPath(kind, options.namespace, 'many');
    yield* this.#wire.watch(kind, options, (hearer) => this.#open(kind, options, hearer));
  }

  async create<K extends Kind>(
    kind: K,
    object: Written<K>,
    options: WriteOptions = {},
  ): Promise<Live<K>> {
    collectionPath(kind, object.metadata.namespace, 'one');
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
    objectPath(kind, name, options.subresource);
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
    objectPath(kind, name);
    return this.#send({ verb: 'delete', kind, name }, options, () =>
      this.#api.delete(kind, name, options),
    );
  }

  async deleteCollection(kind: Kind, options: Selection & DeleteOptions): Promise<void> {
    collectionPath(kind, options.namespace, 'one');
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
  objectPath(kind, { name, namespace }, subresource);
  return { name, namespace };
}
