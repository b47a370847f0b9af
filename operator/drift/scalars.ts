import { isDeepStrictEqual } from 'node:util';
import { parseQuantity } from '../../kube/quantity.ts';
import { parseTime } from '../../kube/time.ts';

/** The precision of time types, in nanoseconds. */
const precisions: Readonly<Record<string, bigint>> = { time: 1_000_000_000n, microtime: 1_000n };
/** Billionths in a thousandth, the finest unit that a list of resources holds. */
const MILLI = 1_000_000n;

/**
 * Whether a live value equals the declared one.
 * @param type the built-in type, as `builtinFields` names it. Undefined: values are compared as written
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

/** Compares two quantities. The API server rounds up amounts that are finer than a list of resources can hold. */
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

/** Decodes base64, which may contain line breaks. */
function bytesIn(text: string): string {
  return Buffer.from(text, 'base64').toString('base64');
}
