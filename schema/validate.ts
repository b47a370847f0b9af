import type { Finding } from '../kube/finding.ts';
import type { Path } from '../kube/problem.ts';
import { applyDefaults } from './admission/defaulting.ts';
import type { JSONSchemaProps } from './json-schema.ts';
import type { Schema } from './language.ts';
import { dropMisspelledRequired } from './misspelt.ts';
import { compileSchema } from './validator.ts';

export { isMapping } from '../kube/mapping.ts';

/**
 * Every error of a value under its schema, in the order of the document: what the API server
 * refuses under strict field validation once defaults are filled in, reported by path. A null that
 * the API server would drop is an error here. A CEL rule is asked only where the value around it is
 * well-formed. A field that lacks because it is misspelt is told once, where it is written. What
 * cannot be decided is not told: ask `compileSchema` or `admitValue` for that.
 * Never throws, whatever the value.
 */
export function validate(
  schema: JSONSchemaProps,
  value: unknown,
  path: Path = [],
): readonly Finding[] {
  const { errors } = compileSchema(schema).check(applyDefaults(schema, value), { path });
  return dropMisspelledRequired(errors);
}

/** A value under the type of its schema, or what keeps it from being of that type. */
export type Validated<T> =
  | { readonly value: T; readonly errors?: never }
  | { readonly value?: never; readonly errors: readonly Finding[] };

/**
 * A value as the type that its schema stands for: as it is written, with no default filled in. It
 * is the same value, not a copy. Never throws, whatever the value.
 */
export function validateTyped<T>(schema: Schema<unknown, T>, value: unknown): Validated<T> {
  const errors = validate(schema, value);
  return errors.length > 0 ? { errors } : { value: value as T };
}
