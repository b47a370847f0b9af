/** Compares allOf, anyOf, oneOf and not. */
import type { JSONSchemaProps } from '../schema/json-schema.ts';
import { formatCanonicalJson, isDeepEqual } from '@tenantry/kube/json';
import { buildSides, type Change, type Compatibility } from './change.ts';
import type { CompareNodes, ComparisonContext } from './comparison-context.ts';

type BranchKeyword = 'allOf' | 'anyOf' | 'oneOf';

const ruleOf = { allOf: 'all-of', anyOf: 'any-of', oneOf: 'one-of' } as const;

export function compareBranches(
  before: JSONSchemaProps,
  after: JSONSchemaProps,
  place: ComparisonContext,
  compare: CompareNodes,
): void {
  for (const kind of ['allOf', 'anyOf', 'oneOf'] as const) {
    const [from, to] = [before[kind] ?? [], after[kind] ?? []];
    if (!isDeepEqual(from, to)) compareLists(kind, from, to, place, compare);
  }
  compareNot(before.not, after.not, place, compare);
}

function compareLists(
  kind: BranchKeyword,
  from: readonly JSONSchemaProps[],
  to: readonly JSONSchemaProps[],
  place: ComparisonContext,
  compare: CompareNodes,
): void {
  const rule = ruleOf[kind];
  if (to.length === 0 || from.length === 0) {
    const isGone = to.length === 0;
    place.report({
      rule,
      ...buildSides(from.length === 0 ? undefined : from, isGone ? undefined : to),
      ...(isGone
        ? { verdict: 'compatible', message: `${kind} restricts nothing any more`, widens: true }
        : { verdict: 'breaking', message: `must fit ${kind} now: it was not required before` }),
    });
    return;
  }
  const gone = subtractSchemas(from, to);
  const added = subtractSchemas(to, from);
  if (gone.length === 0 && added.length === 0) {
    const isSame = kind !== 'oneOf' || from.length === to.length;
    const message = isSame
      ? 'the same branches, in another order or repeated'
      : 'a branch is repeated, and exactly one may fit';
    place.report({ rule, verdict: isSame ? 'compatible' : 'unknown', message });
    return;
  }
  if (gone.length === added.length && from.length === to.length) {
    const isWider = gone.every(
      ([, a], i) => computeWorstVerdict(a, added[i]![1], place, compare) === 'compatible',
    );
    if (isWider && kind !== 'oneOf') {
      const message = 'each branch accepts what it accepted before, or more';
      place.report({ rule, verdict: 'compatible', message, ...buildSides(from, to), widens: true });
    } else {
      const message = `branches of ${kind} changed: it is unknown whether they still accept the same values`;
      place.report({ rule, verdict: 'unknown', message, ...buildSides(from, to) });
    }
    return;
  }
  for (const [i, schema] of gone) place.report(judgeRemovedBranch(kind, schema), `(${kind}[${i}])`);
  for (const [i, schema] of added) place.report(judgeAddedBranch(kind, schema), `(${kind}[${i}])`);
}

function judgeRemovedBranch(kind: BranchKeyword, before: JSONSchemaProps): Omit<Change, 'path'> {
  const rule = ruleOf[kind];
  if (kind === 'allOf') {
    return {
      rule,
      verdict: 'compatible',
      message: 'this is no longer required',
      before,
      widens: true,
    };
  }
  const message = 'values that fit this branch alone were accepted, and are refused now';
  return { rule, verdict: 'breaking', message, before };
}

function judgeAddedBranch(kind: BranchKeyword, after: JSONSchemaProps): Omit<Change, 'path'> {
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
  place: ComparisonContext,
  compare: CompareNodes,
): void {
  if (isDeepEqual(before, after)) return;
  const change = { rule: 'not', ...buildSides(before, after) };
  if (after === undefined) {
    const message = 'what was excluded is accepted';
    place.report({ ...change, verdict: 'compatible', message, widens: true });
  } else if (before === undefined) {
    const message = 'what is excluded now was accepted';
    place.report({ ...change, verdict: 'breaking', message });
  } else if (computeWorstVerdict(after, before, place, compare) === 'compatible') {
    const message = 'all that is excluded was excluded before';
    place.report({ ...change, verdict: 'compatible', message, widens: true });
  } else {
    const message = 'what is excluded changed: it is unknown whether more is excluded';
    place.report({ ...change, verdict: 'unknown', message });
  }
}

/** Returns the members of a list that are not in another one, with their positions. */
function subtractSchemas(
  list: readonly JSONSchemaProps[],
  others: readonly JSONSchemaProps[],
): [number, JSONSchemaProps][] {
  const known = new Set(others.map(formatCanonicalJson));
  return [...list.entries()].filter(([, schema]) => !known.has(formatCanonicalJson(schema)));
}

function computeWorstVerdict(
  before: JSONSchemaProps,
  after: JSONSchemaProps,
  place: ComparisonContext,
  compare: CompareNodes,
): Compatibility {
  const { place: aside, found } = place.fork('value');
  compare(before, after, aside);
  const verdicts = new Set(found.map(({ verdict }) => verdict));
  return verdicts.has('breaking') ? 'breaking' : verdicts.has('unknown') ? 'unknown' : 'compatible';
}
