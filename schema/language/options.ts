import type { JSONSchemaProps, ValidationRule } from '../json-schema.ts';
import type { Words } from '../words.ts';
import type { Fields } from './static.ts';

/** What every schema can say besides its type. */
export interface Options<T> extends Words {
  readonly title?: string;
  readonly example?: T;
  /** CEL rules over the value. */
  readonly rules?: readonly ValidationRule[];
  readonly externalDocs?: { readonly description?: string; readonly url?: string };
  readonly allOf?: readonly JSONSchemaProps[];
  readonly anyOf?: readonly JSONSchemaProps[];
  readonly oneOf?: readonly JSONSchemaProps[];
  readonly not?: JSONSchemaProps;
}

/** What bounds a string. */
export interface StringOptions extends Options<string> {
  /** A regular expression in Go's syntax (RE2), not anchored. */
  readonly pattern?: string;
  /** In characters (code points). Bound it: costs of CEL rules are estimated from it. */
  readonly maxLength?: number;
  readonly minLength?: number;
  /** Such as `date-time`, `duration`, `ipv4`, `uuid`; one that is not known is not checked. */
  readonly format?: string;
}

/** What bounds a number. */
export interface NumberOptions extends Options<number> {
  readonly minimum?: number;
  readonly exclusiveMinimum?: boolean;
  readonly maximum?: number;
  readonly exclusiveMaximum?: boolean;
  readonly multipleOf?: number;
  readonly format?: string;
}

/** What bounds a whole number or a string. */
export interface IntOrStringOptions extends Omit<StringOptions, 'example'> {
  readonly minimum?: number;
  readonly maximum?: number;
  readonly example?: number | string;
}

/** What bounds a list. */
export interface ListOptions<T> extends Options<readonly T[]> {
  readonly minItems?: number;
  /** Bound it: costs of CEL rules are estimated from it. */
  readonly maxItems?: number;
}

/** What bounds an object, and how it is merged. */
export interface ObjectOptions<F extends Fields = Fields> extends Options<object> {
  readonly minProperties?: number;
  readonly maxProperties?: number;
  /** `atomic`: server-side apply has one owner for all of it. @default - granular */
  readonly mapType?: 'atomic' | 'granular';
  /** Fields that are not declared are kept. @default - they are refused, or pruned */
  readonly preserveUnknownFields?: boolean;
  /** At most one of these fields may be there. */
  readonly atMostOneOf?: readonly (keyof F & string)[];
  /** Exactly one of these fields has to be there. */
  readonly exactlyOneOf?: readonly (keyof F & string)[];
  /** One or more of these fields have to be there. */
  readonly atLeastOneOf?: readonly (keyof F & string)[];
}

/** What bounds a map, and how it is merged. */
export interface MapOptions<T> extends Options<Readonly<Record<string, T>>> {
  readonly minProperties?: number;
  /** Bound it: costs of CEL rules are estimated from it. */
  readonly maxProperties?: number;
  readonly mapType?: 'atomic' | 'granular';
}
