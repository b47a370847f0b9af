import type { Client } from '@tenantry/runtime/client/client';
import { systemClock, type Clock } from '@tenantry/runtime/clock/clock';
import type { Connection } from '@tenantry/runtime/connection/connection';
import { ConfigMap, ServiceAccount } from '@tenantry/runtime/kinds/core';
import { leaseElection } from '@tenantry/runtime/leader/lease-election';
import { seededRandom, createChance, type Chance } from '@tenantry/testing/simulation/random';
import { UnsteadyClock } from '@tenantry/testing/clock/unsteady-clock';
import { until } from '@tenantry/testing/waiting/until';
import { FaultyProxy } from '@tenantry/testing/faults/faulty-proxy';
import { isWatch } from '@tenantry/testing/faults/requests';
import { Chaos, type Replica } from './chaos.ts';
import { Ledger } from './ledger.ts';
import { memoryNow, type Memory } from './memory.ts';
import { Operator } from './operator.ts';
import {
  inventoryController,
  shopController,
  tillController,
  townIn,
  unsettled,
  type ShopEvents,
} from './shops.ts';
import { write } from './writers.ts';

export interface SoakProps {
  /** The connection of the replicas; faults are injected into it. */
  readonly connection: Connection;
  /** A client without faults. */
  readonly client: Client;
  /** An empty namespace with the service account of the controller manager. */
  readonly namespace: string;
  /** The duration of writes and faults; afterwards everything settles. */
  readonly milliseconds: number;
  readonly seed: number;
  /** Receives progress lines. @default - none */
  readonly report?: ((line: string) => void) | undefined;
  /** Milliseconds from one line to the next. @default 30,000 */
  readonly reportEvery?: number | undefined;
}

export interface SoakResult {
  readonly seed: number;
  /** Changes and deletions that were written. */
  readonly changes: number;
  readonly deletions: number;
  readonly reconciles: number;
  readonly cleanUps: number;
  /** Notifications of handlers after the start of each run of a replica. */
  readonly notificationCount: number;
  /** Milliseconds from a change to the end of the resulting reconcile. */
  readonly lag: { readonly p50: number; readonly p99: number; readonly most: number };
  /** The number of occurrences of each fault. */
  readonly faults: ReadonlyMap<string, number>;
  readonly lives: number;
  readonly lostLeads: number;
  /** After a tenth of the time, and at the end. */
  readonly memory: { readonly start: Memory; readonly end: Memory };
  /** Changes without an effect. */
  readonly missed: number;
  /** All other violations, one line each. */
  readonly problems: readonly string[];
}

/** The rate of the replicas' clocks: a wait of half a minute takes six seconds. */
const rate = 5;

/** The MiB by which the heap may grow from the first tenth to the end. */
const mostGrowth = 24;

/** Watches of a replica: of shops, tills and the service account. */
const watches = 3;

/** Milliseconds within which everything must settle after the last fault. */
const within = 120_000;

/** Runs two replicas of an operator that keep a town under constant faults, and counts the missed changes. */
export async function soak(props: SoakProps): Promise<SoakResult> {
  const run = new Soak(props, createChance(seededRandom(props.seed)));
  await run.start();
  try {
    return await run.run();
  } finally {
    await run.stop();
  }
}

class Soak {
  readonly #props: SoakProps;
  readonly #chance: Chance;
  readonly #clock: Clock = systemClock;
  readonly #ledger = new Ledger(this.#clock);
  readonly #replicas: Replica[] = [];
  readonly #problems: string[] = [];
  readonly #versions: string[] = [];

  constructor(props: SoakProps, chance: Chance) {
    this.#props = props;
    this.#chance = chance;
  }

  async start(): Promise<void> {
    const { client, namespace } = this.#props;
    const account = { namespace, name: 'default' };
    await until('there is a service account', () => client.get(ServiceAccount, account), {
      within: 60_000,
    });
    await this.#noteVersion();
    for (let count = 0; count < 2; count += 1) this.#replicas.push(await this.#replica());
    for (const { operator } of this.#replicas) operator.start();
  }

  async run(): Promise<SoakResult> {
    const { milliseconds, client, namespace, seed } = this.#props;
    const ledger = this.#ledger;
    const [clock, chance] = [this.#clock, this.#chance];
    const [first, ...others] = this.#replicas;
    const chaos = new Chaos({
      replicas: [first!, ...others],
      clock,
      chance,
      every: 600,
      version: () => this.#versions[chance.whole(0, this.#versions.length - 1)] ?? '1',
    });
    const over = new AbortController();
    const writing = write({ client, namespace, clock, chance, ledger, every: 60 }, over.signal);
    const breaking = chaos.run(over.signal);
    const reporting = this.#reportProgress(chaos, over.signal);
    await clock.sleep(milliseconds / 10);
    const start = memoryNow();
    await clock.sleep((milliseconds * 9) / 10);
    over.abort();
    await Promise.all([writing, breaking, reporting]);
    await chaos.end();
    await this.#rest();
    const end = memoryNow();
    if (end.heap - start.heap > mostGrowth) {
      this.#problems.push(`the heap grew from ${start.heap} to ${end.heap} MiB`);
    }
    await this.#stopAll();
    const operators = this.#replicas.map(({ operator }) => operator);
    const sum = (of: (operator: Operator) => number): number =>
      operators.reduce((sum, operator) => sum + of(operator), 0);
    return {
      seed,
      changes: ledger.changes,
      deletions: ledger.deletions,
      reconciles: ledger.reconciles,
      cleanUps: ledger.cleanUps,
      notificationCount: sum(({ notificationCount }) => notificationCount),
      lag: lagOf(ledger.lags),
      faults: chaos.counts,
      lives: sum(({ lives }) => lives),
      lostLeads: sum(({ losses }) => losses),
      memory: { start, end },
      missed: ledger.missing,
      problems: [...this.#problems, ...operators.flatMap(({ problems }) => problems)],
    };
  }

  async stop(): Promise<void> {
    for (const { operator, proxy } of this.#replicas) {
      await operator.stop();
      await proxy.stop();
    }
  }

  async #replica(): Promise<Replica> {
    const { connection, namespace } = this.#props;
    const proxy = await FaultyProxy.start(connection);
    const clock = new UnsteadyClock({ clock: this.#clock, rate });
    const operator = new Operator({
      proxy,
      clock,
      controllers: (events: ShopEvents) => [
        shopController(namespace, events),
        tillController(namespace),
        inventoryController(namespace, events),
      ],
      leaderElection: (deps) => leaseElection({ ...deps, lease: { name: 'soak', namespace } }),
      events: {
        reconciled: (shop) => this.#ledger.reconciled(shop),
        cleanedUp: (shop) => this.#ledger.cleanedUp(shop),
      },
    });
    return { operator, proxy, clock };
  }

  /** Prints progress, and remembers versions of the server for the fault `past`. */
  async #reportProgress(chaos: Chaos, over: AbortSignal): Promise<void> {
    const { report, reportEvery = 30_000 } = this.#props;
    const began = this.#clock.now();
    let next = reportEvery;
    while (!over.aborted) {
      await this.#clock.sleep(500, over).catch(() => {});
      await this.#noteVersion();
      const passed = this.#clock.now() - began;
      if (passed < next) continue;
      next += reportEvery;
      const { changes, reconciles, missing } = this.#ledger;
      const { rss } = process.memoryUsage();
      report?.(
        `${Math.round(passed / 1000)} s: ${changes} changes, ${reconciles} reconciles, ${missing} on their way, ${chaos.count} faults, ${Math.round(rss / 2 ** 20)} MiB`,
      );
    }
  }

  async #noteVersion(): Promise<void> {
    const { client, namespace } = this.#props;
    const { resourceVersion } = await client.list(ConfigMap, { namespace, limit: 1 });
    this.#versions.push(resourceVersion);
    if (this.#versions.length > 20) this.#versions.shift();
  }

  /** Waits until everything has settled; what has not after a while is a problem. */
  async #rest(): Promise<void> {
    const { client, namespace } = this.#props;
    let last: string[] = [];
    const isAtRest = async (): Promise<boolean> => {
      last = unsettled(await townIn(client, namespace), true);
      return last.length === 0 && this.#ledger.missing === 0;
    };
    await until('all is at rest', isAtRest, { within }).catch(() => this.#problems.push(...last));
    const open = (): number[] => this.#replicas.map(({ proxy }) => proxy.open(isWatch));
    await until('each replica has its watches', () =>
      open().every((count) => count === watches),
    ).catch(() => this.#problems.push(`of ${watches} watches each are open: ${open().join(', ')}`));
  }

  /** Stops all replicas; open requests and timers afterwards are a problem. */
  async #stopAll(): Promise<void> {
    for (const { operator, proxy, clock } of this.#replicas) {
      await operator.stop();
      const isOver = () => proxy.open() + proxy.openConnections + clock.waiting === 0;
      await until('nothing is left behind', isOver).catch(() =>
        this.#problems.push(
          `left behind: ${proxy.open()} answers, ${proxy.openConnections} connections, ${clock.waiting} timers`,
        ),
      );
    }
  }
}

function lagOf(lags: readonly number[]): SoakResult['lag'] {
  const sorted = lags.toSorted((one, other) => one - other);
  const at = (part: number): number =>
    Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0);
  return { p50: at(0.5), p99: at(0.99), most: at(1) };
}
