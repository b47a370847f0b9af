import type { Definition } from '@tenantry/crd/definition';
import type { Client, WatchEvent, WatchOptions } from '../client/client.ts';
import type { ClientCallOptions } from '../client/decorator.ts';
import { ApiError } from '../errors/api-error.ts';
import { Namespace } from '../kinds/core.ts';
import {
  keyOf,
  resourceOf,
  type Kind,
  type Live,
  type ObjectName,
  type Written,
} from '../kinds/kind.ts';
import { VirtualClock } from '@tenantry/testing/clock/virtual-clock';
import type { WatchListener, ServerWatch } from '@tenantry/testing/simulation/server/server-watch';
import type { SimulatedApi } from '@tenantry/testing/simulation/cluster-view';
import { SimulatedApiServer } from '@tenantry/testing/simulation/server/simulated-api-server';
import { directWire, type SentCall, type Wire } from '@tenantry/testing/simulation/server/wire';

export interface ObservedClusterProps {
  readonly definitions?: readonly Definition[];
  /** The existing namespaces, in addition to those of every cluster. */
  readonly namespaces?: readonly string[];
}

/** An open watch. */
export type Watched = WatchOptions & { readonly resource: string };

/**
 * The simulated API server, with a client whose calls a test can see, delay and refuse. The server makes all of its
 * decisions itself; this class imitates none of them.
 */
export class ObservedCluster {
  readonly clock = new VirtualClock();
  readonly server: SimulatedApiServer;
  /** The API for changes by others: its calls are neither recorded nor delayed. */
  readonly api: SimulatedApi;
  readonly client: Client;
  /** The calls in order, such as `create namespaces shop`, without lists and watches. */
  readonly calls: string[] = [];
  /** The options of the calls, by the same index. */
  readonly options: ClientCallOptions[] = [];
  /** Awaited before each of these calls; the call fails with the error that it throws. */
  before: (call: string) => void | Promise<void> = () => undefined;
  /** Awaited before each list and watch, with the resource that is read. */
  beforeRead: (resource: string) => void | Promise<void> = () => undefined;
  /** Awaited before each answer is delivered. */
  after: (call: string) => void | Promise<void> = () => undefined;
  /** Lets the server process a call. A test can make something else happen in addition or instead. */
  serve: <T>(call: string, ask: () => T) => T = (_, ask) => ask();
  /** Whether watches report only the objects from before their start, and no changes. */
  isSilent = false;
  /** The current watches. */
  readonly watched = new Set<Watched>();

  constructor({ definitions, namespaces = [] }: ObservedClusterProps = {}) {
    this.server = new SimulatedApiServer({ clock: this.clock, definitions });
    this.api = this.server.api('somebody');
    this.client = this.server.clientOver('tenantry', this.#wire);
    for (const name of namespaces) this.api.create(Namespace, { metadata: { name } });
  }

  /** Creates an object or changes the given fields of it, including its status, as another client. */
  put<K extends Kind>(kind: K, object: Written<K>): Live<K> {
    const { status, ...fields } = object as Written & { readonly status?: unknown };
    const old = this.peek(kind, nameIn(object));
    const metadata = { ...old?.metadata, ...object.metadata };
    const next = { ...old, ...fields, metadata } as Written<K>;
    const stored = old ? this.api.update(kind, next) : this.api.create(kind, next);
    if (status === undefined) return stored;
    const withStatus = { ...stored, status } as unknown as Written<K>;
    return this.api.update(kind, withStatus, { subresource: 'status' });
  }

  /** Changes an object as another client, in a way that has no meaning. */
  touch(kind: Kind, name: ObjectName): void {
    const { resourceVersion } = this.api.get(kind, name).metadata;
    this.api.patch(kind, name, { metadata: { labels: { touched: resourceVersion } } });
  }

  remove(kind: Kind, name: ObjectName): void {
    this.api.delete(kind, name);
  }

  peek<K extends Kind>(kind: K, name: ObjectName): Live<K> | undefined {
    try {
      return this.api.get(kind, name);
    } catch (error) {
      if (error instanceof ApiError && error.isNotFound) return undefined;
      throw error;
    }
  }

  get #wire(): Wire {
    return {
      send: async (call, options, ask) => {
        if (call.verb === 'list') await this.beforeRead(resourceOf(call.kind));
        else await this.#called(call, options);
        const answer = await directWire.send(call, options, () => this.serve(textOf(call), ask));
        await this.after(textOf(call));
        return answer;
      },
      watch: (kind, options, open) => this.#watch(kind, options, open),
    };
  }

  async #called(call: SentCall, options: ClientCallOptions): Promise<void> {
    this.calls.push(textOf(call));
    this.options.push(options);
    options.signal?.throwIfAborted();
    await this.before(textOf(call));
  }

  async *#watch<K extends Kind>(
    kind: K,
    options: WatchOptions,
    open: (hearer: WatchListener) => ServerWatch,
  ): AsyncGenerator<WatchEvent<K>, void, undefined> {
    const resource = resourceOf(kind);
    await this.beforeRead(resource);
    const watch = { resource, ...options };
    const opened = (hearer: WatchListener): ServerWatch => {
      let hasBegun = false;
      const event: WatchListener['event'] = (serverEvent) => {
        if (!hasBegun || !this.isSilent) hearer.event(serverEvent);
      };
      const begun = open({ event, end: () => hearer.end() });
      hasBegun = true;
      return begun;
    };
    this.watched.add(watch);
    try {
      yield* directWire.watch<K>(kind, options, opened);
    } finally {
      this.watched.delete(watch);
    }
  }
}

const nameIn = ({ metadata: { name = '', namespace } }: Written): ObjectName => ({
  name,
  namespace,
});

function textOf({ verb, kind, name, subresource }: SentCall): string {
  const part = subresource === undefined ? '' : `/${subresource}`;
  return `${verb} ${resourceOf(kind)}${part}${name ? ` ${keyOf(name)}` : ''}`;
}

/** Builds a refusal of the API server. */
export function refused(code: number, reason: string, message = reason): ApiError {
  return new ApiError({ code, reason, message });
}
