import { setTimeout as pause } from 'node:timers/promises';
import {
  apiextensions,
  core,
  openClient,
  type Connection,
  type OpenedClient,
} from '@tenantry/runtime';
import { crdManifest } from '@tenantry/crd';
import { tenant as tenantDefinition } from '../../crds/tenant.ts';
import type { TenantStatus } from '../../crds/tenant-status.ts';
import { tenantClass } from '../../crds/tenant-class.ts';
import type { KubeObject } from '@tenantry/kube/object';
import { Tenant, TenantClass, getWholeKind } from '../../operator/cluster/kinds.ts';
import type { Client } from '@tenantry/runtime/client/client';
import { findCondition } from '@tenantry/runtime/conditions/conditions';
import type { Live } from '@tenantry/runtime/kinds/kind';
import { until } from '@tenantry/testing/waiting/until';
import { productClass, specOf } from '../fleet.ts';
import { runConcurrently } from '../runtime/run-concurrently.ts';
import type { Change } from './change.ts';
import type { BenchTenant } from './tenants.ts';

/** The timeout of every wait, in seconds. */
const TIMEOUT = 1200;

/** The field manager of the declared objects. */
const fieldManager = 'argocd-controller';

/** A predicate on the status of a Tenant. */
export type StatusPredicate = (status: TenantStatus | undefined) => boolean;

const is =
  (type: string, value: string): StatusPredicate =>
  (status) =>
    findCondition(status?.conditions, type)?.status === value;

export const isReady = is('Ready', 'True');
export const isDrifted = is('Drifted', 'True');
export const isUndrifted = is('Drifted', 'False');

interface Waiting {
  readonly names: Set<string>;
  readonly matches: StatusPredicate;
  readonly arrived: (name: string, at: number) => void;
}

/**
 * Acts as Argo CD and as users, and watches statuses, whichever program writes them. It runs in a
 * process of its own, apart from the operator and the API server.
 */
export class TenantObserver {
  readonly #client: OpenedClient;
  readonly #stop = new AbortController();
  readonly #waiting = new Set<Waiting>();
  #failure: unknown;

  constructor(connection: Connection, userAgent: string) {
    this.#client = openClient(connection, { qps: Infinity, userAgent });
  }

  /** Creates the definitions and the class, and starts to watch. */
  async begin(): Promise<void> {
    for (const one of [tenantDefinition, tenantClass]) {
      await this.#client.create(apiextensions.CustomResourceDefinition, crdManifest(one));
    }
    for (const kind of [Tenant, TenantClass]) {
      await until(`${kind.plural} are served`, () => this.#client.list(kind), { within: 60_000 });
    }
    const name = 'product';
    await this.#client.create(TenantClass, { metadata: { name }, spec: productClass });
    await this.#watch();
  }

  /** Creates tenants and all their declared objects. */
  async add(tenants: readonly BenchTenant[]): Promise<void> {
    await runConcurrently(tenants.length, async (index) => {
      const { member, objects } = tenants[index]!;
      const { name } = member;
      await this.#client.create(Tenant, { metadata: { name }, spec: specOf(member) });
      for (const object of objects) {
        const kind = getWholeKind(object);
        await this.#client.create(kind, object as never, { fieldManager });
        if (object.kind === 'ResourceQuota') await this.#count(object);
      }
    });
  }

  /** Writes the status of a quota as the controller manager does, in a namespace without pods. */
  async #count({ metadata: { name, namespace }, spec }: KubeObject): Promise<void> {
    const { hard } = spec as { readonly hard: Readonly<Record<string, string>> };
    const used = Object.fromEntries(Object.keys(hard).map((resource) => [resource, '0']));
    const status = { hard, used };
    const options = { subresource: 'status', fieldManager: 'kube-controller-manager' } as const;
    await this.#client.patch(core.ResourceQuota, { name, namespace }, { status }, options);
  }

  /** Removes all statuses. */
  async clear(tenants: readonly BenchTenant[]): Promise<void> {
    await runConcurrently(tenants.length, (index) => {
      const { name } = tenants[index]!.member;
      return (this.#client as Client).patch(
        Tenant,
        { name },
        { status: null },
        { subresource: 'status' },
      );
    });
  }

  /**
   * Resolves when the status of each tenant satisfies the predicate, with the arrival times by
   * `performance.now()`. Only a status that arrives after the call counts, and the first one of each
   * tenant.
   */
  async waitForStatuses(
    names: Iterable<string>,
    matches: StatusPredicate,
  ): Promise<ReadonlyMap<string, number>> {
    const arrivals = new Map<string, number>();
    const { promise, resolve } = Promise.withResolvers<void>();
    const open = new Set(names);
    const waiting: Waiting = {
      names: open,
      matches,
      arrived: (name, at) => {
        arrivals.set(name, at);
        open.delete(name);
        if (open.size === 0) resolve();
      },
    };
    this.#waiting.add(waiting);
    try {
      await Promise.race([promise, this.#late(open)]);
    } finally {
      this.#waiting.delete(waiting);
    }
    return arrivals;
  }

  /**
   * Changes the objects, or reverts the changes, evenly over so many milliseconds. Returns when each
   * request was sent.
   */
  async change(
    changes: readonly Change[],
    to: 'broken' | 'restored',
    over: number,
  ): Promise<ReadonlyMap<string, number>> {
    const begun = performance.now();
    const sentAt = new Map<string, number>();
    const sent: Promise<unknown>[] = [];
    for (const [index, { tenant, object, ...patches }] of changes.entries()) {
      await pause(Math.max(0, begun + (index * over) / changes.length - performance.now()));
      const { name, namespace } = object.metadata;
      sentAt.set(tenant, performance.now());
      sent.push(
        (this.#client as Client).patch(
          getWholeKind(object),
          { name, namespace },
          patches[to] as never,
        ),
      );
    }
    await pause(Math.max(0, begun + over - performance.now()));
    await Promise.all(sent);
    return sentAt;
  }

  /** Changes a label that the class sets on all Namespaces. */
  async changeClass(tier: string): Promise<void> {
    const spec = { defaults: { labels: { 'example.com/tier': tier } } };
    await (this.#client as Client).patch(TenantClass, { name: 'product' }, { spec });
  }

  close(): void {
    this.#stop.abort();
    this.#client.close();
  }

  async #watch(): Promise<void> {
    const { signal } = this.#stop;
    const { resourceVersion } = await this.#client.list(Tenant, { limit: 1 });
    const options = { resourceVersion, timeoutSeconds: 4 * 3600, signal };
    const follow = async (): Promise<void> => {
      for await (const event of this.#client.watch(Tenant, options)) {
        if (event.type === 'MODIFIED') this.#resolveWaiting(event.object, performance.now());
      }
      throw new Error('the watch of tenants must last as long as the benchmark');
    };
    follow().catch((error: unknown) => {
      if (!signal.aborted) this.#failure = error;
    });
  }

  #resolveWaiting({ metadata: { name }, status }: Live<typeof Tenant>, at: number): void {
    for (const { names, matches, arrived } of this.#waiting) {
      if (names.has(name) && matches(status)) arrived(name, at);
    }
  }

  /** Rejects at the timeout, or when the wait can no longer succeed. */
  async #late(open: ReadonlySet<string>): Promise<never> {
    for (let second = 0; second < TIMEOUT && this.#failure === undefined; second++) {
      await pause(1000, undefined, { ref: false });
    }
    const [first] = open;
    throw (
      this.#failure ??
      new Error(
        `within ${TIMEOUT} s all must have a matching status, got none for ${first} and ${open.size - 1} more`,
      )
    );
  }
}
