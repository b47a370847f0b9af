/** Compares lists and the merging of fields: items, list type and keys, map type. */
import type { JSONSchemaProps } from '../schema/json-schema.ts';
import { isMapping } from '@tenantry/kube/mapping';
import { isDeepEqual } from '@tenantry/kube/json';
import { buildSides, formatValues } from './change.ts';
import { acceptsValueKind } from './schema-subjects.ts';
import type { CompareNodes, ComparisonContext } from './comparison-context.ts';

const PRESERVE = 'x-kubernetes-preserve-unknown-fields';

export function compareItems(
  before: JSONSchemaProps,
  after: JSONSchemaProps,
  place: ComparisonContext,
  compare: CompareNodes,
): void {
  const { items: from } = before;
  const { items: to } = after;
  if (isMapping(from) && isMapping(to)) {
    // A list passes on to its items that unknown fields are kept; an object does not.
    const kept = {
      before: place.kept.before || before[PRESERVE] === true,
      after: place.kept.after || after[PRESERVE] === true,
    };
    compare(from, to, place.child('[]', { kept }));
    return;
  }
  if (isDeepEqual(from, to)) return;
  const change = { rule: 'items', ...buildSides(from, to) };
  if (from === undefined && place.mode === 'value') {
    const message = 'items have a schema now: any were accepted';
    place.report({ ...change, verdict: 'breaking', message });
  } else if (to === undefined && place.mode === 'value') {
    const message = 'items of any kind are accepted';
    place.report({ ...change, verdict: 'compatible', message, widens: true });
  } else if (!acceptsValueKind(after, 'lists') && !acceptsValueKind(before, 'lists')) {
    place.report({
      ...change,
      verdict: 'compatible',
      message: 'the keyword does not affect these values',
    });
  } else if (to !== undefined && !acceptsValueKind(before, 'lists')) {
    // The change of the type is reported elsewhere.
    place.report({ ...change, verdict: 'compatible', message: 'the schema of the items is new' });
  } else {
    const message = 'one of the two has no schema for the items';
    place.report({ ...change, verdict: 'unknown', message });
  }
}

const LIST = 'x-kubernetes-list-type';
const KEYS = 'x-kubernetes-list-map-keys';
const MAP = 'x-kubernetes-map-type';

export function compareMerging(
  before: JSONSchemaProps,
  after: JSONSchemaProps,
  place: ComparisonContext,
): void {
  compareListType(before, after, place);
  compareKeys(before, after, place);
  if (before[MAP] === after[MAP]) return;
  const change = { rule: 'map-type', ...buildSides(before[MAP], after[MAP]) };
  const [a, b] = [before[MAP] ?? 'granular', after[MAP] ?? 'granular'];
  if (a === b) {
    place.report({ ...change, verdict: 'compatible', message: 'granular is the default' });
  } else if (b === 'granular') {
    const message = 'each field has an owner of its own in server-side apply';
    place.report({ ...change, verdict: 'compatible', message });
  } else if (b === 'atomic') {
    const message =
      'server-side apply replaces it as a whole: what one client applies drops the fields of others';
    place.report({ ...change, verdict: 'breaking', message });
  } else place.report({ ...change, verdict: 'unknown', message: 'no map type that is known' });
}

function compareListType(
  before: JSONSchemaProps,
  after: JSONSchemaProps,
  place: ComparisonContext,
): void {
  if (before[LIST] === after[LIST]) return;
  const change = { rule: 'list-type', ...buildSides(before[LIST], after[LIST]) };
  const [a, b] = [before[LIST] ?? 'atomic', after[LIST] ?? 'atomic'];
  if (a === b) {
    place.report({ ...change, verdict: 'compatible', message: 'atomic is the default' });
  } else if (b === 'set') {
    const message = 'must have each item only once now: repeated items were accepted';
    place.report({ ...change, verdict: 'breaking', message });
  } else if (b === 'map') {
    const message = `must have each ${keysOf(after)} only once now: repeated ones were accepted`;
    place.report({ ...change, verdict: 'breaking', message });
  } else if (b === 'atomic') {
    const message =
      'server-side apply replaces the list as a whole: what one client applies drops the items of others';
    place.report({ ...change, verdict: 'breaking', message });
  } else place.report({ ...change, verdict: 'unknown', message: 'no list type that is known' });
}

function keysOf(schema: JSONSchemaProps): string {
  return formatValues(schema[KEYS] ?? []) || 'key';
}

function compareKeys(
  before: JSONSchemaProps,
  after: JSONSchemaProps,
  place: ComparisonContext,
): void {
  const [a, b] = [before[KEYS] ?? [], after[KEYS] ?? []];
  if (isDeepEqual(a, b) || before[LIST] !== after[LIST]) return;
  const change = { rule: 'list-map-keys', ...buildSides(before[KEYS], after[KEYS]) };
  if (isDeepEqual(a.toSorted(), b.toSorted())) {
    const message = 'the same keys in another order';
    place.report({ ...change, verdict: 'compatible', message });
  } else {
    const message = `items are identified by ${keysOf(after)} now, by ${keysOf(before)} before: server-side apply merges different items`;
    place.report({ ...change, verdict: 'breaking', message });
  }
}
