/** minimum and maximum, with their exclusive forms. */
import type { JSONSchemaProps } from '../schema/json-schema.ts';
import { buildSides } from './change.ts';
import { acceptsValueKind } from './schema-subjects.ts';
import type { ComparisonContext } from './comparison-context.ts';

interface Bound {
  readonly limit: number;
  readonly exclusive: boolean;
}

type BoundKeyword = 'minimum' | 'maximum';

/** Beyond it a bound does not fit int64, and what the API server compares depends on its processor. */
const MAX_BOUND = 2 ** 63;

export function compareBounds(
  before: JSONSchemaProps,
  after: JSONSchemaProps,
  place: ComparisonContext,
): void {
  for (const side of ['minimum', 'maximum'] as const) {
    const [a, b] = [readBound(before, side), readBound(after, side)];
    const exclusive = side === 'minimum' ? 'exclusiveMinimum' : 'exclusiveMaximum';
    if (before[side] === after[side] && before[exclusive] === after[exclusive]) continue;
    const change = { rule: side, ...buildSides(formatBound(a, side), formatBound(b, side)) };
    if (b && acceptsValueKind(after, 'numbers') && !canHold(after, b.limit)) {
      const message = `must be ${formatBound(b, side)} now, which is no ${after.format || after.type}: the API server then refuses every number`;
      place.report({ ...change, verdict: 'breaking', message });
    } else if (!acceptsValueKind(after, 'numbers') || sameBound(a, b)) {
      place.report({
        ...change,
        verdict: 'compatible',
        message: 'the keyword does not affect these values',
      });
    } else if (b === undefined) {
      const message = `any number is accepted, ${formatBound(a, side)} before`;
      place.report({ ...change, verdict: 'compatible', message, widens: true });
    } else if (a === undefined) {
      const message = `must be ${formatBound(b, side)} now: any number was accepted`;
      place.report({ ...change, verdict: 'breaking', message });
    } else if (after.type !== 'number' && Math.abs(b.limit) >= MAX_BOUND) {
      const message = `must be ${formatBound(b, side)} now: no whole number of 64 bits, which is what the API server compares`;
      place.report({ ...change, verdict: 'unknown', message });
    } else if (includesBound(b, a, side) && includesBound(truncated(b), truncated(a), side)) {
      const message = `${formatBound(b, side)} is accepted, ${formatBound(a, side)} before`;
      place.report({ ...change, verdict: 'compatible', message, widens: true });
    } else {
      const message = `must be ${formatBound(b, side)} now, ${formatBound(a, side)} before`;
      place.report({ ...change, verdict: 'breaking', message });
    }
  }
}

/** Returns whether a bound is a value of the type itself; if not, no number passes. */
export function canHold({ type, format }: JSONSchemaProps, limit: number): boolean {
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
