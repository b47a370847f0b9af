import type { Path } from '../kube/problem.ts';
import { applyDefaults } from './admission/defaulting.ts';
import type { JSONSchemaProps } from './jsonschema.ts';
import type { Schema } from './language.ts';
import { compileSchema, type Mismatch } from './validator.ts';

export type { Mismatch } from './validator.ts';
export { isMapping } from '../kube/mapping.ts';

/**
 * Every mismatch between a value and its schema, in the order of the document: what the API server
 * refuses under strict field validation once defaults are filled in, told by path. A null that the
 * API server would drop is a mismatch here. A CEL rule is asked only where the value around it is
 * well-formed. What cannot be decided is not told: ask `compileSchema` or `admitValue` for that. Never throws,
 * whatever the value.
 */
export function validate(schema: JSONSchemaProps, value: unknown, path: Path = []): Mismatch[] {
  const { mismatches } = compileSchema(schema).check(applyDefaults(schema, value), { path });
  return [...mismatches];
}

/** A value under the type of its schema, or what keeps it from being of that type. */
export type Validated<T> =
  | { readonly value: T; readonly mismatches?: never }
  | { readonly value?: never; readonly mismatches: readonly Mismatch[] };

/**
 * A value as the type that its schema stands for: as it is written, with no default filled in. It
 * is the same value, not a copy. Never throws, whatever the value.
 */
export function validated<T>(schema: Schema<unknown, T>, value: unknown): Validated<T> {
  const mismatches = validate(schema, value);
  return mismatches.length > 0 ? { mismatches } : { value: value as T };
}
