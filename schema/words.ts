/** What a schema tells people, under a symbol that JSON and YAML leave out. */
import type { JSONSchemaProps } from './json-schema.ts';

/** Under it stands what a schema tells people. */
export const words = Symbol('words');

/** What a schema tells people, and the API server does not know. */
export interface Words {
  /** What a wrong value is told: `must be <must>`. @default - derived from the schema */
  readonly must?: string;
  /** What holds when the field is absent, for the reference page. */
  readonly absent?: string;
}

/** What a schema tells people; empty for one that was read from YAML. */
export function wordsOf(schema: JSONSchemaProps): Words {
  return (schema as { readonly [words]?: Words })[words] ?? {};
}
