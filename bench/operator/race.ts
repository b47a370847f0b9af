import { loadavg } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { median } from '../measure.ts';
import { countRequests, type AuditLog } from '../runtime/audit.ts';
import { OperatorProcess, type OperatorCommand } from '../runtime/process.ts';
import { percentile } from '../runtime/race.ts';
import { changesOf } from './change.ts';
import {
  isDrifted,
  isReady,
  isUndrifted,
  type StatusPredicate,
  type TenantObserver,
} from './observer.ts';
import type { BenchTenant } from './tenants.ts';

/** The measurements of one run: seconds, milliseconds for latencies and scrapes, MB (10^6 bytes). */
export interface OperatorRun {
  /** From its start until every Tenant has a status. */
  readonly wall: number;
  readonly cpu: number;
  /** The resident memory after `SETTLED` seconds at rest. */
  readonly memory: number;
  readonly peak: number;
  /** At rest, a minute: CPU seconds, and requests to the API server. */
  readonly restCpu: number;
  readonly restRequests: number;
  readonly restWrites: number;
  /** From a change until the status that reports it arrives. */
  readonly median: number;
  readonly percentile99: number;
  /** A minute while objects are changed. */
  readonly changeCpu: number;
  readonly changeRequests: number;
  /** From its start until all drift of the downtime is reported. */
  readonly restart: number;
  readonly restartCpu: number;
  readonly restartMemory: number;
  /** Writes other than those that the changes require. */
  readonly restartWrites: number;
  /** Only for operators that serve metrics. */
  readonly scrape?: number;
  readonly scrapeSize?: number;
  /** From a change of the class until the statuses of all tenants reflect it. */
  readonly classEdit?: number;
  readonly load: number;
}

export type Quantity = Exclude<keyof OperatorRun, 'load'>;

export interface Track {
  readonly observer: TenantObserver;
  readonly audit: AuditLog;
  readonly tenants: readonly BenchTenant[];
  /** The duration of each measurement. */
  readonly seconds: number;
}

/** An operator, by its identity in the API server. */
export interface Entrant {
  readonly user: string;
  readonly command: OperatorCommand;
  readonly metrics?: string | undefined;
}

/** The share of objects that are changed in a minute. */
export const CHANGED = 0.01;
/** Seconds at rest before memory is read: V8 and Go release unused memory gradually. */
export const SETTLED = 20;
const SCRAPES = 5;

/** Measures one operator: all statuses, at rest, under change, and after a restart. */
export async function run(entrant: Entrant, track: Track): Promise<OperatorRun> {
  const { observer, tenants } = track;
  await observer.clear(tenants);
  const [load = 0] = loadavg();
  const race = new Race(entrant, track);
  try {
    return { ...(await race.first()), ...(await race.again()), load };
  } finally {
    race.kill();
  }
}

class Race {
  readonly #entrant: Entrant;
  readonly #track: Track;
  #operator: OperatorProcess;

  constructor(entrant: Entrant, track: Track) {
    this.#entrant = entrant;
    this.#track = track;
    this.#operator = new OperatorProcess(entrant.command);
  }

  kill(): void {
    this.#operator.kill();
  }

  async first() {
    const { tenants } = this.#track;
    const operator = this.#operator;
    const arrivals = await this.#waitForStatuses(
      tenants.map(({ member }) => member.name),
      isReady,
    );
    const wall = (Math.max(...arrivals.values()) - operator.started) / 1000;
    const cpu = operator.cpuSeconds;
    await this.#settle();
    const { now: memory, most: peak } = operator.memory;
    const { seconds } = this.#track;
    const rest = await this.#during(() => pause(seconds * 1000));
    const latencies: number[] = [];
    const change = await this.#during(async () => void latencies.push(...(await this.#change())));
    return {
      wall,
      cpu,
      memory,
      peak,
      restCpu: rest.cpu,
      restRequests: rest.requests,
      restWrites: rest.writes,
      median: percentile(latencies, 0.5),
      percentile99: percentile(latencies, 0.99),
      changeCpu: change.cpu,
      changeRequests: change.requests,
    };
  }

  async again() {
    const { observer, tenants, audit } = this.#track;
    await this.#operator.stop();
    const changes = changesOf(tenants, Math.ceil(tenants.length / 100));
    await observer.change(changes, 'broken', 0);
    const { end } = audit;
    const operator = new OperatorProcess(this.#entrant.command);
    this.#operator = operator;
    const arrivals = await this.#waitForStatuses(
      changes.map(({ tenant }) => tenant),
      isDrifted,
    );
    const restart = (Math.max(...arrivals.values()) - operator.started) / 1000;
    const restartCpu = operator.cpuSeconds;
    await this.#settle();
    const { now: restartMemory } = operator.memory;
    const { writes } = countRequests(audit.linesSince(end), this.#entrant.user);
    const restored = this.#waitForStatuses(arrivals.keys(), isUndrifted);
    await observer.change(changes, 'restored', 0);
    await restored;
    const more = this.#entrant.metrics === undefined ? {} : await this.#ours(this.#entrant.metrics);
    await operator.stop();
    return { restart, restartCpu, restartMemory, restartWrites: writes, ...more };
  }

  /** Measures what only Tenantry's operator has. */
  async #ours(metrics: string) {
    const scrapes: number[] = [];
    let size = 0;
    for (let time = 0; time < SCRAPES; time++) {
      const begun = performance.now();
      size = (await (await fetch(metrics)).arrayBuffer()).byteLength;
      scrapes.push(performance.now() - begun);
    }
    const classEdit = await this.#editClass(
      'gold',
      ({ conditions } = {}) => conditions?.some(({ reason }) => reason === 'RollingOut') ?? false,
    );
    await this.#editClass('standard', isReady);
    return { scrape: median(scrapes), scrapeSize: size / 1e6, classEdit };
  }

  async #editClass(tier: string, matches: StatusPredicate): Promise<number> {
    const { observer, tenants } = this.#track;
    const arrivals = this.#waitForStatuses(
      tenants.map(({ member }) => member.name),
      matches,
    );
    const begun = performance.now();
    await observer.changeClass(tier);
    return (Math.max(...(await arrivals).values()) - begun) / 1000;
  }

  /** Changes objects for half of the time, and reverts the changes in the other half. */
  async #change(): Promise<number[]> {
    const { observer, tenants, seconds } = this.#track;
    const objects = tenants.reduce((sum, one) => sum + 1 + one.objects.length, 0);
    const half = seconds / 2;
    const changes = changesOf(tenants, Math.ceil((objects * CHANGED * half) / 60));
    const latencies: number[] = [];
    for (const [to, matches] of [
      ['broken', isDrifted],
      ['restored', isUndrifted],
    ] as const) {
      const arrivals = this.#waitForStatuses(
        changes.map(({ tenant }) => tenant),
        matches,
      );
      const sentAt = await observer.change(changes, to, half * 1000);
      for (const [name, at] of await arrivals) latencies.push(at - sentAt.get(name)!);
    }
    return latencies;
  }

  /** Returns its CPU time and its requests during a task, a minute. */
  async #during(happens: () => Promise<unknown>) {
    const { audit } = this.#track;
    const [begun, cpu, { end }] = [performance.now(), this.#operator.cpuSeconds, audit];
    await happens();
    const minutes = (performance.now() - begun) / 60_000;
    const { requests, writes } = countRequests(audit.linesSince(end), this.#entrant.user);
    return {
      cpu: (this.#operator.cpuSeconds - cpu) / minutes,
      requests: requests / minutes,
      writes: writes / minutes,
    };
  }

  async #settle(): Promise<void> {
    await this.#operator.rest();
    await pause(SETTLED * 1000);
  }

  /** Waits for the statuses; rejects when the operator ends before. */
  #waitForStatuses(
    names: Iterable<string>,
    matches: StatusPredicate,
  ): Promise<ReadonlyMap<string, number>> {
    const arrivals = this.#track.observer.waitForStatuses(names, matches);
    return Promise.race([arrivals, this.#operator.reconciled.then(() => arrivals)]);
  }
}
