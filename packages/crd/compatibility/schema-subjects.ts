import type { JSONSchemaProps } from '../schema/json-schema.ts';
import { isDeepEqual } from '@tenantry/kube/json';

/** The types of JSON values, by their names in schemas. */
type SchemaType = 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean';

/** The kind of values that a keyword restricts. It does not affect values of other kinds. */
export type ValueKind = 'objects' | 'lists' | 'strings' | 'numbers';

const subjects: Readonly<Record<SchemaType, ValueKind | undefined>> = {
  object: 'objects',
  array: 'lists',
  string: 'strings',
  integer: 'numbers',
  number: 'numbers',
  boolean: undefined,
};

/** Returns whether a schema accepts values that a keyword may restrict. */
export function acceptsValueKind(schema: JSONSchemaProps, subject: ValueKind): boolean {
  if (schema['x-kubernetes-int-or-string'] === true) {
    return subject === 'strings' || subject === 'numbers';
  }
  const { type } = schema;
  if (!type) return true;
  return !Object.hasOwn(subjects, type) || subjects[type as SchemaType] === subject;
}

/** Returns the type of a schema, `integer or string` if it allows both; undefined if it allows any. */
export function typeOf(schema: JSONSchemaProps): string | undefined {
  return schema['x-kubernetes-int-or-string'] === true
    ? 'integer or string'
    : schema.type || undefined;
}

/** Returns whether a branch of anyOf, oneOf, not or an enumeration checks the value as a whole. */
export function hasWholeValueChecks(schema: JSONSchemaProps): boolean {
  return (
    some(schema.allOf) ||
    some(schema.anyOf) ||
    some(schema.oneOf) ||
    schema.not !== undefined ||
    some(schema.enum)
  );
}

export function hasRules(schema: JSONSchemaProps): boolean {
  return some(schema['x-kubernetes-validations']);
}

function some(list: readonly unknown[] | undefined): boolean {
  return list !== undefined && list.length > 0;
}

const intOrString: readonly JSONSchemaProps[] = [{ type: 'integer' }, { type: 'string' }];

/**
 * Removes the `anyOf` that generators put beside x-kubernetes-int-or-string, and that restricts
 * nothing. Also removes it from the first branch of allOf.
 */
export function removeRedundantAnyOf(schema: JSONSchemaProps): JSONSchemaProps {
  if (schema['x-kubernetes-int-or-string'] !== true) return schema;
  const { anyOf, allOf, ...rest } = schema;
  const first = allOf?.[0];
  const restOfAll =
    first?.anyOf && isDeepEqual(first.anyOf, intOrString) && Object.keys(first).length === 1
      ? allOf!.slice(1)
      : allOf;
  return {
    ...rest,
    ...(anyOf && !isDeepEqual(anyOf, intOrString) && { anyOf }),
    ...(restOfAll && restOfAll.length > 0 && { allOf: restOfAll }),
  };
}
