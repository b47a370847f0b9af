/** Equality of JSON values as the API server defines it. */
import { isDeepEqual } from '@tenantry/kube/json';
import { isMapping, entryOf } from '@tenantry/kube/mapping';
import { toServerNumber } from './numbers.ts';
import type { JSONSchemaProps } from '../json-schema.ts';

/** Compares deeply; a whole number never equals a floating-point one. */
export function isEqual(a: unknown, b: unknown): boolean {
  return isDeepEqual(a, b, isSameNumber);
}

function isSameNumber(a: unknown, b: unknown): boolean {
  return isNumeric(a) && isNumeric(b) && toServerNumber(a) === toServerNumber(b);
}

export function isNumeric(value: unknown): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}

/**
 * Whether a value other than null is one of an enum. The API server converts between kinds of scalars as Go does. It
 * truncates a fraction before it compares it with a whole number. It converts a whole number to the character of that
 * code before it compares it with a string.
 */
export function isOneOf(values: readonly unknown[], value: unknown): boolean {
  const number = isNumeric(value) ? toServerNumber(value) : undefined;
  if (number === undefined) return values.some((one) => isEqual(value, one));
  return values.some((one) => isConverted(number, one));
}

function isConverted(number: bigint | number, one: unknown): boolean {
  if (typeof one === 'string') return typeof number === 'bigint' && characterOf(number) === one;
  const wanted = isNumeric(one) ? toServerNumber(one) : undefined;
  if (typeof wanted === 'number') return Number(number) === wanted;
  return (typeof number === 'number' ? BigInt(Math.trunc(number)) : number) === wanted;
}

function characterOf(code: bigint): string {
  const isCharacter = code >= 0n && code <= 0x10ffffn && !(code >= 0xd800n && code <= 0xdfffn);
  return isCharacter ? String.fromCodePoint(Number(code)) : '\ufffd';
}

/** Computes a text that is the same for equal items of a set only. */
export function computeEqualityKey(value: unknown): string {
  return typeof value === 'string' ? `"${value}` : written(value);
}

/** Computes the same for values within others. */
function written(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  // The text of a 64-bit integer never equals that of a floating-point number.
  if (isNumeric(value)) return String(toServerNumber(value));
  if (Array.isArray(value)) return `[${value.map(written).join()}]`;
  if (!isMapping(value)) return String(value);
  const fields = Object.keys(value).toSorted();
  return `{${fields.map((key) => `${JSON.stringify(key)}:${written(value[key])}`).join()}}`;
}

/** A duplicate in a list. */
interface DuplicateItem {
  readonly index: number;
  readonly first: number;
  /** The duplicate value: the item, or its first key; undefined if it has none. */
  readonly value: unknown;
}

/** Whether a list is as unique as its schema requires; undefined if the schema has no such requirement. */
export function isUniqueList(
  schema: JSONSchemaProps,
): ((list: readonly unknown[]) => boolean) | undefined {
  const identity = identityIn(schema);
  return identity && ((list) => new Set(list.map(identity)).size === list.length);
}

/** Finds every item that duplicates an earlier one. */
export function findDuplicates(schema: JSONSchemaProps, list: readonly unknown[]): DuplicateItem[] {
  const identity = identityIn(schema);
  if (!identity) return [];
  const [key] = schema['x-kubernetes-list-map-keys'] ?? [];
  const seen = new Map<string, number>();
  return list.flatMap((item, index) => {
    const id = identity(item);
    const first = seen.get(id);
    if (first !== undefined) return [{ index, first, value: shown(item, key) }];
    seen.set(id, index);
    return [];
  });
}

/** Returns what messages show of an item: its first key in a list with keys, otherwise the item. */
function shown(item: unknown, key: string | undefined): unknown {
  if (key === undefined) return item;
  return keyOf(item, key);
}

/** Returns a function that computes the identity of an item; undefined if duplicates are allowed. */
function identityIn(schema: JSONSchemaProps): ((item: unknown) => string) | undefined {
  const keys = schema['x-kubernetes-list-map-keys'];
  const [only = ''] = keys ?? [];
  if (keys?.length === 1) return (item) => computeEqualityKey(keyOf(item, only));
  if (keys) return (item) => computeEqualityKey(keys.map((key) => keyOf(item, key)));
  const isSet = schema['x-kubernetes-list-type'] === 'set';
  return isSet || schema.uniqueItems ? computeEqualityKey : undefined;
}

/** Returns the key of an item; undefined if it has none. */
function keyOf(item: unknown, key: string): unknown {
  return isMapping(item) ? entryOf(item, key) : undefined;
}
