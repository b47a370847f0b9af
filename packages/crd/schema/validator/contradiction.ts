import { enforcedFormat } from '../format.ts';
import type { JSONSchemaProps } from '../json-schema.ts';
import { formatList } from '@tenantry/kube/problem';
import { undeterminedPasses } from './schema-node.ts';
import { getNode, listTypes } from './node.ts';
import { isInRange } from './numbers.ts';

/** The reason why no value can be valid: keywords that exclude each other, or that exclude everything. */
export interface Contradiction {
  /** The keyword that would have to change. */
  readonly keyword: 'enum' | BoundKeyword;
  /** The requirement for the keyword, as in `must be at most maxLength 3`. */
  readonly must: string;
  /** Its value, or the effective value. */
  readonly got: string;
  /** The reason as a whole: `maximum 4294967295 is beyond int32`. */
  readonly why: string;
}

type BoundKeyword =
  'minimum' | 'maximum' | 'multipleOf' | 'minLength' | 'minItems' | 'minProperties' | 'required';

const known = new WeakMap<JSONSchemaProps, { readonly found: Contradiction | undefined }>();

/**
 * Finds why no value except null is valid under the schema's own keywords, including those of allOf but not those of
 * schemas within. Returns undefined if none was found, which does not guarantee that a value exists.
 */
export function findContradiction(schema: JSONSchemaProps): Contradiction | undefined {
  const answer = known.get(schema) ?? {
    found: ofEnum(schema) ?? ofNumbers(schema) ?? ofCounts(schema) ?? ofRequired(schema),
  };
  known.set(schema, answer);
  return answer.found;
}

function ofEnum(schema: JSONSchemaProps): Contradiction | undefined {
  const { enum: values = [] } = schema;
  if (values.length === 0) return undefined;
  const { fits } = getNode(schema, 'open');
  if (values.some((value) => fits(value, undeterminedPasses))) return undefined;
  const must = 'hold a value that the rest of the schema takes';
  const got = formatList(values.map((value) => JSON.stringify(value)));
  return { keyword: 'enum', must, got, why: `nothing in enum is one: ${got}` };
}

function ofNumbers(schema: JSONSchemaProps): Contradiction | undefined {
  const types = listTypes(schema);
  const [type] = types;
  if (types.length !== 1 || (type !== 'integer' && type !== 'number')) return undefined;
  const format = enforcedFormat(schema);
  for (const keyword of ['minimum', 'maximum', 'multipleOf'] as const) {
    const bound = schema[keyword];
    if (bound === undefined || isInRange(bound, types, format)) continue;
    const within = format === '' ? 'int64' : format;
    const must = `be within ${within}`;
    return { keyword, must, got: String(bound), why: `${keyword} ${bound} is beyond ${within}` };
  }
  const [least, most] = [tightest(schema, 'minimum'), tightest(schema, 'maximum')];
  if (type === 'number' && hasFractions(least, most)) return undefined;
  return ofWhole(least, most, schema.multipleOf, type === 'integer');
}

/** A bound of numbers; absent if there is none. */
interface End {
  readonly bound: number;
  readonly isExcluded: boolean;
}

/** Returns a schema and all members of its allOf. */
function parts(schema: JSONSchemaProps): JSONSchemaProps[] {
  return [schema, ...(schema.allOf ?? []).flatMap(parts)];
}

/** Returns the tightest of the bounds of a schema on one side. */
function tightest(schema: JSONSchemaProps, side: 'minimum' | 'maximum'): End | undefined {
  const exclusive = side === 'minimum' ? 'exclusiveMinimum' : 'exclusiveMaximum';
  const sign = side === 'minimum' ? 1 : -1;
  const ends = parts(schema).flatMap(({ [side]: bound, [exclusive]: isExcluded = false }) =>
    bound === undefined ? [] : [{ bound, isExcluded }],
  );
  return ends.toSorted(
    (a, b) => sign * (b.bound - a.bound) || Number(b.isExcluded) - Number(a.isExcluded),
  )[0];
}

function hasFractions(least: End | undefined, most: End | undefined): boolean {
  if (!least || !most || least.bound < most.bound) return true;
  return least.bound === most.bound && !least.isExcluded && !most.isExcluded;
}

/** Finds a contradiction between bounds and `multipleOf`. Bounds with a fraction are truncated for whole numbers. */
function ofWhole(
  least: End | undefined,
  most: End | undefined,
  multipleOf: number | undefined,
  isInteger: boolean,
): Contradiction | undefined {
  const factor = multipleOf === undefined ? 1n : BigInt(Math.trunc(multipleOf));
  const got = String(multipleOf);
  if (factor <= 0n) {
    if (!isInteger) return undefined;
    const why = `no whole number is a multiple of ${got} to the API server`;
    return { keyword: 'multipleOf', must: 'be at least 1 for whole numbers', got, why };
  }
  if (!least || !most) return undefined;
  const from = BigInt(Math.trunc(least.bound)) + (least.isExcluded ? 1n : 0n);
  const to = BigInt(Math.trunc(most.bound)) - (most.isExcluded ? 1n : 0n);
  if (from > to) {
    const [start, end] = [
      `${least.isExcluded ? 'more than' : 'at least'} ${least.bound}`,
      `${most.isExcluded ? 'less than' : 'at most'} ${most.bound}`,
    ];
    const why = `nothing is ${start} and ${end}`;
    return { keyword: 'minimum', must: `leave something that is ${end}`, got: start, why };
  }
  const first = from >= 0n ? (from + factor - 1n) / factor : from / factor;
  if (first * factor <= to) return undefined;
  const [must, why] = [
    `have a multiple from ${from} to ${to}`,
    `no multiple of ${got} is from ${from} to ${to}`,
  ];
  return { keyword: 'multipleOf', must, got, why };
}

const counts = [
  ['string', 'minLength', 'maxLength'],
  ['array', 'minItems', 'maxItems'],
  ['object', 'minProperties', 'maxProperties'],
] as const;

function ofCounts(schema: JSONSchemaProps): Contradiction | undefined {
  for (const [type, least, most] of counts) {
    if (schema.type !== type || schema['x-kubernetes-int-or-string']) continue;
    const all = parts(schema);
    const from = Math.max(0, ...all.map((one) => one[least] ?? 0));
    const to = Math.min(Infinity, ...all.map((one) => one[most] ?? Infinity));
    if (from <= to) continue;
    const why = `${least} ${from} is above ${most} ${to}`;
    return { keyword: least, must: `be at most ${most} ${to}`, got: String(from), why };
  }
  return undefined;
}

function ofRequired(schema: JSONSchemaProps): Contradiction | undefined {
  const { maxProperties = Infinity } = schema;
  const required = new Set(parts(schema).flatMap((one) => one.required ?? []));
  if (schema.type !== 'object' || required.size <= maxProperties) return undefined;
  const must = `name no more fields than maxProperties ${maxProperties}`;
  const why = `it must have ${required.size} fields, and maxProperties is ${maxProperties}`;
  return { keyword: 'required', must, got: String(required.size), why };
}
