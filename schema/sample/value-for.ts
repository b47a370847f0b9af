import type { Json } from '../../kube/object.ts';
import type { Path } from '../../kube/problem.ts';
import type { JSONSchemaProps } from '../json-schema.ts';
import { validate } from '../validate.ts';

/** Returns a valid value for a node of the schema, with all of its fields if it is `full`. Throws NoSample. */
export type ValueFor = (schema: JSONSchemaProps, path: Path, full: boolean) => Json;

export interface JsonObject {
  [key: string]: Json;
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether the schema accepts a value. */
export function isValidSample(schema: JSONSchemaProps, value: Json): boolean {
  return validate(schema, value).length === 0;
}
