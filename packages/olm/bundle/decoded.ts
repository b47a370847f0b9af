import { isMapping } from '@tenantry/kube/mapping';
import { builtinSchema } from '@tenantry/crd/schema/builtin-object';
import type { JSONSchemaProps } from '@tenantry/crd/schema/json-schema';
import type { Schema } from '@tenantry/crd/schema/language';

/**
 * A value of a type as far as it is valid: any field may be missing, and a present field has its type. A string may
 * have any value where the type has an enumeration.
 */
export type Decoded<T> = T extends string
  ? string
  : T extends readonly (infer Item)[]
    ? readonly Decoded<Item>[]
    : T extends object
      ? { readonly [Field in keyof T]?: Decoded<T[Field]> }
      : T;

const quantity = builtinSchema('quantity');

/**
 * Returns the parts of a value that have the types of its schema. Unknown fields and values of wrong types are left
 * out; in a list they are replaced by an empty value. Returns undefined if nothing remains.
 */
export function decodeBySchema<T>(schema: Schema<T>, value: unknown): Decoded<T> | undefined {
  return decodeValue(schema, value) as Decoded<T> | undefined;
}

function decodeValue(schema: JSONSchemaProps, value: unknown): unknown {
  // A quantity is a text that may be written as a number.
  if (schema === quantity) return shapedQuantity(value);
  const { type, properties, additionalProperties, items } = schema;
  if (type === 'array') {
    if (!Array.isArray(value)) return undefined;
    return items ? value.map((item) => decodeValue(items, item) ?? emptyOf(items)) : value;
  }
  if (type === 'object') {
    if (!isMapping(value)) return undefined;
    if (properties) return decodeFields(value, (key) => entry(properties, key));
    return typeof additionalProperties === 'object'
      ? decodeFields(value, () => additionalProperties)
      : value;
  }
  return isOfType(schema, value) ? value : undefined;
}

function shapedQuantity(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' ? value : undefined;
}

function entry(
  properties: Readonly<Record<string, JSONSchemaProps>>,
  key: string,
): JSONSchemaProps | undefined {
  return Object.hasOwn(properties, key) ? properties[key] : undefined;
}

function decodeFields(
  value: Readonly<Record<string, unknown>>,
  schemaOf: (key: string) => JSONSchemaProps | undefined,
): Record<string, unknown> {
  const fields = Object.entries(value).flatMap(([key, field]) => {
    const schema = schemaOf(key);
    const inner = schema && decodeValue(schema, field);
    return inner === undefined ? [] : [[key, inner] as const];
  });
  return Object.fromEntries(fields);
}

function isOfType(schema: JSONSchemaProps, value: unknown): boolean {
  if (value === null || value === undefined) return false;
  if (schema['x-kubernetes-int-or-string']) {
    return typeof value === 'string' || Number.isInteger(value);
  }
  switch (schema.type) {
    case 'string':
    case 'boolean':
    case 'number':
      return typeof value === schema.type;
    case 'integer':
      return Number.isInteger(value);
    default:
      return true;
  }
}

function emptyOf({ type }: JSONSchemaProps): unknown {
  switch (type) {
    case 'array':
      return [];
    case 'string':
      return '';
    case 'boolean':
      return false;
    case 'integer':
    case 'number':
      return 0;
    default:
      return {};
  }
}
