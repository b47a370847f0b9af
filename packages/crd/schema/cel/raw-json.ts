import { ComputedMap, ComputedList, ListValue, MapValue } from './collection.ts';
import { BoxedValue, type Value } from './value.ts';

/** Converts JSON to a CEL value by a schema. Throws a Failure if it cannot. */
export type JsonReader = (raw: unknown) => Value;

/** A value that was read from JSON. */
interface OfJson {
  readonly raw: unknown;
}

/** Returns the JSON that a value was read from, or the value itself if an expression computed it. */
export function rawOf(value: Value): unknown {
  return value instanceof BoxedValue && 'raw' in value ? (value as OfJson).raw : value;
}

/**
 * Returns the value without its schema. The API server forgets the schema of an optional value when an expression
 * selects a field of it: times are then strings, and names are as written.
 */
export function withoutSchema(value: Value): Value {
  const isOfJson = (value instanceof ListValue || value instanceof MapValue) && 'raw' in value;
  return isOfJson ? plain((value as unknown as OfJson).raw) : value;
}

function plain(raw: unknown): Value {
  if (typeof raw === 'number') return Number.isInteger(raw) ? BigInt(raw) : raw;
  if (Array.isArray(raw)) return new ComputedList(raw.map(plain));
  if (typeof raw === 'object' && raw !== null && !(raw instanceof BoxedValue)) {
    return new ComputedMap(Object.entries(raw).map(([key, value]) => [key, plain(value)] as const));
  }
  return raw as Value;
}
