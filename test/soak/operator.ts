import { openClient } from '@tenantry/runtime/client/open-client';
import type { Controller } from '@tenantry/runtime/controller/declaration';
import { LeadershipLost } from '@tenantry/runtime/leader/leader-election';
import { jsonLog } from '@tenantry/runtime/log/log';
import { Manager, type ManagerProps } from '@tenantry/runtime/manager/manager';
import type { UnsteadyClock } from '@tenantry/testing/clock/unsteady-clock';
import type { FaultyProxy } from '@tenantry/testing/faults/faulty-proxy';
import type { ShopEvents } from './shops.ts';
import { NotificationLog } from './notification-log.ts';

export interface OperatorProps {
  readonly proxy: FaultyProxy;
  readonly clock: UnsteadyClock;
  /** The controllers of one run. */
  readonly controllers: (events: ShopEvents) => readonly Controller[];
  readonly leaderElection?: ManagerProps['leaderElection'];
  /** @default - none */
  readonly events?: Partial<Pick<ShopEvents, 'reconciled' | 'cleanedUp'>> | undefined;
}

/** A run, from the start until it has stopped or crashed. */
interface Life {
  readonly notifications: NotificationLog;
  readonly stop: AbortController;
  /** After a crash its actions no longer count. */
  isDead: boolean;
  ended: Promise<void>;
}

/** An operator with its own proxy. It runs several times, and each run starts without memory of the previous one. */
export class Operator {
  readonly #props: OperatorProps;
  #life: Life | undefined;
  #moving: Promise<void> = Promise.resolve();
  lives = 0;
  /** The number of lost leases. */
  losses = 0;
  notificationCount = 0;
  /** Violations of any run, one line each. */
  readonly problems: string[] = [];
  /** The uids of objects that were added during its runs, by kind and name. */
  readonly made = new Map<string, Set<string>>();
  /** The latest lines of its log. */
  readonly log: string[] = [];

  constructor(props: OperatorProps) {
    this.#props = props;
  }

  get isRunning(): boolean {
    return this.#life !== undefined;
  }

  /** Starts the operator unless it runs. It restarts itself after it lost its lease. */
  start(): void {
    if (this.#life) return;
    const life: Life = {
      notifications: new NotificationLog(),
      stop: new AbortController(),
      isDead: false,
      ended: Promise.resolve(),
    };
    this.lives += 1;
    this.#life = life;
    life.ended = this.#live(life);
  }

  /** Stops cleanly: the lease is released. */
  stop(): Promise<void> {
    this.#life?.stop.abort(new Error('the operator is stopped'));
    return this.#life?.ended ?? Promise.resolve();
  }

  /** Ends its process immediately and starts another one. Its proxy must be down. */
  crashed(): Promise<void> {
    const life = this.#life;
    if (life) life.isDead = true;
    return this.#again(() => this.#props.proxy.restart());
  }

  /** Stops cleanly and starts again. */
  handOver(): Promise<void> {
    return this.#again();
  }

  /** Restarts after all requested restarts have finished. */
  #again(between: () => void = () => {}): Promise<void> {
    this.#moving = this.#moving.then(async () => {
      await this.stop();
      between();
      this.start();
    });
    return this.#moving;
  }

  /** Resolves when no start or stop is in progress. */
  get moved(): Promise<void> {
    return this.#moving;
  }

  async #live(life: Life): Promise<void> {
    const { proxy, clock, controllers, leaderElection } = this.#props;
    const client = openClient(proxy.connection, { qps: Infinity, clock });
    const manager = new Manager({
      client,
      clock,
      leaderElection,
      controllers: controllers(this.#eventsOf(life)),
      gracefulStop: 20_000,
      log: jsonLog({ clock, write: (line) => this.#note(line) }),
    });
    try {
      await manager.run(life.stop.signal);
    } catch (error) {
      if (error instanceof LeadershipLost) this.losses += 1;
      else if (!life.isDead) this.problems.push(`it ended with ${String(error)}`);
    } finally {
      client.close();
      this.#bury(life);
    }
    if (!life.stop.signal.aborted && !life.isDead) this.start();
  }

  #bury({ notifications }: Life): void {
    this.#life = undefined;
    this.notificationCount += notifications.count;
    this.problems.push(...notifications.problems);
    for (const [key, uids] of notifications.made) {
      this.made.set(key, new Set([...(this.made.get(key) ?? []), ...uids]));
    }
  }

  #eventsOf(life: Life): ShopEvents {
    const { events } = this.#props;
    return {
      reconciled: (shop) => life.isDead || events?.reconciled?.(shop),
      cleanedUp: (shop) => life.isDead || events?.cleanedUp?.(shop),
      notified: (change) => life.notifications.take(change),
    };
  }

  #note(line: string): void {
    this.log.push(line);
    if (this.log.length > 400) this.log.splice(0, 200);
    if (/could not process an object|predicate or mapping failed/.test(line))
      this.problems.push(line);
  }
}
