import type { Term } from './canonical.ts';
import { isNumeric, orderOf, type Value } from './value.ts';

/** The values that a comparison with constants allows for a term. */
export interface Bound {
  readonly of: Term;
  readonly constants: readonly Value[];
  /** All allowed values, if they are a list. */
  readonly members?: readonly Value[];
  readonly allows: (value: Value) => boolean;
  /** The direction of `<`, `<=`, `>`, `>=`, seen from the term. */
  readonly direction?: 'below' | 'above';
  readonly isStrict?: boolean;
}

type Relation = (order: number) => boolean;

const relations: Readonly<Record<string, Relation>> = {
  '_<_': (order) => order < 0,
  '_<=_': (order) => order <= 0,
  '_==_': (order) => order === 0,
  '_!=_': (order) => order !== 0,
};

/** Reads `term < 5`, `5 <= term`, `term == 'a'` or `term in ['a', 'b']`, with constants that have an order. */
export function readBound({ op, args }: Term): Bound | undefined {
  const [left, right] = args;
  if (!left || !right) return undefined;
  if (op === '@in' && /^list \.*$/.test(right.op)) return readMembers(left, right.args);
  const relation = Object.hasOwn(relations, op) ? relations[op] : undefined;
  if (!relation) return undefined;
  const isLeft = isConstant(left);
  const [constant, of] = isLeft ? [left, right] : [right, left];
  if (!isConstant(constant) || isConstant(of)) return undefined;
  const { value } = constant;
  const allows = (other: Value): boolean => {
    const order = isLeft ? orderOf(value!, other) : orderOf(other, value!);
    return order !== undefined && relation(order);
  };
  const isOrdering = op === '_<_' || op === '_<=_';
  return {
    of,
    constants: [value!],
    allows,
    ...(op === '_==_' && { members: [value!] }),
    ...(isOrdering && { direction: isLeft ? 'above' : 'below', isStrict: op === '_<_' }),
  };
}

function readMembers(of: Term, items: readonly Term[]): Bound | undefined {
  if (isConstant(of) || !items.every(isConstant)) return undefined;
  const members = items.map(({ value }) => value!);
  const allows = (other: Value): boolean => members.some((one) => orderOf(one, other) === 0);
  return { of, constants: members, members, allows };
}

/** Whether a term is a number or a string, which have equality and an order. */
function isConstant({ op, value }: Term): boolean {
  if (op !== 'const') return false;
  return typeof value === 'string' || (isNumeric(value!) && !Number.isNaN(value));
}

const isOfOneKind = (bounds: readonly Bound[]): boolean => {
  const kinds = bounds.flatMap(({ constants }) => constants.map((one) => typeof one === 'string'));
  return new Set(kinds).size < 2;
};

/** Whether one bound allows a subset of what another bound of the same term allows. */
export function isWithin(inner: Bound, outer: Bound): boolean {
  if (inner.of.key !== outer.of.key || !isOfOneKind([inner, outer])) return false;
  if (inner.members) return inner.members.every((one) => outer.allows(one));
  const [from] = inner.constants;
  const [to] = outer.constants;
  if (inner.direction === undefined) return false;
  if (outer.members) return false;
  if (outer.direction === undefined) return !inner.allows(to!);
  if (outer.direction !== inner.direction) return false;
  const order = orderOf(from!, to!);
  if (order === undefined) return false;
  if (order === 0) return inner.isStrict === true || outer.isStrict !== true;
  return inner.direction === 'below' ? order < 0 : order > 0;
}

/**
 * Finds a value that all of some bounds allow and another one of the same term refuses. It tries the constants, a whole
 * number or a text next to one, and the edges. Returns undefined if none of them fits.
 */
export function findWitness(
  allowing: readonly Bound[],
  refusing: Bound,
  isPossible: (value: Value) => boolean,
  edges: readonly Value[] = [],
): Value | undefined {
  const all = [...allowing, refusing];
  if (!isOfOneKind(all)) return undefined;
  const constants = all.flatMap((bound) => bound.constants.flatMap(valuesAround));
  const candidates = [...constants, ...edges];
  return candidates.find(
    (one) =>
      isPossible(one) && allowing.every((bound) => bound.allows(one)) && !refusing.allows(one),
  );
}

function valuesAround(value: Value): Value[] {
  if (typeof value === 'bigint') return [value, value + 1n, value - 1n];
  if (typeof value === 'number' && Number.isInteger(value)) return [value, value + 1, value - 1];
  if (typeof value === 'string') return [value, `${value}x`, 'x', ''];
  return typeof value === 'number' ? [] : [value];
}
