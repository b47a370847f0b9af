import type { JSONSchemaProps } from '../../schema/json-schema.ts';
import { isDeepEqual } from '../../kube/equality.ts';

/** The kinds of values that JSON has, as schemas call them. */
export type SchemaType = 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean';

/** What a keyword speaks about: it says nothing of values of another kind. */
export type ValueKind = 'objects' | 'lists' | 'strings' | 'numbers';

const subjects: Readonly<Record<SchemaType, ValueKind | undefined>> = {
  object: 'objects',
  array: 'lists',
  string: 'strings',
  integer: 'numbers',
  number: 'numbers',
  boolean: undefined,
};

/** Whether a schema accepts values about which a keyword may speak. */
export function acceptsValueKind(schema: JSONSchemaProps, subject: ValueKind): boolean {
  if (schema['x-kubernetes-int-or-string'] === true) {
    return subject === 'strings' || subject === 'numbers';
  }
  const { type } = schema;
  if (!type) return true;
  return !Object.hasOwn(subjects, type) || subjects[type as SchemaType] === subject;
}

/** `integer or string` where the node says so, or its type; undefined for any. */
export function typeOf(schema: JSONSchemaProps): string | undefined {
  return schema['x-kubernetes-int-or-string'] === true
    ? 'integer or string'
    : schema.type || undefined;
}

/** Whether a branch of anyOf, oneOf, not or an enumeration asks about a value as a whole. */
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
 * A schema without what says nothing: the `anyOf` that generators put beside
 * x-kubernetes-int-or-string (also inside the first branch of allOf).
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
