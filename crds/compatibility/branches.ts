/** allOf, anyOf, oneOf and not. */
import type { JSONSchemaProps } from '../../schema/json-schema.ts';
import { canonical, same } from '../../kube/equality.ts';
import { sides, type Change, type Compatibility } from './change.ts';
import type { CompareNodes, Place } from './compared-place.ts';

type Kind = 'allOf' | 'anyOf' | 'oneOf';

const ruleOf = { allOf: 'all-of', anyOf: 'any-of', oneOf: 'one-of' } as const;

export function compareBranches(
  before: JSONSchemaProps,
  after: JSONSchemaProps,
  place: Place,
  compare: CompareNodes,
): void {
  for (const kind of ['allOf', 'anyOf', 'oneOf'] as const) {
    const [from, to] = [before[kind] ?? [], after[kind] ?? []];
    if (!same(from, to)) compareLists(kind, from, to, place, compare);
  }
  compareNot(before.not, after.not, place, compare);
}

function compareLists(
  kind: Kind,
  from: readonly JSONSchemaProps[],
  to: readonly JSONSchemaProps[],
  place: Place,
  compare: CompareNodes,
): void {
  const rule = ruleOf[kind];
  if (to.length === 0 || from.length === 0) {
    const isGone = to.length === 0;
    place.tell({
      rule,
      ...sides(from.length === 0 ? undefined : from, isGone ? undefined : to),
      ...(isGone
        ? { verdict: 'compatible', message: `${kind} asks nothing more`, widens: true }
        : { verdict: 'breaking', message: `must fit ${kind} now: none was asked for before` }),
    });
    return;
  }
  const gone = without(from, to);
  const added = without(to, from);
  if (gone.length === 0 && added.length === 0) {
    const isSame = kind !== 'oneOf' || from.length === to.length;
    const message = isSame
      ? 'the same branches, in another order or repeated'
      : 'a branch is repeated, and exactly one may fit';
    place.tell({ rule, verdict: isSame ? 'compatible' : 'unknown', message });
    return;
  }
  if (gone.length === added.length && from.length === to.length) {
    const isWider = gone.every(
      ([, a], i) => worst(a, added[i]![1], place, compare) === 'compatible',
    );
    if (isWider && kind !== 'oneOf') {
      const message = 'each branch accepts what it accepted before, or more';
      place.tell({ rule, verdict: 'compatible', message, ...sides(from, to), widens: true });
    } else {
      const message = `branches of ${kind} changed: whether what fitted still does cannot be told`;
      place.tell({ rule, verdict: 'unknown', message, ...sides(from, to) });
    }
    return;
  }
  for (const [i, schema] of gone) place.tell(oneGone(kind, schema), `(${kind}[${i}])`);
  for (const [i, schema] of added) place.tell(oneAdded(kind, schema), `(${kind}[${i}])`);
}

function oneGone(kind: Kind, before: JSONSchemaProps): Omit<Change, 'path'> {
  const rule = ruleOf[kind];
  if (kind === 'allOf') {
    return {
      rule,
      verdict: 'compatible',
      message: 'this is not asked any more',
      before,
      widens: true,
    };
  }
  const message = 'values that fit this branch alone were accepted, and are refused now';
  return { rule, verdict: 'breaking', message, before };
}

function oneAdded(kind: Kind, after: JSONSchemaProps): Omit<Change, 'path'> {
  const rule = ruleOf[kind];
  if (kind === 'allOf') {
    return { rule, verdict: 'breaking', message: 'must fit this too now', after };
  }
  if (kind === 'anyOf') {
    return { rule, verdict: 'compatible', message: 'may fit this instead', after, widens: true };
  }
  const message = 'may fit this instead, and values that fit it beside another branch are refused';
  return { rule, verdict: 'unknown', message, after };
}

function compareNot(
  before: JSONSchemaProps | undefined,
  after: JSONSchemaProps | undefined,
  place: Place,
  compare: CompareNodes,
): void {
  if (same(before, after)) return;
  const change = { rule: 'not', ...sides(before, after) };
  if (after === undefined) {
    const message = 'what was excluded is accepted';
    place.tell({ ...change, verdict: 'compatible', message, widens: true });
  } else if (before === undefined) {
    const message = 'what is excluded now was accepted';
    place.tell({ ...change, verdict: 'breaking', message });
  } else if (worst(after, before, place, compare) === 'compatible') {
    const message = 'all that is excluded was excluded before';
    place.tell({ ...change, verdict: 'compatible', message, widens: true });
  } else {
    const message = 'what is excluded changed: whether more is cannot be told';
    place.tell({ ...change, verdict: 'unknown', message });
  }
}

/** The members of a list that are not in another one, with their positions. */
function without(
  list: readonly JSONSchemaProps[],
  others: readonly JSONSchemaProps[],
): [number, JSONSchemaProps][] {
  const known = new Set(others.map(canonical));
  return [...list.entries()].filter(([, schema]) => !known.has(canonical(schema)));
}

function worst(
  before: JSONSchemaProps,
  after: JSONSchemaProps,
  place: Place,
  compare: CompareNodes,
): Compatibility {
  const { place: aside, found } = place.apart('value');
  compare(before, after, aside);
  const verdicts = new Set(found.map(({ verdict }) => verdict));
  return verdicts.has('breaking') ? 'breaking' : verdicts.has('unknown') ? 'unknown' : 'compatible';
}
