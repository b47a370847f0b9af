/** Compares allOf, anyOf, oneOf and not. */
import type { JSONSchemaProps } from '../schema/json-schema.ts';
import { formatCanonicalJson, isDeepEqual } from '@tenantry/kube/json';
import type { ComparisonContext, SchemaComparison } from './comparison-context.ts';

type BranchKeyword = 'allOf' | 'anyOf' | 'oneOf';

const ruleOf = { allOf: 'all-of', anyOf: 'any-of', oneOf: 'one-of' } as const;

export const compareBranches: SchemaComparison = (before, after, place) => {
  for (const kind of ['allOf', 'anyOf', 'oneOf'] as const) {
    const [from, to] = [before[kind] ?? [], after[kind] ?? []];
    if (!isDeepEqual(from, to)) compareLists(kind, from, to, place);
  }
  compareNot(before, after, place);
};

function compareLists(
  kind: BranchKeyword,
  from: readonly JSONSchemaProps[],
  to: readonly JSONSchemaProps[],
  place: ComparisonContext,
): void {
  const rule = ruleOf[kind];
  if (to.length === 0) {
    return place.change(rule, from).widening(`${kind} restricts nothing any more`);
  }
  if (from.length === 0) {
    const change = place.change(rule, undefined, to);
    return change.breaking(`must fit ${kind} now: it was not required before`);
  }
  const gone = subtractSchemas(from, to);
  const added = subtractSchemas(to, from);
  if (gone.length === 0 && added.length === 0) {
    const change = place.change(rule);
    if (kind === 'oneOf' && from.length !== to.length) {
      change.unknown('a branch is repeated, and exactly one may fit');
    } else change.compatible('the same branches, in another order or repeated');
  } else if (gone.length === added.length && from.length === to.length) {
    const change = place.change(rule, from, to);
    const isWider = gone.every(([, a], i) => isCompatible(a, added[i]![1], place));
    if (isWider && kind !== 'oneOf') {
      change.widening('each branch accepts what it accepted before, or more');
    } else {
      change.unknown(
        `branches of ${kind} changed: it is unknown whether they still accept the same values`,
      );
    }
  } else {
    for (const [i, schema] of gone) reportRemovedBranch(kind, i, schema, place);
    for (const [i, schema] of added) reportAddedBranch(kind, i, schema, place);
  }
}

function reportRemovedBranch(
  kind: BranchKeyword,
  i: number,
  before: JSONSchemaProps,
  place: ComparisonContext,
): void {
  const change = place.change(ruleOf[kind], before, undefined, `(${kind}[${i}])`);
  if (kind === 'allOf') change.widening('this is no longer required');
  else change.breaking('values that fit this branch alone were accepted, and are refused now');
}

function reportAddedBranch(
  kind: BranchKeyword,
  i: number,
  after: JSONSchemaProps,
  place: ComparisonContext,
): void {
  const change = place.change(ruleOf[kind], undefined, after, `(${kind}[${i}])`);
  if (kind === 'allOf') change.breaking('must fit this too now');
  else if (kind === 'anyOf') change.widening('may fit this instead');
  else {
    change.unknown(
      'may fit this instead, and values that fit it beside another branch are refused',
    );
  }
}

const compareNot: SchemaComparison = ({ not: before }, { not: after }, place) => {
  if (isDeepEqual(before, after)) return;
  const change = place.change('not', before, after);
  if (after === undefined) change.widening('what was excluded is accepted');
  else if (before === undefined) change.breaking('what is excluded now was accepted');
  else if (isCompatible(after, before, place)) {
    change.widening('all that is excluded was excluded before');
  } else change.unknown('what is excluded changed: it is unknown whether more is excluded');
};

/** Returns the members of a list that are not in another one, with their positions. */
function subtractSchemas(
  list: readonly JSONSchemaProps[],
  others: readonly JSONSchemaProps[],
): [number, JSONSchemaProps][] {
  const known = new Set(others.map(formatCanonicalJson));
  return [...list.entries()].filter(([, schema]) => !known.has(formatCanonicalJson(schema)));
}

/** Returns whether a branch accepts every value that another one accepts. */
function isCompatible(
  before: JSONSchemaProps,
  after: JSONSchemaProps,
  place: ComparisonContext,
): boolean {
  return place.compareBranch(before, after).every(({ verdict }) => verdict === 'compatible');
}
