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
import type { FieldsOf, Kind, Live, ObjectName, Written } from '../kinds/kind.ts';
import type { LeaderElection } from './leaderelection.ts';
import { NotLeading } from './notleading.ts';

/**
 * A client that starts no write while this replica is not sure to lead: it then rejects with
 * `NotLeading`. That is asked when a write is to be sent, and each time that it is sent again, after
 * whatever it waited for. Reads go through.
 */
export function fenced(client: Client, election: Pick<LeaderElection, 'isLeading'>): Client {
  return new FencedClient(client, election);
}

class FencedClient implements Client {
  readonly #client: Client;
  readonly #election: Pick<LeaderElection, 'isLeading'>;

  constructor(client: Client, election: Pick<LeaderElection, 'isLeading'>) {
    this.#client = client;
    this.#election = election;
  }

  get<K extends Kind>(kind: K, name: ObjectName, options?: ReadOptions): Promise<Live<K>> {
    return this.#client.get(kind, name, options);
  }

  list<K extends Kind>(kind: K, options?: ListOptions): Promise<List<K>> {
    return this.#client.list(kind, options);
  }

  watch<K extends Kind>(kind: K, options?: WatchOptions): AsyncIterable<WatchEvent<K>> {
    return this.#client.watch(kind, options);
  }

  async create<K extends Kind>(
    kind: K,
    object: Written<K>,
    options?: WriteOptions,
  ): Promise<Live<K>> {
    return this.#client.create(kind, object, this.#fenced(options));
  }

  async update<K extends Kind>(
    kind: K,
    object: Written<K>,
    options?: WriteOptions,
  ): Promise<Live<K>> {
    return this.#client.update(kind, object, this.#fenced(options));
  }

  async patch<K extends Kind>(
    kind: K,
    name: ObjectName,
    patch: MergePatch<FieldsOf<K>>,
    options?: WriteOptions,
  ): Promise<Live<K>> {
    return this.#client.patch(kind, name, patch, this.#fenced(options));
  }

  async apply<K extends Kind>(
    kind: K,
    object: Written<K>,
    options?: ApplyOptions,
  ): Promise<Live<K>> {
    return this.#client.apply(kind, object, this.#fenced(options));
  }

  async delete<K extends Kind>(
    kind: K,
    name: ObjectName,
    options?: DeleteOptions,
  ): Promise<Live<K> | undefined> {
    return this.#client.delete(kind, name, this.#fenced(options));
  }

  async deleteCollection(kind: Kind, options: Selection & DeleteOptions): Promise<void> {
    return this.#client.deleteCollection(kind, this.#fenced(options));
  }

  /** @throws {NotLeading} */
  #fenced<O extends CallOptions>(options: O | undefined): O & CallOptions;
  #fenced(options?: CallOptions): CallOptions {
    const permit = (): void => {
      if (!this.#election.isLeading()) throw new NotLeading();
      options?.permit?.();
    };
    permit();
    return { ...options, permit };
  }
}
