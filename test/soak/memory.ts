import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** MiB. */
export interface Memory {
  /** Of the process, all that it got from the machine. */
  readonly rss: number;
  /** What is in use after a collection of garbage. */
  readonly heap: number;
}

const mebibytes = (bytes: number): number => Math.round(bytes / 2 ** 18) / 4;

/** After all garbage was collected. */
export function memoryNow(): Memory {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  // What V8 has compiled it takes back under the same flags alone.
  setFlagsFromString('--no-expose-gc');
  collect();
  const { rss, heapUsed } = process.memoryUsage();
  return { rss: mebibytes(rss), heap: mebibytes(heapUsed) };
}
