import { loadavg } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import type { AuditLog } from './audit.ts';
import type { Observer } from './observer.ts';
import { OperatorProcess, type OperatorCommand } from './process.ts';

/** What is measured of one run; seconds, milliseconds of latencies, MB (10^6 bytes). */
export interface OperatorRun {
  /** From its start until every Shop has its ConfigMap, as the observer sees it. */
  readonly wall: number;
  /** Of the processor, until then. */
  readonly cpu: number;
  /** Resident, once it has been at rest after that for `SETTLED` seconds. */
  readonly memory: number;
  readonly peak: number;
  /** Of the processor, a second, at rest. */
  readonly rest: number;
  readonly median: number;
  readonly percentile99: number;
  /** From its start until it has looked at all, where nothing is to be done. */
  readonly restart: number;
  readonly restartCpu: number;
  readonly restartMemory: number;
  /** Writes that the server saw after the restart. */
  readonly restartWrites: number;
  readonly load: number;
}

export type Quantity = Exclude<keyof OperatorRun, 'load'>;

export interface Track {
  readonly observer: Observer;
  readonly audit: AuditLog;
  readonly objects: number;
  readonly changes: number;
}

/** Milliseconds between two changes, which the operator and the API server can keep up with. */
const EVERY = 20;
/** Seconds for which it is looked at while at rest. */
const REST = 4;
/** Seconds at rest after which memory is read: V8 and Go give back by and by what they no longer need. */
export const SETTLED = 20;

/** One operator: everything made, at rest, changed here and there, and started again. */
export async function run(
  command: OperatorCommand,
  { observer, audit, objects, changes }: Track,
): Promise<OperatorRun> {
  await observer.clear();
  const [load = 0] = loadavg();
  const made = observer.made(objects);
  const first = new OperatorProcess(command);
  try {
    const wall = (await untilEnded(first, made)) - first.started;
    const cpu = first.cpuSeconds;
    await settled(first);
    const { now: memory, most: peak } = first.memory;
    const before = first.cpuSeconds;
    await pause(REST * 1000);
    const rest = (first.cpuSeconds - before) / REST;
    const latencies = await untilEnded(first, observer.change(changes, EVERY));
    await first.stop();
    return {
      ...(await restarted(command, audit)),
      wall: wall / 1000,
      cpu,
      memory,
      peak,
      rest,
      load,
      median: percentile(latencies, 0.5),
      percentile99: percentile(latencies, 0.99),
    };
  } finally {
    first.kill();
  }
}

async function settled(operator: OperatorProcess): Promise<void> {
  await operator.rest();
  await pause(SETTLED * 1000);
}

async function restarted(command: OperatorCommand, audit: AuditLog) {
  const { end } = audit;
  const again = new OperatorProcess(command);
  try {
    const restart = ((await again.reconciled) - again.started) / 1000;
    const restartCpu = again.cpuSeconds;
    await settled(again);
    const { now: restartMemory } = again.memory;
    await again.stop();
    return { restart, restartCpu, restartMemory, restartWrites: audit.writesSince(end) };
  } finally {
    again.kill();
  }
}

/** What happens, unless the operator ends before. */
function untilEnded<T>(operator: OperatorProcess, happens: Promise<T>): Promise<T> {
  return Promise.race([happens, operator.reconciled.then(() => happens)]);
}

/** The value below which a share of all lies: the smallest that so many are not above. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? NaN;
}
