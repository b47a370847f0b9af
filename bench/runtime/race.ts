import { loadavg } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import type { AuditLog } from './audit.ts';
import type { Observer } from './observer.ts';
import { OperatorProcess, type OperatorCommand } from './process.ts';

/** The measurements of one run: seconds, milliseconds for latencies, MB (10^6 bytes). */
export interface OperatorRun {
  /** From its start until every Shop has its ConfigMap, as the observer sees it. */
  readonly wall: number;
  /** The CPU time until then. */
  readonly cpu: number;
  /** The resident memory after `SETTLED` seconds at rest. */
  readonly memory: number;
  readonly peak: number;
  /** The CPU time a second at rest. */
  readonly rest: number;
  readonly median: number;
  readonly percentile99: number;
  /** From its start until it has reconciled everything, where nothing has to be written. */
  readonly restart: number;
  readonly restartCpu: number;
  readonly restartMemory: number;
  /** Writes in the audit log after the restart. */
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

/** Milliseconds between two changes; the operator and the API server can keep up with that. */
const EVERY = 20;
/** The duration of the measurement at rest, in seconds. */
const REST = 4;
/** Seconds at rest before memory is read: V8 and Go release unused memory gradually. */
export const SETTLED = 20;

/** Measures one operator: creation of everything, at rest, with some changes, and after a restart. */
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

/** Waits for an event; rejects when the operator ends before. */
function untilEnded<T>(operator: OperatorProcess, happens: Promise<T>): Promise<T> {
  return Promise.race([happens, operator.reconciled.then(() => happens)]);
}

/** Returns a percentile: the smallest value that this share of the values does not exceed. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? NaN;
}
