import { setTimeout as pause } from 'node:timers/promises';
import {
  apiextensions,
  core,
  ifGone,
  kindOf,
  openClient,
  type Connection,
  type Kind,
  type OpenedClient,
} from '@tenantry/runtime';
import { crdManifest } from '@tenantry/crd';
import { until } from '@tenantry/testing/waiting/until';
import { runConcurrently } from './run-concurrently.ts';
import { shop } from './shop.ts';

const shops = kindOf(shop, 'v1');

export const namespace = 'bench';

/** The timeout of every wait, in seconds. */
const TIMEOUT = 300;

/** The time of the last event of each object by `performance.now()`, in milliseconds, by name. */
type Arrivals = Map<string, number>;

/**
 * Watches Shops and ConfigMaps, whichever operator runs, and records when events arrive. It runs in a
 * process of its own, apart from the operator and the API server.
 */
export class Observer {
  readonly #client: OpenedClient;
  readonly #stop = new AbortController();
  readonly #shops: Arrivals = new Map();
  readonly #configMaps: Arrivals = new Map();
  #expected: { readonly count: number; readonly done: (at: number) => void } | undefined;
  #failure: unknown;

  constructor(connection: Connection, userAgent: string) {
    this.#client = openClient(connection, { qps: Infinity, userAgent });
  }

  /** Creates the definition, the namespace and the Shops, and starts to watch. */
  async begin(objects: number): Promise<void> {
    await this.#client.create(apiextensions.CustomResourceDefinition, crdManifest(shop));
    await until('Shops are served', () => this.#client.list(shops), { within: 60_000 });
    await this.#client.create(core.Namespace, { metadata: { name: namespace } });
    await runConcurrently(objects, (index) => this.#client.create(shops, shopOf(index)));
    await this.#watch(shops, this.#shops, () => undefined);
    await this.#watch(core.ConfigMap, this.#configMaps, (at) => {
      if (this.#configMaps.size === this.#expected?.count) this.#expected.done(at);
    });
  }

  /** Deletes all ConfigMaps. */
  async clear(): Promise<void> {
    const { items } = await this.#client.list(core.ConfigMap, {
      namespace,
      limit: 1_000_000,
      metadataOnly: true,
    });
    await runConcurrently(items.length, (index) => {
      const name = items[index]?.metadata.name ?? '';
      return this.#client.delete(core.ConfigMap, { namespace, name }).catch(ifGone);
    });
    this.#configMaps.clear();
  }

  /** Resolves when so many ConfigMaps have arrived since the last `clear`, with the time. */
  async made(count: number): Promise<number> {
    const { promise, resolve } = Promise.withResolvers<number>();
    this.#expected = { count, done: resolve };
    const at = await Promise.race([promise, this.#late(`${count} ConfigMaps are there`)]);
    this.#expected = undefined;
    return at;
  }

  /**
   * Changes so many Shops, one every so many milliseconds. Returns for each the milliseconds until the
   * change of its ConfigMap arrived.
   */
  async change(count: number, every: number): Promise<number[]> {
    this.#shops.clear();
    this.#configMaps.clear();
    const changed = this.made(count);
    const begun = performance.now();
    const sent: Promise<unknown>[] = [];
    for (let index = 0; index < count; index++) {
      await pause(Math.max(0, begun + index * every - performance.now()));
      const replicas = Math.floor(begun) % 1_000_000;
      const patch = { spec: { replicas } };
      sent.push(this.#client.patch(shops, { namespace, name: nameOf(index) }, patch));
    }
    await Promise.all(sent);
    await changed;
    return Array.from(this.#configMaps, ([name, at]) => at - (this.#shops.get(name) ?? NaN));
  }

  close(): void {
    this.#stop.abort();
    this.#client.close();
  }

  async #watch(kind: Kind, arrivals: Arrivals, onArrival: (at: number) => void): Promise<void> {
    const { signal } = this.#stop;
    const { resourceVersion } = await this.#client.list(kind, {
      namespace,
      limit: 1,
      metadataOnly: true,
    });
    const events = this.#client.watch(kind, {
      namespace,
      metadataOnly: true,
      resourceVersion,
      timeoutSeconds: 3600,
      signal,
    });
    const follow = async (): Promise<void> => {
      for await (const event of events) {
        if (event.type !== 'ADDED' && event.type !== 'MODIFIED') continue;
        const at = performance.now();
        arrivals.set(event.object.metadata.name, at);
        onArrival(at);
      }
      throw new Error(`the watch of ${kind.plural} must last as long as the benchmark`);
    };
    follow().catch((error: unknown) => {
      if (!signal.aborted) this.#failure = error;
    });
  }

  /** Rejects at the timeout, or when the wait can no longer succeed. */
  async #late(what: string): Promise<never> {
    for (let second = 0; second < TIMEOUT && this.#failure === undefined; second++) {
      await pause(1000, undefined, { ref: false });
    }
    throw this.#failure ?? new Error(`timed out after ${TIMEOUT} s waiting until ${what}`);
  }
}

function nameOf(index: number): string {
  return `shop-${String(index).padStart(6, '0')}`;
}

/** Builds one Shop of the fleet. */
export function shopOf(index: number) {
  const name = nameOf(index);
  const team = `team-${index % 300}`;
  return {
    metadata: {
      name,
      namespace,
      labels: { 'app.kubernetes.io/part-of': name, 'example.com/team': team },
      annotations: { 'example.com/contact': `${team}@example.com` },
    },
    spec: {
      replicas: 3,
      memory: '512Mi',
      storage: '10Gi',
      owner: `github:${team}`,
      namespaces: [`${name}-dev`, `${name}-test`, `${name}-prod`],
      network: { isolation: 'SameTenant', allowFrom: [{ tenant: 'ingress' }] },
    },
    status: {
      observedGeneration: 3,
      conditions: [
        {
          type: 'Ready',
          status: 'True' as const,
          reason: 'Reconciled',
          message: 'all objects are as declared',
          observedGeneration: 3,
          lastTransitionTime: '2026-01-01T00:00:00Z',
        },
      ],
    },
  };
}
