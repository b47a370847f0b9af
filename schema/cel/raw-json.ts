import { ComputedMap, ComputedList, ListValue, MapValue } from './collection.ts';
import { BoxedValue, type Value } from './value.ts';

/** How a schema makes values of JSON. Throws a Failure where it cannot. */
export type JsonReader = (raw: unknown) => Value;

/** A value that stands for JSON. */
interface OfJson {
  readonly raw: unknown;
}

/** The JSON that a value was read from, or the value itself where an expression made it. */
export function rawOf(value: Value): unknown {
  return value instanceof BoxedValue && 'raw' in value ? (value as OfJson).raw : value;
}

/**
 * The value as it is without its schema. The API server forgets the schema of what stands in an
 * optional value when a field of it is asked for: times are strings then, and names are as written.
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
