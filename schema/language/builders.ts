/**
 * The schema language. A schema is the structural schema itself, as the API server takes it
 * (`JSONSchemaProps`), with its static types attached. What the API server does not know stands
 * under symbols, which JSON and YAML leave out: which fields are mandatory until their object is
 * made, and words for people.
 *
 * Source: https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#specifying-a-structural-schema
 */
import type { Json } from '../../kube/object.ts';
import type { JSONSchemaProps } from '../jsonschema.ts';
import type {
  IntOrStringOptions,
  ListOptions,
  MapOptions,
  NumberOptions,
  ObjectOptions,
  Options,
  StringOptions,
} from './options.ts';
import { stays, unionRule } from './presence.ts';
import {
  mandatory,
  type Defaulted,
  type FieldInputs,
  type Fields,
  type FieldTypes,
  type Required,
  type Schema,
} from './static.ts';
import { words } from '../words.ts';

export { immutable } from './presence.ts';
export type { Defaulted, Input, Required, Schema, Static } from './static.ts';

/** Words and rules go where they belong; everything else is the API server's own. */
function node<S extends JSONSchemaProps>(schema: S, options: Options<unknown> = {}): S {
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

/** Makes a field of `object()` mandatory. One with a default is filled in before that is asked. */
export function required<T, In>(schema: Defaulted<T, In>): Defaulted<T, In>;
export function required<T, In>(schema: Schema<T, In>): Required<T, In>;
export function required<T, In>(schema: Schema<T, In>): Schema<T, In> {
  return { ...schema, [mandatory]: true } as Required<T, In>;
}

/** Allows null, which the API server otherwise drops where there is a default and refuses elsewhere. */
export function nullable<T, In>(schema: Defaulted<T, In>): Defaulted<T | null, In | null>;
export function nullable<T, In>(schema: Schema<T, In>): Schema<T | null, In | null>;
export function nullable<T, In>(schema: Schema<T, In>): Schema<T | null, In | null> {
  return { ...schema, nullable: true };
}

/** An object with exactly these fields. */
export function object<F extends Fields>(
  description: string,
  fields: F,
  options: ObjectOptions<F> & { readonly default: FieldInputs<F> },
): Defaulted<FieldTypes<F>, FieldInputs<F>>;
export function object<F extends Fields>(
  description: string,
  fields: F,
  options?: ObjectOptions<F>,
): Schema<FieldTypes<F>, FieldInputs<F>>;
export function object<F extends Fields>(
  description: string,
  fields: F,
  options: ObjectOptions<F> = {},
): Schema<FieldTypes<F>, FieldInputs<F>> {
  const { mapType, preserveUnknownFields, atMostOneOf, exactlyOneOf, atLeastOneOf, ...rest } =
    options;
  const rules = [
    ...(rest.rules ?? []),
    ...unionRule(atMostOneOf, '<= 1', 'at most one'),
    ...unionRule(exactlyOneOf, '== 1', 'exactly one'),
    ...unionRule(atLeastOneOf, '>= 1', 'at least one'),
    ...Object.entries(fields).flatMap(stays),
  ];
  const names = Object.keys(fields).filter((name) => mandatory in fields[name]!);
  return node(
    {
      type: 'object',
      description,
      ...(names.length > 0 && { required: names }),
      ...(Object.keys(fields).length > 0 && { properties: fields }),
      ...(mapType && { 'x-kubernetes-map-type': mapType }),
      ...(preserveUnknownFields && { 'x-kubernetes-preserve-unknown-fields': true }),
    },
    { ...rest, rules },
  );
}

/** A string. */
export function string(
  description: string,
  options: StringOptions & { readonly default: string },
): Defaulted<string>;
export function string(description: string, options?: StringOptions): Schema<string>;
export function string(description: string, options: StringOptions = {}): Schema<string> {
  return node({ type: 'string', description }, options);
}

/** One of a closed list of strings. */
export function enumOf<const V extends string>(
  description: string,
  values: readonly V[],
  options: Options<NoInfer<V>> & { readonly default: NoInfer<V> },
): Defaulted<V>;
export function enumOf<const V extends string>(
  description: string,
  values: readonly V[],
  options?: Options<NoInfer<V>>,
): Schema<V>;
export function enumOf<const V extends string>(
  description: string,
  values: readonly V[],
  options: Options<V> = {},
): Schema<V> {
  return node({ type: 'string', description, enum: values }, options);
}

/** A whole number: of 32 bits unless `format` is `int64`, of which JSON readers keep 53. */
export function integer(
  description: string,
  options: NumberOptions & { readonly default: number },
): Defaulted<number>;
export function integer(description: string, options?: NumberOptions): Schema<number>;
export function integer(description: string, options: NumberOptions = {}): Schema<number> {
  return node({ type: 'integer', description, format: 'int32' }, options);
}

/** A number with a fraction. Kubernetes' API conventions prefer integers and quantities. */
export function number(
  description: string,
  options: NumberOptions & { readonly default: number },
): Defaulted<number>;
export function number(description: string, options?: NumberOptions): Schema<number>;
export function number(description: string, options: NumberOptions = {}): Schema<number> {
  return node({ type: 'number', description }, options);
}

/** True or false. Kubernetes' API conventions prefer `enumOf`, which can have a third value later. */
export function boolean(
  description: string,
  options: Options<boolean> & { readonly default: boolean },
): Defaulted<boolean>;
export function boolean(description: string, options?: Options<boolean>): Schema<boolean>;
export function boolean(description: string, options: Options<boolean> = {}): Schema<boolean> {
  return node({ type: 'boolean', description }, options);
}

/** A whole number or a string, as Kubernetes' IntOrString and Quantity are written. */
export function intOrString(
  description: string,
  options: IntOrStringOptions & { readonly default: number | string },
): Defaulted<number | string>;
export function intOrString(
  description: string,
  options?: IntOrStringOptions,
): Schema<number | string>;
export function intOrString(
  description: string,
  options: IntOrStringOptions = {},
): Schema<number | string> {
  return node(
    {
      description,
      anyOf: [{ type: 'integer' }, { type: 'string' }],
      'x-kubernetes-int-or-string': true,
    },
    options,
  );
}

/** A list that one owner writes as a whole. */
export function list<T, In>(
  description: string,
  items: Schema<T, In>,
  options: ListOptions<In> & { readonly default: readonly In[] },
): Defaulted<readonly T[], readonly In[]>;
export function list<T, In>(
  description: string,
  items: Schema<T, In>,
  options?: ListOptions<In>,
): Schema<readonly T[], readonly In[]>;
export function list<T, In>(
  description: string,
  items: Schema<T, In>,
  options: ListOptions<In> = {},
): Schema<readonly T[], readonly In[]> {
  return node({ type: 'array', description, items, 'x-kubernetes-list-type': 'atomic' }, options);
}

/**
 * A list of objects that server-side apply merges by a key, or several; together they are unique in
 * the list. A key has to be mandatory or to have a default.
 */
export function listMap<T, In>(
  description: string,
  keys: (keyof In & string) | readonly (keyof In & string)[],
  items: Schema<T, In>,
  options: ListOptions<In> & { readonly default: readonly In[] },
): Defaulted<readonly T[], readonly In[]>;
export function listMap<T, In>(
  description: string,
  keys: (keyof In & string) | readonly (keyof In & string)[],
  items: Schema<T, In>,
  options?: ListOptions<In>,
): Schema<readonly T[], readonly In[]>;
export function listMap<T, In>(
  description: string,
  keys: string | readonly string[],
  items: Schema<T, In>,
  options: ListOptions<In> = {},
): Schema<readonly T[], readonly In[]> {
  return node(
    {
      type: 'array',
      description,
      items,
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': typeof keys === 'string' ? [keys] : keys,
    },
    options,
  );
}

/** A list of scalars without repetition, in no order. */
export function set<T extends Json>(
  description: string,
  items: Schema<T>,
  options: ListOptions<T> & { readonly default: readonly NoInfer<T>[] },
): Defaulted<readonly T[]>;
export function set<T extends Json>(
  description: string,
  items: Schema<T>,
  options?: ListOptions<T>,
): Schema<readonly T[]>;
export function set<T extends Json>(
  description: string,
  items: Schema<T>,
  options: ListOptions<T> = {},
): Schema<readonly T[]> {
  return node({ type: 'array', description, items, 'x-kubernetes-list-type': 'set' }, options);
}

/** Free keys, values of one kind. */
export function map<T, In>(
  description: string,
  values: Schema<T, In>,
  options: MapOptions<In> & { readonly default: Readonly<Record<string, In>> },
): Defaulted<Readonly<Record<string, T>>, Readonly<Record<string, In>>>;
export function map<T, In>(
  description: string,
  values: Schema<T, In>,
  options?: MapOptions<In>,
): Schema<Readonly<Record<string, T>>, Readonly<Record<string, In>>>;
export function map<T, In>(
  description: string,
  values: Schema<T, In>,
  options: MapOptions<In> = {},
): Schema<Readonly<Record<string, T>>, Readonly<Record<string, In>>> {
  const { mapType, ...rest } = options;
  return node(
    {
      type: 'object',
      description,
      additionalProperties: values,
      ...(mapType && { 'x-kubernetes-map-type': mapType }),
    },
    rest,
  );
}

/** A whole Kubernetes object with any fields: apiVersion, kind and metadata are checked. */
export function embeddedResource<T = unknown>(
  description: string,
  options: Options<T> = {},
): Schema<T> {
  return node(
    {
      type: 'object',
      description,
      'x-kubernetes-preserve-unknown-fields': true,
      'x-kubernetes-embedded-resource': true,
    },
    options,
  );
}

/** Any value at all, kept as it is. */
export function anything(description: string, options: Options<unknown> = {}): Schema<unknown> {
  return node({ description, 'x-kubernetes-preserve-unknown-fields': true }, options);
}
