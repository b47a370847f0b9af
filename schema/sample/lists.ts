import type { Json } from '../../kube/object.ts';
import type { Path } from '../../kube/problem.ts';
import type { JSONSchemaProps } from '../json-schema.ts';
import { listBranches } from './branches.ts';
import { kindOf } from './kind.ts';
import { buildNoSample } from './no-sample.ts';
import { isValidSample, isObject, type ValueFor } from './value-for.ts';
import { scalarsFor } from './values.ts';

/** Builds a list with the minimum number of items; with at least one if it is full. */
export function buildListSample(
  schema: JSONSchemaProps,
  path: Path,
  full: boolean,
  valueFor: ValueFor,
): Json {
  for (const given of [schema.example, schema.default]) {
    if (Array.isArray(given) && isValidSample(schema, given)) return given;
  }
  const { items = {}, minItems = 0, maxItems = Infinity } = schema;
  const length = Math.max(minItems, Math.min(full ? 1 : 0, maxItems));
  if (length === 0) return [];
  const first = valueFor(items, [...path, 0], full);
  if (length === 1) return [first];
  const keys = schema['x-kubernetes-list-map-keys'];
  const list = [first, ...others(first, items, keys).take(length - 1)];
  const isUnique = ['set', 'map'].includes(schema['x-kubernetes-list-type'] ?? 'atomic');
  if (isUnique && list.length < length) throw buildNoSample(path, `no ${length} items that differ`);
  while (list.length < length) list.push(first);
  return list;
}

/** Yields valid items that differ from the first and from each other, in their keys if there are any. */
function* others(
  first: Json,
  items: JSONSchemaProps,
  keys: readonly string[] | undefined,
): Generator<Json> {
  const seen = new Set([JSON.stringify(first)]);
  for (const candidate of variants(first, items, keys)) {
    const text = JSON.stringify(candidate);
    if (seen.has(text) || !isValidSample(items, candidate)) continue;
    seen.add(text);
    yield candidate;
  }
}

function* variants(
  first: Json,
  items: JSONSchemaProps,
  keys: readonly string[] | undefined,
): Generator<Json> {
  if (!isObject(first)) {
    for (const branch of listBranches(items)) yield* scalarsFor(branch);
    return;
  }
  for (const key of keys ?? Object.keys(first)) {
    const field = items.properties?.[key];
    if (!field || kindOf(field) !== 'scalar') continue;
    for (const value of scalarsFor(field)) yield { ...first, [key]: value };
  }
}
