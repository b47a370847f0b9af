import { parseTerm, listClauses, type Term } from './canonical.ts';
import { BrokenExpression, Undecided } from './failure.ts';
import { type Value, isNumeric, orderOf } from './value.ts';
import { entryOf } from '@tenantry/kube/mapping';

/** A rule as its clauses, all of which must be true. */
export interface Condition {
  /** Equal for rules with the same meaning. */
  readonly key: string;
  readonly clauses: readonly Term[];
  /** The rule uses the old value, so it is not evaluated where there is none. */
  readonly usesOldSelf: boolean;
}

/** Parses a rule. A rule that cannot be parsed becomes a single clause that equals only its own text. */
export function readCondition(rule: string): Condition {
  try {
    const term = parseTerm(rule);
    return { key: term.key, clauses: listClauses(term), usesOldSelf: mentions(term, 'oldSelf') };
  } catch (error) {
    if (!(error instanceof BrokenExpression || error instanceof Undecided)) throw error;
    const text: Term = { key: `text ${rule.trim()}`, op: 'text', args: [] };
    return { key: text.key, clauses: [text], usesOldSelf: rule.includes('oldSelf') };
  }
}

function mentions(term: Term, name: string): boolean {
  return term.op === `ident ${name}` || term.args.some((arg) => mentions(arg, name));
}

/**
 * Reports whether a term is certainly true for every value for which the given terms are true. An error does not count
 * as true. Returns false if it cannot be proven.
 */
export function implies(given: readonly Term[], wanted: Term): boolean {
  if (wanted.op === 'const' && wanted.value === true) return true;
  if (wanted.op === '_&&_') return wanted.args.every((arg) => implies(given, arg));
  return given.some((one) => impliesAlone(one, wanted));
}

function impliesAlone(given: Term, wanted: Term): boolean {
  if (given.key === wanted.key) return true;
  if (given.op === 'const' && given.value === false) return true;
  if (given.op === '_||_') return given.args.every((arg) => implies([arg], wanted));
  if (wanted.op === '_&&_') return wanted.args.every((arg) => impliesAlone(given, arg));
  if (given.op === '_&&_') return given.args.some((arg) => impliesAlone(arg, wanted));
  if (wanted.op === '_||_') return wanted.args.some((arg) => impliesAlone(given, arg));
  if (wanted.op.startsWith('has ') && evaluates(given, selectionOf(wanted))) return true;
  if (isMonotone(given, wanted)) return impliesAlone(given.args[1]!, wanted.args[1]!);
  if (given.op === '_?_:_' && wanted.op === '_?_:_' && given.args[0]!.key === wanted.args[0]!.key) {
    return [1, 2].every((i) => impliesAlone(given.args[i]!, wanted.args[i]!));
  }
  const [inner, outer] = [readBound(given), readBound(wanted)];
  return inner !== undefined && outer !== undefined && isWithin(inner, outer);
}

/** Returns `self.a` for `has(self.a)`: if `self.a` has a value, the field is present. */
const selectionOf = ({ op, args }: Term): Pick<Term, 'op' | 'args'> => ({
  op: op.replace(/^has/, 'select'),
  args,
});

/** The number of operands that a term always evaluates; other terms evaluate all of them. */
const evaluated: Readonly<Record<string, number>> = {
  '_&&_': 0,
  '_||_': 0,
  '_?_:_': 1,
  bind: 1,
  '.or': 1,
  '.orValue': 1,
};

/** Whether a term that ends without an error has certainly evaluated a part. */
function evaluates({ op, args }: Term, part: Pick<Term, 'op' | 'args'>): boolean {
  if (op === part.op && args[0]?.key === part.args[0]?.key) return true;
  const certain = op.startsWith('fold ') ? 1 : entryOf(evaluated, op);
  return args.slice(0, certain).some((arg) => evaluates(arg, part));
}

/**
 * Whether both terms are `all` or `exists` over one range, so that an implication between their bodies carries over.
 */
function isMonotone(given: Term, wanted: Term): boolean {
  return (
    /^fold (all|exists) /.test(given.op) &&
    given.op === wanted.op &&
    given.args.length === 2 &&
    given.args[0]!.key === wanted.args[0]!.key
  );
}

/** A part of `self` that rules compare with constants. */
export interface RulePart {
  /** The fields that lead to the part. */
  readonly path: readonly string[];
  /** Whether the size of the field is compared instead of its value. */
  readonly isSize: boolean;
}

/** The values of a part that a schema accepts. */
export interface PartValues {
  readonly isPossible: (value: Value) => boolean;
  /** Values at the edges of what the schema accepts. */
  readonly edges: readonly Value[];
}

/** Returns the part of `self` that a clause compares with constants; undefined for any other clause. */
export function readComparedPart(clause: Term): RulePart | undefined {
  const of = readBound(clause)?.of;
  if (!of) return undefined;
  const isSize = of.op === 'size';
  const path = readSelfPath(isSize ? of.args[0]! : of);
  return path && { path, isSize };
}

function readSelfPath({ op, args }: Term): string[] | undefined {
  if (op === 'ident self') return [];
  const field = /^select (.*)$/.exec(op)?.[1];
  const below = field === undefined ? undefined : readSelfPath(args[0]!);
  return below && [...below, field!];
}

/**
 * Finds a value of the compared part for which the given clauses are true and the clause is false. Returns undefined if
 * none was found. Other clauses about the same part could still refuse the value.
 */
export function findRefused(
  given: readonly Term[],
  clause: Term,
  { isPossible, edges }: PartValues,
): Value | undefined {
  const refusing = readBound(clause);
  if (!refusing) return undefined;
  const touching = given.filter((one) => overlap(one, clause));
  const bounds = touching.flatMap((one): Bound[] => {
    const bound = readBound(one);
    return bound && bound.of.key === refusing.of.key ? [bound] : [];
  });
  if (bounds.length < touching.length) return undefined;
  return findWitness(bounds, refusing, isPossible, edges);
}

/** The fields of `self` that a term reads, each as its path. */
export const selectedFields = (term: Term): string[][] =>
  listPaths(term).map((path) => path.split('.').slice(1));

/** Whether two terms read the same part of `self`, or one reads a part of what the other reads. */
export function overlap(a: Term, b: Term): boolean {
  if (a.op === 'text' || b.op === 'text') return true;
  const [left, right] = [listPaths(a), listPaths(b)];
  const isPrefix = (one: string, other: string): boolean =>
    one === other || other.startsWith(`${one}.`);
  return left.some((one) => right.some((other) => isPrefix(one, other) || isPrefix(other, one)));
}

/** Returns the variables of a term with the fields that it selects from them: `self.a.b`, `oldSelf`. */
function listPaths(term: Term): string[] {
  const path = selectedPath(term);
  return path === undefined ? term.args.flatMap(listPaths) : [path];
}

function selectedPath({ op, args }: Term): string | undefined {
  if (op.startsWith('ident ')) return 'self';
  const field = /^(?:select|has)\??\s(.*)$/.exec(op)?.[1];
  const below = field === undefined ? undefined : selectedPath(args[0]!);
  return below === undefined ? undefined : `${below}.${field}`;
}

/** The values that a comparison with constants allows for a term. */
interface Bound {
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
function readBound({ op, args }: Term): Bound | undefined {
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
function isWithin(inner: Bound, outer: Bound): boolean {
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
function findWitness(
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
