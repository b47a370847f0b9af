import { isDeepStrictEqual } from 'node:util';
import { parseQuantity } from '../../kube/quantity.ts';
import { parseTime } from '../../kube/time.ts';

/** Nanoseconds of what times hold, by their types. */
const precisions: Readonly<Record<string, bigint>> = { time: 1_000_000_000n, microtime: 1_000n };
/** Billionths of a thousandth, which is the finest that a list of resources holds. */
const MILLI = 1_000_000n;

/**
 * Whether a live value says the declared one.
 * @param type of Kubernetes' own, as `builtinFields` says it. Undefined: as they are written
 */
export function isSameScalar(declared: unknown, live: unknown, type: string | undefined): boolean {
  if (isDeepStrictEqual(declared, live)) return true;
  if (type === 'quantity')
    return isAmount(declared) && isAmount(live) && isSameAmount(declared, live);
  if (typeof declared !== 'string' || typeof live !== 'string') return false;
  const precision = type === undefined ? undefined : precisions[type];
  if (precision !== undefined) return isSameTime(declared, live, precision);
  return type === 'bytes' && bytesIn(declared) === bytesIn(live);
}

function isAmount(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number';
}

/** Where it is finer than a list of resources can hold, the API server rounds it up. */
function isSameAmount(declared: string | number, live: string | number): boolean {
  const [wanted, there] = [parseQuantity(declared), parseQuantity(live)];
  if (wanted === undefined || there === undefined) return false;
  return wanted === there || (wanted > 0n && ((wanted + MILLI - 1n) / MILLI) * MILLI === there);
}

function isSameTime(declared: string, live: string, precision: bigint): boolean {
  const [wanted, there] = [parseTime(declared), parseTime(live)];
  if (!wanted || !there) return false;
  return wanted.nanos / precision === there.nanos / precision;
}

/** Base64 may be broken into lines. */
function bytesIn(text: string): string {
  return Buffer.from(text, 'base64').toString('base64');
}
