/** Compares lists and the merging of fields: items, list type and keys, map type. */
import type { JSONSchemaProps } from '../schema/json-schema.ts';
import { isDeepEqual } from '@tenantry/kube/json';
import { formatValues } from './change.ts';
import { acceptsValueKind, NO_EFFECT } from './limits.ts';
import type { SchemaComparison } from './comparison-context.ts';

const PRESERVE = 'x-kubernetes-preserve-unknown-fields';

export const compareItems: SchemaComparison = (before, after, place) => {
  const [from, to] = [before.items, after.items];
  if (from && to) {
    // A list passes on to its items that unknown fields are kept; an object does not.
    const kept = {
      before: place.kept.before || before[PRESERVE] === true,
      after: place.kept.after || after[PRESERVE] === true,
    };
    return place.child('[]', { kept }).compare(from, to);
  }
  if (isDeepEqual(from, to)) return;
  const change = place.change('items', from, to);
  const wasList = acceptsValueKind(before, 'lists');
  if (from === undefined && place.mode === 'value') {
    change.breaking('items have a schema now: any were accepted');
  } else if (to === undefined && place.mode === 'value') {
    change.widening('items of any kind are accepted');
  } else if (!acceptsValueKind(after, 'lists') && !wasList) change.compatible(NO_EFFECT);
  // The change of the type is reported elsewhere.
  else if (to !== undefined && !wasList) change.compatible('the schema of the items is new');
  else change.unknown('one of the two has no schema for the items');
};

const LIST = 'x-kubernetes-list-type';
const KEYS = 'x-kubernetes-list-map-keys';
const MAP = 'x-kubernetes-map-type';

export const compareMerging: SchemaComparison = (before, after, place) => {
  compareListType(before, after, place);
  compareKeys(before, after, place);
  if (before[MAP] === after[MAP]) return;
  const change = place.change('map-type', before[MAP], after[MAP]);
  const [a, b] = [before[MAP] ?? 'granular', after[MAP] ?? 'granular'];
  if (a === b) change.compatible('granular is the default');
  else if (b === 'granular') {
    change.compatible('each field has an owner of its own in server-side apply');
  } else if (b === 'atomic') {
    change.breaking(
      'server-side apply replaces it as a whole: what one client applies drops the fields of others',
    );
  } else change.unknown('no map type that is known');
};

const compareListType: SchemaComparison = (before, after, place) => {
  if (before[LIST] === after[LIST]) return;
  const change = place.change('list-type', before[LIST], after[LIST]);
  const [a, b] = [before[LIST] ?? 'atomic', after[LIST] ?? 'atomic'];
  if (a === b) change.compatible('atomic is the default');
  else if (b === 'set') {
    change.breaking('must have each item only once now: repeated items were accepted');
  } else if (b === 'map') {
    change.breaking(`must have each ${keysOf(after)} only once now: repeated ones were accepted`);
  } else if (b === 'atomic') {
    change.breaking(
      'server-side apply replaces the list as a whole: what one client applies drops the items of others',
    );
  } else change.unknown('no list type that is known');
};

function keysOf(schema: JSONSchemaProps): string {
  return formatValues(schema[KEYS] ?? []) || 'key';
}

const compareKeys: SchemaComparison = (before, after, place) => {
  const [a, b] = [before[KEYS] ?? [], after[KEYS] ?? []];
  if (isDeepEqual(a, b) || before[LIST] !== after[LIST]) return;
  const change = place.change('list-map-keys', before[KEYS], after[KEYS]);
  if (isDeepEqual(a.toSorted(), b.toSorted())) {
    change.compatible('the same keys in another order');
  } else {
    change.breaking(
      `items are identified by ${keysOf(after)} now, by ${keysOf(before)} before: server-side apply merges different items`,
    );
  }
};
