/** Compares the keywords that limit a value: minimum and maximum, multipleOf, lengths and counts. */
import type { JSONSchemaProps } from '../schema/json-schema.ts';
import type { SchemaComparison } from './comparison-context.ts';

/** The kind of values that a keyword restricts. It does not affect values of other kinds. */
type ValueKind = 'objects' | 'lists' | 'strings' | 'numbers';

const kindOf = new Map<string, ValueKind | undefined>([
  ['object', 'objects'],
  ['array', 'lists'],
  ['string', 'strings'],
  ['integer', 'numbers'],
  ['number', 'numbers'],
  ['boolean', undefined],
]);

export const NO_EFFECT = 'the keyword does not affect these values';

/** Returns whether a schema accepts values that a keyword may restrict. */
export function acceptsValueKind(schema: JSONSchemaProps, kind: ValueKind): boolean {
  if (schema['x-kubernetes-int-or-string'] === true)
    return kind === 'strings' || kind === 'numbers';
  const { type } = schema;
  return !type || !kindOf.has(type) || kindOf.get(type) === kind;
}

interface Bound {
  readonly limit: number;
  readonly exclusive: boolean;
}

type BoundKeyword = 'minimum' | 'maximum';

/** Beyond it a bound does not fit int64, and what the API server compares depends on its processor. */
const MAX_BOUND = 2 ** 63;

/** Compares minimum and maximum, with their exclusive forms. */
export const compareBounds: SchemaComparison = (before, after, place) => {
  for (const side of ['minimum', 'maximum'] as const) {
    const exclusive = side === 'minimum' ? 'exclusiveMinimum' : 'exclusiveMaximum';
    if (before[side] === after[side] && before[exclusive] === after[exclusive]) continue;
    const [a, b] = [readBound(before, side), readBound(after, side)];
    const [was, is] = [formatBound(a, side), formatBound(b, side)];
    const change = place.change(side, was, is);
    if (b && acceptsValueKind(after, 'numbers') && !canHold(after, b.limit)) {
      change.breaking(
        `must be ${is} now, which is no ${after.format || after.type}: the API server then refuses every number`,
      );
    } else if (!acceptsValueKind(after, 'numbers') || sameBound(a, b)) change.compatible(NO_EFFECT);
    else if (b === undefined) change.widening(`any number is accepted, ${was} before`);
    else if (a === undefined) change.breaking(`must be ${is} now: any number was accepted`);
    else if (after.type !== 'number' && Math.abs(b.limit) >= MAX_BOUND) {
      change.unknown(
        `must be ${is} now: no whole number of 64 bits, which is what the API server compares`,
      );
    } else if (includesBound(b, a, side) && includesBound(truncated(b), truncated(a), side)) {
      change.widening(`${is} is accepted, ${was} before`);
    } else change.breaking(`must be ${is} now, ${was} before`);
  }
};

/** Returns whether a bound is a value of the type itself; if not, no number passes. */
function canHold({ type, format }: JSONSchemaProps, limit: number): boolean {
  if (type === 'number') return format !== 'float' || Number.isFinite(Math.fround(limit));
  if (type !== 'integer') return true;
  const most = format === 'int32' ? 2 ** 31 : MAX_BOUND;
  return Number.isInteger(limit) && limit >= -most && limit < most;
}

function readBound(schema: JSONSchemaProps, side: BoundKeyword): Bound | undefined {
  const limit = schema[side];
  if (limit === undefined) return undefined;
  const exclusive =
    (side === 'minimum' ? schema.exclusiveMinimum : schema.exclusiveMaximum) ?? false;
  // For whole numbers, `> 0` means `>= 1`.
  if (exclusive && schema.type === 'integer' && Number.isSafeInteger(limit)) {
    return { limit: limit + (side === 'minimum' ? 1 : -1), exclusive: false };
  }
  return { limit, exclusive };
}

/** Truncates a bound: the API server compares whole numbers with the integer part of a bound. */
function truncated({ limit, exclusive }: Bound): Bound {
  return { limit: Math.trunc(limit), exclusive };
}

/** Returns whether every number within `b` is within `a`. */
function includesBound(a: Bound, b: Bound, side: BoundKeyword): boolean {
  if (a.limit === b.limit) return !a.exclusive || b.exclusive;
  return side === 'minimum' ? a.limit < b.limit : a.limit > b.limit;
}

function sameBound(a: Bound | undefined, b: Bound | undefined): boolean {
  return a?.limit === b?.limit && a?.exclusive === b?.exclusive;
}

function formatBound(bound: Bound | undefined, side: BoundKeyword): string | undefined {
  if (bound === undefined) return undefined;
  const relation = bound.exclusive
    ? side === 'minimum'
      ? 'above'
      : 'below'
    : side === 'minimum'
      ? 'at least'
      : 'at most';
  return `${relation} ${bound.limit}`;
}

export const compareMultiple: SchemaComparison = (before, after, place) => {
  const [a, b] = [before.multipleOf, after.multipleOf];
  if (a === b) return;
  const change = place.change('multiple-of', a, b);
  if (!acceptsValueKind(after, 'numbers')) change.compatible(NO_EFFECT);
  else if (b === undefined)
    change.widening(`numbers that are no multiple of ${a} are accepted too`);
  else if (!canHold(after, b)) {
    change.breaking(
      `must be a multiple of ${b} now, which is no ${after.format || after.type}: the API server then refuses every number`,
    );
  } else if (a === undefined) {
    change.breaking(`must be a multiple of ${b} now: any number was accepted`);
  } else if (![a, b].every(Number.isSafeInteger) || b <= 0) {
    change.unknown(
      `must be a multiple of ${b} now, of ${a} before: with fractions, rounding decides`,
    );
  } else if (a % b === 0) change.widening(`every multiple of ${a} is one of ${b}`);
  else change.breaking(`must be a multiple of ${b} now: multiples of ${a} were accepted`);
};

interface Limit {
  readonly keyword: `${'min' | 'max'}${'Length' | 'Items' | 'Properties'}`;
  readonly rule: string;
  readonly subject: ValueKind;
  readonly what: string;
}

const limits: readonly Limit[] = [
  { keyword: 'maxLength', rule: 'max-length', subject: 'strings', what: 'characters' },
  { keyword: 'minLength', rule: 'min-length', subject: 'strings', what: 'characters' },
  { keyword: 'maxItems', rule: 'max-items', subject: 'lists', what: 'items' },
  { keyword: 'minItems', rule: 'min-items', subject: 'lists', what: 'items' },
  { keyword: 'maxProperties', rule: 'max-properties', subject: 'objects', what: 'fields' },
  { keyword: 'minProperties', rule: 'min-properties', subject: 'objects', what: 'fields' },
];

/** Compares maxLength, minItems and similar keywords: a number that accepts more in one direction. */
export const compareLimits: SchemaComparison = (before, after, place) => {
  for (const { keyword, rule, subject, what } of limits) {
    const [a, b] = [before[keyword], after[keyword]];
    if (a === b) continue;
    const isUpper = keyword.startsWith('max');
    const none = isUpper ? Infinity : 0;
    const [from, to] = [a ?? none, b ?? none];
    const change = place.change(rule, a, b);
    const bound = isUpper ? 'at most' : 'at least';
    if (from === to || !acceptsValueKind(after, subject)) change.compatible(NO_EFFECT);
    else if (isUpper ? to > from : to < from) {
      const now =
        b === undefined
          ? `any number of ${what} are accepted`
          : `${bound} ${b} ${what} are asked for`;
      change.widening(`${now}, ${bound} ${a} before`);
    } else {
      const was = a === undefined ? 'any number was accepted' : `${bound} ${a} before`;
      change.breaking(`must have ${bound} ${b} ${what} now, ${was}`);
    }
  }
};
