import type { JSONSchemaProps, ValidationRule } from '../json-schema.ts';
import { type Words, words } from '../words.ts';
import type { Fields } from './static.ts';

/** The options of every schema besides its type. */
export interface Options<T> extends Words {
  readonly title?: string;
  readonly example?: T;
  /** CEL rules for the value. */
  readonly rules?: readonly ValidationRule[];
  readonly externalDocs?: { readonly description?: string; readonly url?: string };
  readonly allOf?: readonly JSONSchemaProps[];
  readonly anyOf?: readonly JSONSchemaProps[];
  readonly oneOf?: readonly JSONSchemaProps[];
  readonly not?: JSONSchemaProps;
}

/** The options of a string. */
export interface StringOptions extends Options<string> {
  /** A regular expression in Go's syntax (RE2), not anchored. */
  readonly pattern?: string;
  /** In characters (code points). Set it: estimates of CEL rules depend on it. */
  readonly maxLength?: number;
  readonly minLength?: number;
  /** Such as `date-time`, `duration`, `ipv4`, `uuid`; an unknown format is not checked. */
  readonly format?: string;
}

/** The options of a number. */
export interface NumberOptions extends Options<number> {
  readonly minimum?: number;
  readonly exclusiveMinimum?: boolean;
  readonly maximum?: number;
  readonly exclusiveMaximum?: boolean;
  readonly multipleOf?: number;
  readonly format?: string;
}

/** The options of a whole number or a string. */
export interface IntOrStringOptions extends Omit<StringOptions, 'example'> {
  readonly minimum?: number;
  readonly maximum?: number;
  readonly example?: number | string;
}

/** The options of a list. */
export interface ListOptions<T> extends Options<readonly T[]> {
  readonly minItems?: number;
  /** Set it: estimates of CEL rules depend on it. */
  readonly maxItems?: number;
}

/** The options of an object, and of its merge. */
export interface ObjectOptions<F extends Fields = Fields> extends Options<object> {
  readonly minProperties?: number;
  readonly maxProperties?: number;
  /** `atomic`: in server-side apply one manager owns the whole object. @default - granular */
  readonly mapType?: 'atomic' | 'granular';
  /** Whether undeclared fields are kept. @default - they are refused, or pruned */
  readonly preserveUnknownFields?: boolean;
  /** At most one of these fields may be present. */
  readonly atMostOneOf?: readonly (keyof F & string)[];
  /** Exactly one of these fields must be present. */
  readonly exactlyOneOf?: readonly (keyof F & string)[];
  /** At least one of these fields must be present. */
  readonly atLeastOneOf?: readonly (keyof F & string)[];
}

/** The options of a map, and of its merge. */
export interface MapOptions<T> extends Options<Readonly<Record<string, T>>> {
  readonly minProperties?: number;
  /** Set it: estimates of CEL rules depend on it. */
  readonly maxProperties?: number;
  readonly mapType?: 'atomic' | 'granular';
}

/**
 * Applies the options of a schema. Texts for people and rules are stored at their own places; everything else belongs
 * to the API server's schema.
 */
export function applyOptions<S extends JSONSchemaProps>(
  schema: S,
  options: Options<unknown> = {},
): S {
  const { must, absent, rules, ...rest } = options;
  return {
    ...schema,
    ...rest,
    ...(rules && rules.length > 0 && { 'x-kubernetes-validations': rules }),
    ...((must ?? absent) !== undefined && {
      [words]: { ...(must !== undefined && { must }), ...(absent !== undefined && { absent }) },
    }),
  };
}
