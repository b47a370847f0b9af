import { openClient } from '../../runtime/client/open-client.ts';
import type { Controller } from '../../runtime/controller/declaration.ts';
import { LeadershipLost } from '../../runtime/leader/not-leading.ts';
import { jsonLog } from '../../runtime/log/log.ts';
import { Manager, type ManagerProps } from '../../runtime/manager/manager.ts';
import type { UnsteadyClock } from '../../testing/clock/unsteady-clock.ts';
import type { FaultyProxy } from '../../testing/faults/faulty-proxy.ts';
import type { ShopEvents } from './shops.ts';
import { NotificationLog } from './notification-log.ts';

export interface OperatorProps {
  readonly proxy: FaultyProxy;
  readonly clock: UnsteadyClock;
  /** Those of one life. */
  readonly controllers: (events: ShopEvents) => readonly Controller[];
  readonly leaderElection?: ManagerProps['leaderElection'];
  /** @default - nobody listens */
  readonly events?: Partial<Pick<ShopEvents, 'reconciled' | 'cleanedUp'>> | undefined;
}

/** From its start until it has stopped or crashed. */
interface Life {
  readonly notifications: NotificationLog;
  readonly stop: AbortController;
  /** After a crash nothing that it does counts. */
  isDead: boolean;
  ended: Promise<void>;
}

/** An operator behind a proxy of its own. It lives several times, and remembers nothing of a life before. */
export class Operator {
  readonly #props: OperatorProps;
  #life: Life | undefined;
  #moving: Promise<void> = Promise.resolve();
  lives = 0;
  /** How often it lost the lead. */
  losses = 0;
  notificationCount = 0;
  /** What no life may do, a line each. */
  readonly problems: string[] = [];
  /** The uids of what was added while it lived, by kind and name. */
  readonly made = new Map<string, Set<string>>();
  /** The newest lines of its log. */
  readonly log: string[] = [];

  constructor(props: OperatorProps) {
    this.#props = props;
  }

  get isRunning(): boolean {
    return this.#life !== undefined;
  }

  /** Unless it runs. After a lost lead it starts again by itself. */
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

  /** Ends in order: the lease is given back. */
  stop(): Promise<void> {
    this.#life?.stop.abort(new Error('it is to stop'));
    return this.#life?.ended ?? Promise.resolve();
  }

  /** Its process is gone at once, and another one begins. Its proxy must be down. */
  crashed(): Promise<void> {
    const life = this.#life;
    if (life) life.isDead = true;
    return this.#again(() => this.#props.proxy.restart());
  }

  /** Stops in order, and starts again. */
  handOver(): Promise<void> {
    return this.#again();
  }

  /** What was asked for before is done first. */
  #again(between: () => void = () => {}): Promise<void> {
    this.#moving = this.#moving.then(async () => {
      await this.stop();
      between();
      this.start();
    });
    return this.#moving;
  }

  /** Resolves when no start or end is under way. */
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
