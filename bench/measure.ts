import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, rmSync } from 'node:fs';
import { loadavg } from 'node:os';

/** A program with its arguments. */
export interface Command {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** Added to the environment of this process. */
  readonly env?: Readonly<Record<string, string>>;
}

/** One run of a program, from its start to its end. Times in seconds. */
export interface Measurement {
  readonly wall: number;
  /** User and system time of all threads; undefined without GNU time. */
  readonly cpu?: number;
  /** The peak memory in MB (10^6 bytes); undefined without GNU time. */
  readonly memory?: number;
  /** The synth phase alone, for programs that report it. */
  readonly phase?: number;
  /** The load of the machine before the run: processes that were ready in the last minute. */
  readonly load: number;
}

const GNU_TIME = '/usr/bin/time';
const withGnuTime = process.platform === 'linux' && existsSync(GNU_TIME);

/**
 * Runs a program and measures it. Its stdout goes to a file. The output of earlier programs is flushed
 * to the disk first, so that it does not slow this one down.
 * @throws {Error} when the exit code is not 0
 */
export function measure({ file, args, cwd, env }: Command, stdout: string): Measurement {
  if (process.platform !== 'win32') spawnSync('sync');
  const [load = 0] = loadavg();
  const notes = `${stdout}.time`;
  const timed = withGnuTime
    ? [GNU_TIME, '-f', '%U %S %M', '-o', notes, '--', file, ...args]
    : [file, ...args];
  const out = openSync(stdout, 'w');
  const started = performance.now();
  const { status, error, stderr } = spawnSync(timed[0]!, timed.slice(1), {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', out, 'pipe'],
    encoding: 'utf8',
  });
  const wall = (performance.now() - started) / 1000;
  closeSync(out);
  if (status !== 0) {
    throw new Error(`${file} ${args.join(' ')} failed: ${error?.message ?? stderr.slice(0, 2000)}`);
  }
  const phaseSeconds = /^synth phase: ([\d.]+) s$/m.exec(stderr)?.[1];
  return {
    wall,
    load,
    ...(withGnuTime && usage(notes)),
    ...(phaseSeconds !== undefined && { phase: Number(phaseSeconds) }),
  };
}

function usage(notes: string): { cpu: number; memory: number } {
  const [user = 0, system = 0, kibibytes = 0] = readFileSync(notes, 'utf8').split(' ').map(Number);
  rmSync(notes);
  return { cpu: user + system, memory: (kibibytes * 1024) / 1e6 };
}

/** Returns the middle value, or the mean of the two middle values. NaN for an empty list. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  if (sorted.length % 2 === 1) return sorted[middle]!;
  return (sorted[middle - 1]! + sorted[middle]!) / 2;
}
