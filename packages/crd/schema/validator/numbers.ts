/** Numbers as the API server decodes them from JSON: 64-bit integers or floating-point numbers. */
import type { JSONSchemaProps } from '../json-schema.ts';
import type { Undetermined } from './schema-node.ts';

const INT32 = [-(2n ** 31n), 2n ** 31n - 1n] as const;
const INT64 = [-(2n ** 63n), 2n ** 63n - 1n] as const;

/**
 * Returns a bigint for a number that the API server decodes as an integer, and a number for one that it decodes as
 * floating-point. The decision is by the JSON that JavaScript writes; undefined if there is none.
 */
export function toServerNumber(value: number | bigint): bigint | number | undefined {
  if (typeof value === 'bigint')
    return isWithin(value, INT64) ? value : toServerNumber(Number(value));
  if (Number.isSafeInteger(value)) return BigInt(value);
  if (!Number.isFinite(value)) return undefined;
  if (!Number.isInteger(value) || Math.abs(value) >= 1e21) return value;
  const written = BigInt(String(value));
  return isWithin(written, INT64) ? written : value;
}

function isWithin(value: bigint, [least, most]: readonly [bigint, bigint]): boolean {
  return least <= value && value <= most;
}

/** Whether a floating-point number counts as a whole one: within a billionth, and of at most 53 bits. */
function isNearlyWhole(value: number): boolean {
  if (Math.abs(value) > Number.MAX_SAFE_INTEGER) return false;
  if (Number.isInteger(value)) return true;
  const whole = Math.trunc(value);
  return value > 0 && (value - whole) / (value + whole) < 1e-9;
}

/** Whether the type allows a number; `types` are the types of the schema. */
function isOfType(value: bigint | number, types: readonly string[], format: string): boolean {
  if (types.length === 0) return format === '';
  if (types.includes('number')) return true;
  return types.includes('integer') && (typeof value === 'bigint' || isNearlyWhole(value));
}

/** Whether a number is in the range of a type with its format; also used for the bounds of a schema. */
export function isInRange(
  value: bigint | number,
  types: readonly string[],
  format: string,
): boolean {
  if (types.length !== 1) return true;
  if (types[0] === 'integer') {
    const whole = typeof value === 'bigint' ? value : Number.isInteger(value) && BigInt(value);
    return whole !== false && isWithin(whole, format === 'int32' ? INT32 : INT64);
  }
  return format !== 'float' || Number.isFinite(Math.fround(Number(value)));
}

/** Whether the API server accepts a number, including its type and bounds. */
export function acceptsNumber(
  schema: JSONSchemaProps,
  types: readonly string[],
  format: string,
  value: number | bigint,
  undetermined: Undetermined,
): boolean {
  return brokenNumberKeyword(schema, types, format, value, undetermined) === undefined;
}

type NumberKeyword = 'multipleOf' | 'maximum' | 'minimum';

/**
 * Returns the first keyword for which the API server refuses a number. A bound outside the type refuses every number; a
 * bound with a fraction is truncated for whole numbers.
 */
export function brokenNumberKeyword(
  schema: JSONSchemaProps,
  types: readonly string[],
  format: string,
  value: number | bigint,
  undetermined: Undetermined,
): 'type' | 'format' | NumberKeyword | undefined {
  const number = toServerNumber(value);
  if (number === undefined) return 'type';
  if (!isOfType(number, types, format)) return types.length === 0 ? 'format' : 'type';
  if (!isInRange(number, types, format)) return isInRange(number, types, '') ? 'format' : 'type';
  const { exclusiveMaximum, exclusiveMinimum } = schema;
  const satisfies = (
    rule: NumberKeyword,
    whole: (value: bigint, bound: bigint) => boolean,
    floating: (value: number, bound: number) => boolean,
  ): boolean => {
    const bound = schema[rule];
    if (bound === undefined) return true;
    if (!isInRange(bound, types, format)) return false;
    if (typeof number === 'number') return floating(number, bound);
    const cut = BigInt(Math.trunc(bound));
    if (isWithin(cut, INT64)) return whole(number, cut);
    return undetermined.add(
      rule,
      'a bound of more than 64 bits depends on the processor of the API server',
    );
  };
  const isBelow = <T extends bigint | number>(a: T, b: T) => (exclusiveMaximum ? a < b : a <= b);
  const isAbove = <T extends bigint | number>(a: T, b: T) => (exclusiveMinimum ? a > b : a >= b);
  if (!satisfies('multipleOf', (a, b) => b > 0n && a % b === 0n, isMultiple)) return 'multipleOf';
  if (!satisfies('maximum', isBelow, isBelow)) return 'maximum';
  return satisfies('minimum', isAbove, isAbove) ? undefined : 'minimum';
}

function isMultiple(value: number, factor: number): boolean {
  if (factor <= 0) return false;
  return isNearlyWhole(factor < 1 ? (1 / factor) * value : value / factor);
}

/** Returns the whole numbers that a schema accepts, if they are one range. */
export function wholeRange(
  schema: JSONSchemaProps,
  types: readonly string[],
  format: string,
): readonly [number, number] | undefined {
  const { multipleOf, maximum, minimum } = schema;
  if (multipleOf !== undefined || !isOfType(0n, types, format)) return undefined;
  let least = Number.MIN_SAFE_INTEGER;
  let most = Number.MAX_SAFE_INTEGER;
  if (format === 'int32') [least, most] = [Number(INT32[0]), Number(INT32[1])];
  for (const bound of [minimum, maximum]) {
    if (bound === undefined) continue;
    if (!Number.isSafeInteger(Math.trunc(bound)) || !isInRange(bound, types, format))
      return undefined;
  }
  if (minimum !== undefined) {
    least = Math.max(least, Math.trunc(minimum) + (schema.exclusiveMinimum ? 1 : 0));
  }
  if (maximum !== undefined) {
    most = Math.min(most, Math.trunc(maximum) - (schema.exclusiveMaximum ? 1 : 0));
  }
  return [least, most];
}
