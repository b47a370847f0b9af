import type { Json } from '../../kube/object.ts';
import type { Path } from '../../kube/problem.ts';
import type { JSONSchemaProps } from '../json-schema.ts';
import { attempt, NoSample } from './no-sample.ts';
import { isValidSample, isObject, type JsonObject, type ValueFor } from './value-for.ts';

/** Fills in every field that the value can have, one after the other, in the order of the schema. */
export function fillOptionalFields(
  schema: JSONSchemaProps,
  start: Json,
  path: Path,
  valueFor: ValueFor,
): Json {
  if (!isObject(start)) return start;
  const names = Object.keys(schema.properties ?? {});
  // A field that is refused because of a later one is tried again in the second pass.
  return [...names, ...names].reduce(
    (value, name) => withField(schema, value, name, path, valueFor),
    start,
  );
}

/** Returns the object with the fullest value that is valid for a field; unchanged if there is none. */
function withField(
  schema: JSONSchemaProps,
  object: JsonObject,
  name: string,
  path: Path,
  valueFor: ValueFor,
): JsonObject {
  const { properties = {} } = schema;
  for (const full of Object.hasOwn(object, name) ? [true] : [true, false]) {
    const made = attempt(() => valueFor(properties[name]!, [...path, name], full));
    if (made instanceof NoSample) continue;
    const candidate = inOrder(Object.keys(properties), { ...object, [name]: made });
    if (isValidSample(schema, candidate)) return candidate;
  }
  return object;
}

function inOrder(names: readonly string[], object: JsonObject): JsonObject {
  const all = new Set([...names, ...Object.keys(object)]);
  const present = [...all].filter((name) => Object.hasOwn(object, name));
  return Object.fromEntries(present.map((name) => [name, object[name]!]));
}
