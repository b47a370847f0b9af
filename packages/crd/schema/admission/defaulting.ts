import { schemaOfField, type JSONSchemaProps } from '../json-schema.ts';
import { isMapping } from '@tenantry/kube/mapping';

/**
 * Fills in the defaults of a schema as the API server does: outside in, so that defaults within a default apply too. It
 * fills in missing fields, and nulls that are not allowed. A value without anything to fill in is returned as the same
 * object; the value is never changed.
 *
 * Source: https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#defaulting
 *
 * @example
 * ```ts
 * import { applyDefaults, integer, object } from '@tenantry/crd/schema';
 *
 * const schema = object('A box.', { size: integer('How big.', { default: 3 }) });
 * console.log(applyDefaults(schema, {})); // { size: 3 }
 * ```
 */
export function applyDefaults(schema: JSONSchemaProps, value: unknown): unknown {
  if (!hasDefaults(schema)) return value;
  if (Array.isArray(value)) return applyToList(schema, value);
  return isMapping(value) ? applyToObject(schema, value) : value;
}

const known = new WeakMap<JSONSchemaProps, boolean>();

/** Whether the schema contains a default anywhere. */
function hasDefaults(schema: JSONSchemaProps): boolean {
  const answer = known.get(schema) ?? containsDefaults(schema);
  known.set(schema, answer);
  return answer;
}

function containsDefaults({ properties, additionalProperties, items }: JSONSchemaProps): boolean {
  const within = Object.values(properties ?? {});
  if (items) within.push(items);
  if (typeof additionalProperties === 'object') within.push(additionalProperties);
  return within.some((schema) => isDefaulted(schema) || hasDefaults(schema));
}

/** Whether the schema has a default; null counts as none. */
function isDefaulted(schema: JSONSchemaProps): boolean {
  return schema.default !== undefined && schema.default !== null;
}

function applyToList(schema: JSONSchemaProps, list: readonly unknown[]): unknown {
  const { items } = schema;
  if (!items) return list;
  const filled = list.map((item) => applyDefaults(items, filledIn(items, item)));
  return filled.some((item, i) => item !== list[i]) ? filled : list;
}

function applyToObject(schema: JSONSchemaProps, object: Record<string, unknown>): unknown {
  let copy: Record<string, unknown> | undefined;
  const set = (key: string, value: unknown): void => {
    copy ??= { ...object };
    setField(copy, key, value);
  };
  for (const key of Object.keys(object)) {
    const field = schemaOfField(schema, key);
    if (!field) continue;
    const filled = applyDefaults(field, filledIn(field, object[key]));
    if (filled !== object[key]) set(key, filled);
  }
  for (const [key, field] of Object.entries(schema.properties ?? {})) {
    if (!isDefaulted(field) || Object.hasOwn(object, key)) continue;
    set(key, applyDefaults(field, structuredClone(field.default)));
  }
  return copy ?? object;
}

function filledIn(schema: JSONSchemaProps, value: unknown): unknown {
  const isWanted = value === null && schema.nullable !== true && isDefaulted(schema);
  return isWanted ? structuredClone(schema.default) : value;
}

/** Sets a field of any name, including `__proto__`. */
export function setField(object: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== '__proto__') {
    object[key] = value;
    return;
  }
  Object.defineProperty(object, key, {
    value,
    writable: true,
    enumerable: true,
    configurable: true,
  });
}
