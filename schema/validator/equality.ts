/** When two values of JSON are one for the API server. */
import { same } from '../../kube/equality.ts';
import { isMapping } from '../../kube/mapping.ts';
import { numberOf } from './numbers.ts';

/** Deep equality, where a whole number never equals a floating-point one. */
export function isEqual(a: unknown, b: unknown): boolean {
  return same(a, b, isSameNumber);
}

function isSameNumber(a: unknown, b: unknown): boolean {
  return isNumeric(a) && isNumeric(b) && numberOf(a) === numberOf(b);
}

export function isNumeric(value: unknown): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}

/**
 * Whether a value is one of an enum. Between kinds of scalars the API server converts as Go does:
 * a fraction is cut off before it is compared with a whole number, and a whole number is the
 * character of that code before it is compared with a string. Null is never one.
 */
export function isOneOf(values: readonly unknown[], value: unknown): boolean {
  return values.some((one) => one !== null && (isEqual(value, one) || isConverted(value, one)));
}

function isConverted(value: unknown, one: unknown): boolean {
  if (!isNumeric(value)) return false;
  const number = numberOf(value);
  if (typeof one === 'string') return typeof number === 'bigint' && characterOf(number) === one;
  if (!isNumeric(one)) return false;
  const wanted = numberOf(one);
  if (typeof number === 'number' && typeof wanted === 'bigint') {
    return Number.isFinite(number) && BigInt(Math.trunc(number)) === wanted;
  }
  return typeof number === 'bigint' && typeof wanted === 'number' && Number(number) === wanted;
}

function characterOf(code: bigint): string {
  const isCharacter = code >= 0n && code <= 0x10ffffn && !(code >= 0xd800n && code <= 0xdfffn);
  return isCharacter ? String.fromCodePoint(Number(code)) : '\ufffd';
}

/** A text that is the same for equal items of a set, and for no others. */
export function identityOf(value: unknown): string {
  if (typeof value === 'string') return `"${value}`;
  if (isNumeric(value)) {
    const number = numberOf(value);
    return typeof number === 'bigint' ? `i${number}` : `f${number}`;
  }
  return typeof value === 'object' && value !== null ? canonical(value) : String(value);
}

/** JSON with the keys in order. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (isMapping(value)) {
    const fields = Object.keys(value).toSorted();
    return `{${fields.map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`).join()}}`;
  }
  return typeof value === 'bigint' ? String(value) : (JSON.stringify(value) ?? 'null');
}
