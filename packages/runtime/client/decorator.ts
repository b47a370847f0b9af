import type { Verb } from '@tenantry/kube/access';
import { Pod } from '../kinds/core.ts';
import type { FieldsOf, Kind, Live, ObjectName, Written } from '../kinds/kind.ts';
import type {
  ApplyOptions,
  CallOptions,
  Client,
  DeleteOptions,
  List,
  ListOptions,
  MergePatch,
  PodLogOptions,
  ReadOptions,
  Selection,
  WatchEvent,
  WatchOptions,
  WriteOptions,
} from './client.ts';
import { LOG } from './paths.ts';

/** A call that is about to be sent. */
export interface ClientCall {
  /** The verb as in RBAC: an apply is a `patch`. */
  readonly verb: Verb;
  readonly kind: Kind;
  /** Absent for calls about many objects, and if the server generates the name. */
  readonly name?: string | undefined;
  readonly namespace?: string | undefined;
  readonly subresource?: string | undefined;
  readonly fieldSelector?: string | undefined;
  /** The written object of a create, an update or an apply. */
  readonly object?: Written | undefined;
}

/** The options that decorators see, whatever the call. */
export type ClientCallOptions = CallOptions &
  Pick<WriteOptions, 'subresource' | 'dryRun' | 'fieldManager'> &
  Pick<DeleteOptions, 'preconditions'>;

/** Options that a decorator can override. For a watch, only the signal. */
export type OptionOverrides = Pick<WriteOptions, 'signal' | 'permit' | 'fieldManager'>;

type Named = Pick<ClientCall, 'name' | 'namespace'>;

/**
 * A client that wraps another one and intercepts its calls: it can refuse a call, override options, and observe the
 * results of writes. For a watch, `before` runs when the reading begins.
 */
export abstract class ClientDecorator implements Client {
  readonly #client: Client;

  constructor(client: Client) {
    this.#client = client;
  }

  /**
   * Called before each call. If it throws, the call rejects with the error and is not sent. Its result overrides
   * options.
   */
  protected abstract before(
    call: ClientCall,
    options: ClientCallOptions,
  ): OptionOverrides | undefined;

  /** Called after a create, update, patch, apply or delete, with the object of the answer, if any. */
  protected after(
    _call: ClientCall,
    _options: ClientCallOptions,
    _answer: Live | undefined,
  ): void {}

  async get<K extends Kind>(kind: K, name: ObjectName, options?: ReadOptions): Promise<Live<K>> {
    return this.#client.get(
      kind,
      name,
      this.#prepareOptions({ verb: 'get', kind, ...nameOf(name) }, options),
    );
  }

  async list<K extends Kind>(kind: K, options?: ListOptions): Promise<List<K>> {
    const prepared = this.#prepareOptions({ verb: 'list', kind, ...pickScope(options) }, options);
    return this.#client.list(kind, prepared);
  }

  watch<K extends Kind>(kind: K, options?: WatchOptions): AsyncIterable<WatchEvent<K>> {
    return {
      [Symbol.asyncIterator]: () => {
        const prepared = this.#prepareOptions(
          { verb: 'watch', kind, ...pickScope(options) },
          options,
        );
        return this.#client.watch(kind, prepared)[Symbol.asyncIterator]();
      },
    };
  }

  async create<K extends Kind>(
    kind: K,
    object: Written<K>,
    options?: WriteOptions,
  ): Promise<Live<K>> {
    const call = { verb: 'create', kind, ...nameOf(object.metadata), object } as const;
    return this.#write(call, options, (prepared) => this.#client.create(kind, object, prepared));
  }

  async update<K extends Kind>(
    kind: K,
    object: Written<K>,
    options?: WriteOptions,
  ): Promise<Live<K>> {
    const call = { verb: 'update', kind, ...nameOf(object.metadata), object } as const;
    return this.#write(call, options, (prepared) => this.#client.update(kind, object, prepared));
  }

  async patch<K extends Kind>(
    kind: K,
    name: ObjectName,
    patch: MergePatch<FieldsOf<K>>,
    options?: WriteOptions,
  ): Promise<Live<K>> {
    const call = { verb: 'patch', kind, ...nameOf(name) } as const;
    return this.#write(call, options, (prepared) =>
      this.#client.patch(kind, name, patch, prepared),
    );
  }

  async apply<K extends Kind>(
    kind: K,
    object: Written<K>,
    options?: ApplyOptions,
  ): Promise<Live<K>> {
    const call = { verb: 'patch', kind, ...nameOf(object.metadata), object } as const;
    return this.#write(call, options, (prepared) => this.#client.apply(kind, object, prepared));
  }

  async delete<K extends Kind>(
    kind: K,
    name: ObjectName,
    options?: DeleteOptions,
  ): Promise<Live<K> | undefined> {
    const call = { verb: 'delete', kind, ...nameOf(name) } as const;
    return this.#write(call, options, (prepared) => this.#client.delete(kind, name, prepared));
  }

  async deleteCollection(kind: Kind, options: Selection & DeleteOptions): Promise<void> {
    const call = { verb: 'deletecollection', kind, ...pickScope(options) } as const;
    await this.#client.deleteCollection(kind, {
      ...options,
      ...this.#prepareOptions(call, options),
    });
  }

  async podLog(pod: ObjectName, options?: PodLogOptions & CallOptions): Promise<string> {
    return this.#client.podLog(pod, this.#prepareOptions(buildLogCall(pod), options));
  }

  followPodLog(pod: ObjectName, options?: PodLogOptions): AsyncIterable<string> {
    return {
      [Symbol.asyncIterator]: () => {
        const prepared = this.#prepareOptions(buildLogCall(pod), options);
        return this.#client.followPodLog(pod, prepared)[Symbol.asyncIterator]();
      },
    };
  }

  #prepareOptions<O extends ClientCallOptions | WatchOptions | PodLogOptions>(
    call: ClientCall,
    options: O | undefined,
  ): (O & OptionOverrides) | O | undefined {
    const callOptions: ClientCallOptions = options ?? {};
    const added = this.before({ ...resolveSubresource(call, callOptions), ...call }, callOptions);
    return added ? { ...(options as O), ...added } : options;
  }

  /** Sends a write with prepared options, and passes its answer to `after`. */
  async #write<O extends ClientCallOptions, A extends Live | undefined>(
    call: ClientCall,
    options: O | undefined,
    send: (prepared: O | undefined) => Promise<A>,
  ): Promise<A> {
    const answer = await send(this.#prepareOptions(call, options));
    const callOptions = options ?? {};
    this.after({ ...resolveSubresource(call, callOptions), ...call }, callOptions, answer);
    return answer;
  }
}

/** The verbs that have subresources. Other verbs are about whole objects and ignore the option. */
const subresourceVerbs: ReadonlySet<Verb> = new Set(['get', 'create', 'update', 'patch']);

function resolveSubresource(
  { verb, kind }: ClientCall,
  { subresource = kind.part?.subresource }: ClientCallOptions,
): Pick<ClientCall, 'subresource'> {
  return subresourceVerbs.has(verb) ? { subresource } : {};
}

function nameOf({ name, namespace }: Named): Named {
  return { name, namespace };
}

const buildLogCall = (pod: ObjectName): ClientCall => ({
  verb: 'get',
  kind: Pod,
  ...nameOf(pod),
  subresource: LOG,
});

function pickScope({ namespace, fieldSelector }: Selection = {}): Selection {
  return { namespace, fieldSelector };
}
