/** The static types of schemas. They are stored under symbols on the schema's type and do not exist at run time. */
import type { Json } from '@tenantry/kube/object';
import type { JSONSchemaProps } from '../json-schema.ts';
import type { words, Words } from '../words.ts';

declare const staticType: unique symbol;
declare const inputType: unique symbol;
declare const defaulted: unique symbol;
/** Marks a field as required until its object is built. */
export const mandatory = Symbol('mandatory');

/** A schema whose valid values have the type `T`, and `In` before the defaults are filled in. */
export interface Schema<out T, out In = T> extends JSONSchemaProps {
  readonly [staticType]?: T;
  readonly [inputType]?: In;
  readonly [words]?: Words;
}

/** A schema of a required field. */
export interface Required<out T, out In = T> extends Schema<T, In> {
  readonly [mandatory]: true;
}

/** A schema of a field that is always present once defaults are filled in. */
export interface Defaulted<out T, out In = T> extends Schema<T, In> {
  readonly [defaulted]?: true;
  readonly default: Json;
}

/** The type of the values of a schema as the API server stores them: with defaults filled in. */
export type Static<S> = S extends { readonly [staticType]?: infer T } ? T : never;

/** The type of the values of a schema as people write them: fields with a default may be absent. */
export type Input<S> = S extends { readonly [inputType]?: infer In } ? In : never;

/** The fields of an object. */
export type Fields = Readonly<Record<string, JSONSchemaProps>>;

/** The names of the fields that are always present once defaults are filled in. */
export type PresentFields<F> = {
  [K in keyof F]: F[K] extends { [mandatory]: true } | { default: Json } ? K : never;
}[keyof F];

/** The names of the fields that must be written. */
export type MandatoryFields<F> = {
  [K in keyof F]: F[K] extends { [mandatory]: true } ? K : never;
}[keyof F];

// The inferred T helps readers: editors show one object instead of an intersection.

/** The type of an object with these fields, with defaults filled in. */
export type FieldTypes<F> = {
  [K in PresentFields<F>]: Static<F[K]>;
} & { [K in Exclude<keyof F, PresentFields<F>>]?: Static<F[K]> } extends infer T
  ? { readonly [K in keyof T]: T[K] }
  : never;

/** The type of an object with these fields, as people write it. */
export type FieldInputs<F> = {
  [K in MandatoryFields<F>]: Input<F[K]>;
} & { [K in Exclude<keyof F, MandatoryFields<F>>]?: Input<F[K]> } extends infer T
  ? { readonly [K in keyof T]: T[K] }
  : never;
