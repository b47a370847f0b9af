import {
  allow,
  ApiError,
  CacheSet,
  core,
  ifExists,
  ifGone,
  ownedBy,
  restrictClient,
  systemClock,
  WorkQueue,
  type Client,
  type ReflectorEvent,
  type Kind,
  type Log,
} from '@tenantry/runtime';
import {
  configMapName,
  hostOf,
  NAMESPACE,
  Node,
  planOf,
  PortRule,
  statusPatchOf,
  type Host,
} from './host.ts';

/** The access rules of the loop. They restrict its client, and its roles are built from them. */
export const access = [
  allow(Node, 'list', 'watch'),
  // To set blockOwnerDeletion, this is required where the API server checks it.
  allow(Node, 'update').subresource('finalizers'),
  allow(PortRule, 'list', 'watch'),
  allow(PortRule, 'patch').subresource('status'),
  allow(core.ConfigMap, 'list', 'watch', 'create', 'update', 'delete').in(NAMESPACE),
];

/** Does the same as the controllers, with parts of the runtime: informers, a queue and workers. */
export class Loop {
  readonly #client: Client;
  readonly #log: Log;
  readonly #caches: CacheSet;
  readonly #nodes;
  readonly #rules;
  readonly #configMaps;
  /** The names of hosts to reconcile. */
  readonly #queue = new WorkQueue();

  constructor(client: Client, log: Log) {
    this.#client = restrictClient(client, access, 'the loop');
    this.#log = log;
    this.#caches = new CacheSet({
      reader: this.#client,
      onError: (error, { kind }) => log.error('a handler failed', { kind, error }),
      observe: (happening, kind) => this.#logFailure(happening, kind),
    });
    this.#nodes = this.#caches.open({ kind: Node, metadataOnly: true }).cache;
    this.#rules = this.#caches.open({ kind: PortRule, indexes: [hostOf] }).cache;
    const selection = { namespace: NAMESPACE };
    this.#configMaps = this.#caches.open({ kind: core.ConfigMap, selection }).cache;
  }

  /** Runs until the signal aborts and running reconciles have ended. Call it once. */
  async run(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    const stopped = new Promise<void>((resolve) => {
      signal.addEventListener('abort', () => resolve(this.#queue.close()), { once: true });
    });
    const end = new AbortController();
    const filled = this.#caches.run(end.signal);
    this.#follow();
    try {
      await Promise.race([this.#caches.synced(), stopped, filled]);
      const workers = [this.#work(), this.#work()];
      this.#log.info('the loop runs', { workers: workers.length });
      await Promise.race([stopped, filled]);
      await Promise.all(workers);
    } finally {
      await this.#queue.close();
      end.abort();
      await filled;
      this.#log.info('the loop has stopped');
    }
  }

  /** Queues the hosts that each change affects. */
  #follow(): void {
    const add = (host: string): void => this.#queue.add(host);
    this.#nodes.subscribe({
      added: ({ metadata }) => add(metadata.name),
      deleted: ({ metadata }) => add(metadata.name),
    });
    this.#rules.subscribe({
      added: ({ spec }) => add(spec.host),
      changed: (before, now) => [before, now].forEach(({ spec }) => add(spec.host)),
      deleted: ({ spec }) => add(spec.host),
    });
    this.#configMaps.subscribe({
      added: ({ metadata }) => add(metadata.name),
      changed: (_, { metadata }) => add(metadata.name),
      deleted: ({ metadata }) => add(metadata.name),
    });
  }

  async #work(): Promise<void> {
    const queue = this.#queue;
    for (let host; (host = await queue.take()) !== undefined; queue.done(host)) {
      try {
        await this.#sync(host);
        queue.forget(host);
      } catch (error) {
        const refused = error instanceof ApiError ? error : undefined;
        queue.retry(host, { atLeast: refused?.retryAfter });
        // Another writer was faster: that is not a failure.
        const level = refused?.isConflict ? 'info' : 'warn';
        this.#log[level]('a host is tried again', { host, failures: queue.failures(host), error });
      }
    }
  }

  /** Reconciles one host. Its own writes are visible in its caches at once. */
  async #sync(name: string): Promise<void> {
    await this.#render(this.#host(name));
    const host = this.#host(name);
    for (const rule of host.rules) {
      const patch = statusPatchOf(rule, host, systemClock.date());
      if (!patch || rule.metadata.deletionTimestamp !== undefined) continue;
      const part = { subresource: 'status' };
      const written = await this.#client.patch(PortRule, rule.metadata, patch, part).catch(ifGone);
      if (written) this.#caches.written(PortRule, written);
    }
  }

  async #render(host: Host): Promise<void> {
    const { create, update, remove } = planOf(host);
    const client = this.#client;
    if (create && host.node) {
      const owned = ownedBy(Node, host.node, create);
      const made = await client.create(core.ConfigMap, owned).catch(ifExists);
      if (made) this.#caches.written(core.ConfigMap, made);
    }
    if (update) {
      this.#caches.written(core.ConfigMap, await client.update(core.ConfigMap, update));
    }
    if (remove) {
      const { metadata } = remove;
      const { uid, resourceVersion } = metadata;
      const preconditions = { uid, resourceVersion };
      await client.delete(core.ConfigMap, metadata, { preconditions }).catch(ifGone);
      this.#caches.deleted(core.ConfigMap, metadata, uid);
    }
  }

  #host(name: string): Host {
    return {
      name,
      node: this.#nodes.get({ name }),
      rules: this.#rules.list({ index: { by: hostOf, is: name } }),
      configMap: this.#configMaps.get(configMapName(name)),
    };
  }

  #logFailure(happening: ReflectorEvent, { kind }: Kind): void {
    if (happening.type !== 'failed') return;
    const { cause, error, retryIn } = happening;
    this.#log.warn('a watch failed, and is tried again', { kind, cause, error, retryIn });
  }
}
