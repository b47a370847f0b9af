import type { Clock } from '@tenantry/runtime/clock/clock';
import { ConfigMap, Secret } from '@tenantry/runtime/kinds/core';
import type { UnsteadyClock } from '@tenantry/testing/clock/unsteady-clock';
import type { Fault } from '@tenantry/testing/faults/fault';
import {
  isList,
  isStreamedList,
  isWatch,
  isWrite,
  nth,
  of,
  type Matches,
} from '@tenantry/testing/faults/requests';
import type { FaultyProxy } from '@tenantry/testing/faults/faulty-proxy';
import type { Chance } from '@tenantry/testing/simulation/random';
import type { Operator } from './operator.ts';

/** One of the replicas, with its proxy and clock. */
export interface Replica {
  readonly operator: Operator;
  readonly proxy: FaultyProxy;
  readonly clock: UnsteadyClock;
}

export interface ChaosProps {
  readonly replicas: readonly [Replica, ...Replica[]];
  readonly clock: Clock;
  readonly chance: Chance;
  /** The maximum of milliseconds between two faults. */
  readonly every: number;
  /** Returns the current version of the server. */
  readonly version: () => string;
}

const hour = 3_600_000;

const noStream: Fault = { kind: 'refuse', status: 422, reason: 'Invalid' };

/** If this number of faults of a replica wait for requests that do not come, they are dropped. */
const mostPlanned = 6;

const expiredLine = `${JSON.stringify({
  type: 'ERROR',
  object: { kind: 'Status', status: 'Failure', code: 410, reason: 'Expired' },
})}\n`;

/** Injects random faults continuously. */
export class Chaos {
  /** The number of occurrences of each fault. */
  readonly counts = new Map<string, number>();
  readonly #props: ChaosProps;
  readonly #planned = new Map<Replica, Set<Fault>>();

  constructor(props: ChaosProps) {
    this.#props = props;
  }

  get count(): number {
    return this.counts.values().reduce((sum, count) => sum + count, 0);
  }

  async run(until: AbortSignal): Promise<void> {
    const { chance, clock, every, replicas } = this.#props;
    while (!until.aborted) {
      await clock.sleep(chance.whole(1, every), until).catch(() => {});
      if (!until.aborted) this.#strike(chance.pick(replicas));
    }
  }

  /** Drops all planned faults, so that every request passes. */
  async end(): Promise<void> {
    for (const { proxy, operator } of this.#props.replicas) {
      proxy.clear();
      proxy.thaw();
      await operator.moved;
    }
  }

  #strike(replica: Replica): void {
    const { chance } = this.#props;
    const part = chance.random();
    if (part < 0.62) this.#plan(replica);
    else if (part < 0.86) this.#fromOutside(replica);
    else if (part < 0.92) this.#crash(replica);
    else if (part < 0.95) {
      this.#happened('handed over');
      void replica.operator.handOver();
    } else {
      this.#happened('date put');
      replica.clock.putDate(chance.whole(-hour, hour));
    }
  }

  #plan(replica: Replica): void {
    const { chance } = this.#props;
    const fault = this.#fault();
    if ((this.#planned.get(replica)?.size ?? 0) >= mostPlanned) {
      replica.proxy.clear();
      this.#planned.delete(replica);
    }
    const which = chance.pick<[string, Matches]>([
      ['list', isList],
      ['streamed list', isStreamedList],
      ['watch', (received) => isWatch(received) && !isStreamedList(received)],
      ['write', isWrite],
      ['request for shops', of(ConfigMap)],
      ['request for tills', of(Secret)],
    ]);
    const [name, matches] = which;
    // Paged lists occur only if the server cannot stream lists.
    if (name === 'list') void replica.proxy.next(noStream, isStreamedList);
    const planned = this.#planned.get(replica) ?? new Set();
    this.#planned.set(replica, planned.add(fault));
    void replica.proxy.next(fault, matches).then(() => {
      planned.delete(fault);
      this.#happened(`${fault.kind} of a ${name}`);
    });
  }

  #fault(): Fault {
    const { chance, version } = this.#props;
    const after = chance.whole(0, 1500);
    const retryAfter = chance.whole(1, 3);
    return chance.pick<Fault>([
      { kind: 'reset' },
      { kind: 'hang' },
      { kind: 'refuse', status: 410, reason: 'Expired' },
      { kind: 'refuse', status: 429, reason: 'TooManyRequests', retryAfter },
      { kind: 'refuse', status: 500, reason: 'InternalError' },
      { kind: 'refuse', status: 503, reason: 'ServiceUnavailable' },
      { kind: 'answer', text: '<html>' },
      { kind: 'lose' },
      { kind: 'cut', after },
      { kind: 'stall', after },
      { kind: 'delay', milliseconds: after },
      { kind: 'trickle', bytes: 100, every: 2 },
      { kind: 'repeat' },
      { kind: 'stale' },
      { kind: 'past', resourceVersion: version() },
    ]);
  }

  #fromOutside({ proxy }: Replica): void {
    const { chance, clock } = this.#props;
    const what = chance.pick(['cut', 'ended', 'expired', 'frozen']);
    this.#happened(`watches ${what}`);
    if (what === 'cut') proxy.cut(isWatch);
    if (what === 'ended') proxy.end(isWatch);
    if (what === 'expired') proxy.insert(expiredLine, isWatch);
    if (what !== 'frozen') return;
    proxy.freeze();
    clock.after(chance.whole(100, 3000), () => proxy.thaw());
  }

  #crash({ proxy, operator }: Replica): void {
    const { chance } = this.#props;
    const at = chance.pick<'before' | 'after'>(['before', 'after']);
    const write = nth(chance.whole(1, 5), isWrite);
    void proxy.next({ kind: 'crash', at }, write).then(async () => {
      this.#happened(`crash ${at} a write`);
      if (proxy.isDown) await operator.crashed();
    });
  }

  #happened(what: string): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + 1);
  }
}
