import type { Finding } from '@tenantry/kube/finding';
import type { Path } from '@tenantry/kube/problem';
import { applyDefaults } from './admission/defaulting.ts';
import type { JSONSchemaProps } from './json-schema.ts';
import type { Schema } from './language.ts';
import { compileSchema } from './validator.ts';

/**
 * Validates a value and returns every error, by path, in the order of the document. The errors are those of the API
 * server under strict field validation, after defaults are filled in. A null that the API server would drop is an error
 * here. A CEL rule is evaluated only if the value around it is well-formed. A field that is missing because it is
 * misspelled is reported once, where it is written. What is undetermined is not reported: use `compileSchema` or `admitValue` for
 * them. Never throws, whatever the value.
 */
export function validate(
  schema: JSONSchemaProps,
  value: unknown,
  path: Path = [],
): readonly Finding[] {
  const { errors } = compileSchema(schema).check(applyDefaults(schema, value), { path });
  return dropMisspelledRequired(errors);
}

/** A value under the type of its schema, or the errors that prevent it. */
type Validated<T> =
  | { readonly value: T; readonly errors?: never }
  | { readonly value?: never; readonly errors: readonly Finding[] };

/**
 * Validates a value and returns it as the static type of its schema, as written, with no default filled in. It is the
 * same value, not a copy. Never throws, whatever the value.
 */
export function validateTyped<T>(schema: Schema<unknown, T>, value: unknown): Validated<T> {
  const errors = validate(schema, value);
  return errors.length > 0 ? { errors } : { value: value as T };
}

/**
 * Drops the findings about missing fields that are only misspelled. For such a field, the finding about the unknown
 * field already suggests the right name.
 */
export function dropMisspelledRequired(findings: readonly Finding[]): readonly Finding[] {
  const meant = new Set(
    findings.flatMap(({ path, about }) => {
      const field = about?.meantField;
      return field === undefined ? [] : [keyOf([...path.slice(0, -1), field])];
    }),
  );
  if (meant.size === 0) return findings;
  return findings.filter(({ path, rule }) => rule !== 'required' || !meant.has(keyOf(path)));
}

const keyOf = (path: Path): string => JSON.stringify(path);
