/** Equality of JSON values, and the correlation of old and new values, as the API server defines them. */
import { isDeepEqual } from '@tenantry/kube/json';
import { isMapping, entryOf } from '@tenantry/kube/mapping';
import { toServerNumber } from './numbers.ts';
import { schemaOfField, type JSONSchemaProps } from '../json-schema.ts';
import type { SchemaNode } from './schema-node.ts';

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
    // A message shows the first key of an item, or an item without keys.
    const value = key === undefined ? item : keyOf(item, key);
    if (first !== undefined) return [{ index, first, value }];
    seen.set(id, index);
    return [];
  });
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

/**
 * Finds the old item that corresponds to each item of a list: the first with the same keys, in a list with keys. Items
 * that lack a key, and items of other lists, have no old item.
 */
export function oldItems(
  schema: JSONSchemaProps,
  old: unknown,
): ((item: unknown) => unknown) | undefined {
  const keys = schema['x-kubernetes-list-map-keys'];
  if (!keys || !Array.isArray(old)) return undefined;
  const identity = (item: unknown): string | undefined => {
    if (!isMapping(item) || !keys.every((key) => isScalar(item[key]))) return undefined;
    return computeEqualityKey(keys.map((key) => item[key]));
  };
  const byKeys = new Map<string | undefined, unknown>();
  for (const item of old.toReversed()) byKeys.set(identity(item), item);
  byKeys.delete(undefined);
  return (item) => byKeys.get(identity(item));
}

function isScalar(value: unknown): boolean {
  return value !== undefined && typeof value !== 'object';
}

/**
 * Whether the API server treats a value as unchanged: it compares lists with keys item by item, in any order, and other
 * lists as they are. An object with an undeclared field never counts as unchanged.
 *
 * Source: CachedDeepEqual in k8s.io/apiserver, pkg/cel/common/equality.go
 */
export function isUnchanged(schema: JSONSchemaProps, old: unknown, value: unknown): boolean {
  if (Array.isArray(value)) return isUnchangedList(schema, old, value);
  if (!isMapping(value)) return isEqual(old, value);
  if (!isMapping(old)) return false;
  const keys = Object.keys(value);
  if (keys.length !== Object.keys(old).length) return false;
  return keys.every((key) => {
    const field = schemaOfField(schema, key);
    return field && Object.hasOwn(old, key) && isUnchanged(field, old[key], value[key]);
  });
}

function isUnchangedList(schema: JSONSchemaProps, old: unknown, list: readonly unknown[]): boolean {
  if (!Array.isArray(old) || old.length !== list.length) return false;
  const { items = {} } = schema;
  const olds = oldItems(schema, old);
  if (!olds) return isEqual(old, list);
  return list.every((item) => isUnchanged(items, olds(item), item));
}

/** Whether a set or map list in the value contains a duplicate. */
export function containsDuplicates(node: SchemaNode, value: unknown): boolean {
  const { schema, items, fields, extra } = node;
  if (Array.isArray(value)) {
    if (schema['x-kubernetes-list-type'] && findDuplicates(schema, value).length > 0) return true;
    return items !== undefined && value.some((item) => containsDuplicates(items, item));
  }
  if (!isMapping(value)) return false;
  return Object.entries(value).some(([key, field]) => {
    const within = fields.get(key) ?? extra;
    return typeof within === 'object' && containsDuplicates(within, field);
  });
}
