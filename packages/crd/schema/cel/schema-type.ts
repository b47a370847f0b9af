import { celName } from '../language/cel-rules.ts';
import type { JSONSchemaProps } from '../json-schema.ts';
import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  list,
  map,
  STRING,
  TIMESTAMP,
  type Type,
} from './type.ts';

type Properties = Readonly<Record<string, JSONSchemaProps>>;

const text: JSONSchemaProps = { type: 'string' };

/**
 * The properties that rules see of every resource, even if its schema does not declare them. Rules see no other
 * metadata.
 */
const ofResources: Properties = {
  apiVersion: text,
  kind: text,
  metadata: { type: 'object', properties: { name: text, generateName: text } },
};

/**
 * Returns the properties that rules see; undefined if there are none. The schema of a resource's metadata applies only
 * if it declares everything that every resource has.
 */
export function visibleProperties(
  schema: JSONSchemaProps,
  isResource: boolean,
): Properties | undefined {
  const own = schema.properties ?? {};
  if (isResource) return declares(own, ofResources) ? own : { ...own, ...ofResources };
  return Object.keys(own).length === 0 ? undefined : own;
}

function declares(own: Properties, wanted: Properties): boolean {
  return Object.entries(wanted).every(([name, { type, properties = {} }]) => {
    const found = Object.hasOwn(own, name) ? own[name] : undefined;
    return found?.type === type && declares(found?.properties ?? {}, properties);
  });
}

/**
 * Returns the type that the API server gives the values of a schema; undefined for values that rules cannot see, such
 * as values of any type. Each call creates new types: objects at two places in a schema never have the same type.
 *
 * Source: https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#validation-rules
 */
export function typeOfSchema(schema: JSONSchemaProps, isRoot = false): Type | undefined {
  if (schema['x-kubernetes-int-or-string']) return DYN;
  const isResource = isRoot || schema['x-kubernetes-embedded-resource'] === true;
  switch (schema.type) {
    case 'boolean':
      return BOOL;
    case 'integer':
      return INT;
    case 'number':
      return DOUBLE;
    case 'string':
      return formats[schema.format ?? ''] ?? STRING;
    case 'array': {
      const item = schema.items && typeOfSchema(schema.items);
      return item && list(item);
    }
    case 'object': {
      const { additionalProperties: values } = schema;
      if (typeof values === 'object') {
        const value = typeOfSchema(values);
        return value && map(STRING, value);
      }
      return objectType(visibleProperties(schema, isResource) ?? {});
    }
    default:
      return undefined;
  }
}

const formats: Readonly<Record<string, Type | undefined>> = {
  byte: BYTES,
  duration: DURATION,
  date: TIMESTAMP,
  'date-time': TIMESTAMP,
};

function objectType(properties: Readonly<Record<string, JSONSchemaProps>>): Type {
  const fields = new Map<string, () => Type>();
  for (const [property, schema] of Object.entries(properties)) {
    const name = celName(property);
    if (name === undefined || !isVisible(schema)) continue;
    let type: Type | undefined;
    fields.set(name, () => (type ??= typeOfSchema(schema)!));
  }
  return { kind: 'object', name: 'object', params: [], fields };
}

/** Whether the values of a schema have a type. */
export function isVisible(schema: JSONSchemaProps): boolean {
  if (schema['x-kubernetes-int-or-string']) return true;
  if (schema.type === 'array') return schema.items !== undefined && isVisible(schema.items);
  if (schema.type !== 'object') return simpleTypes.has(schema.type);
  const { additionalProperties: values } = schema;
  return typeof values !== 'object' || isVisible(values);
}

const simpleTypes = new Set<string | undefined>(['boolean', 'integer', 'number', 'string']);

/** Whether a format gives a string another type in CEL: timestamp, duration, bytes. */
export function isTypedFormat({ format = '' }: JSONSchemaProps): boolean {
  return typeOfSchema({ type: 'string', format }) !== STRING;
}
