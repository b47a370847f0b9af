import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** MiB. */
export interface Memory {
  /** The memory that the process has got from the machine. */
  readonly rss: number;
  /** The memory in use after a garbage collection. */
  readonly heap: number;
}

const mebibytes = (bytes: number): number => Math.round(bytes / 2 ** 18) / 4;

/** Returns the memory after a full garbage collection. */
export function memoryNow(): Memory {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  // V8 only reuses compiled code under the same flags.
  setFlagsFromString('--no-expose-gc');
  collect();
  const { rss, heapUsed } = process.memoryUsage();
  return { rss: mebibytes(rss), heap: mebibytes(heapUsed) };
}
