import { parseTime } from '../../kube/time.ts';
import type { Shape } from './field-type.ts';

const nouns = {
  string: 'a string',
  boolean: 'true or false',
  int64: 'a whole number of 64 bits',
  int32: 'a whole number of 32 bits',
  number: 'a number',
  time: "a time such as '2026-01-31T12:00:00Z'",
  bytes: 'base64, with padding',
  list: 'a list',
} as const;

/** Describes the required type of a field. */
export function describeType({ is }: Shape): string {
  return is in nouns ? nouns[is as keyof typeof nouns] : 'a mapping';
}

/** Returns whether the API server reads a JSON value as a scalar of that name. */
export const isScalar = {
  string: (value: unknown) => typeof value === 'string',
  boolean: (value: unknown) => typeof value === 'boolean',
  int64: (value: unknown) => isWhole(value, 2n ** 63n),
  int32: (value: unknown) => isWhole(value, 2n ** 31n),
  number: (value: unknown) => typeof value === 'number' || typeof value === 'bigint',
  time: isTime,
  bytes: isBytes,
  json: () => true,
} as const;

/** Returns whether the number is whole in its JSON form: no fraction, no exponent. */
function isWhole(value: unknown, bound: bigint): boolean {
  if (typeof value !== 'number' && typeof value !== 'bigint') return false;
  const text = String(value);
  if (!/^-?\d+$/.test(text)) return false;
  const whole = BigInt(text);
  return -bound <= whole && whole < bound;
}

function isTime(value: unknown): boolean {
  return typeof value === 'string' && parseTime(value)?.isZoned === true;
}

function isBytes(value: unknown): boolean {
  if (Array.isArray(value)) return value.every((item) => item === null || isByte(item));
  if (typeof value !== 'string') return false;
  const text = value.replaceAll(/[\r\n]/g, '');
  return /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text);
}

function isByte(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 255;
}

/** The rule, and the message, of a required field that the API server reads as false where it is left out. */
export const LEFT_OUT = 'left-out';
export const TAKEN_FOR_FALSE =
  'must be true or false, got nothing, which the API server takes for false';
