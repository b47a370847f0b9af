/** The texts for people in a schema, under a symbol that JSON and YAML leave out. */
import type { JSONSchemaProps } from './json-schema.ts';

/** The symbol under which a schema has its texts for people. */
export const words = Symbol('words');

/** The texts for people in a schema, which the API server does not know. */
export interface Words {
  /** The expectation in the message about a wrong value: `must be <must>`. @default - derived from the schema */
  readonly must?: string;
  /** The behavior if the field is absent, for the reference page. */
  readonly absent?: string;
}

/**
 * Returns a schema as `spec.versions[].schema.openAPIV3Schema` of a CustomResourceDefinition: a copy without the
 * properties under symbols.
 */
export function openApi(schema: JSONSchemaProps): JSONSchemaProps {
  return copy(schema) as JSONSchemaProps;
}

function copy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copy);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return Object.fromEntries(entries.map(([key, inner]) => [key, copy(inner)]));
}

/** Returns the texts for people in a schema; empty for a schema that was read from YAML. */
export function readWords(schema: JSONSchemaProps): Words {
  return (schema as { readonly [words]?: Words })[words] ?? {};
}
