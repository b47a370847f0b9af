import type { Json } from '@tenantry/kube/object';
import {
  applyOptions,
  type ListOptions,
  type MapOptions,
  type ObjectOptions,
  type Options,
} from './options.ts';
import { buildPresenceRules, unionRule } from './cel-rules.ts';
import {
  mandatory,
  type Defaulted,
  type FieldInputs,
  type Fields,
  type FieldTypes,
  type Required,
  type Schema,
} from './static.ts';

/**
 * Makes a field of `object()` required. A default is filled in before the check.
 *
 * @example
 * ```ts
 * import { compileSchema, object, required, string } from '@tenantry/crd/schema';
 *
 * const box = object('A box.', { label: required(string('The text on it.')) });
 * console.log(compileSchema(box).accepts({})); // false
 * ```
 */
export function required<T, In>(schema: Defaulted<T, In>): Defaulted<T, In>;
export function required<T, In>(schema: Schema<T, In>): Required<T, In>;
export function required<T, In>(schema: Schema<T, In>): Schema<T, In> {
  return { ...schema, [mandatory]: true } as Required<T, In>;
}

/**
 * Allows null. Otherwise the API server drops a null if the field has a default, and refuses it if not.
 *
 * @example
 * ```ts
 * import { compileSchema, nullable, string } from '@tenantry/crd/schema';
 *
 * console.log(compileSchema(nullable(string('A label.'))).accepts(null)); // true
 * ```
 */
export function nullable<T, In>(schema: Defaulted<T, In>): Defaulted<T | null, In | null>;
export function nullable<T, In>(schema: Schema<T, In>): Schema<T | null, In | null>;
export function nullable<T, In>(schema: Schema<T, In>): Schema<T | null, In | null> {
  return { ...schema, nullable: true };
}

/**
 * An object with exactly these fields.
 *
 * @example
 * ```ts
 * import { integer, object, required, string, type Static } from '@tenantry/crd/schema';
 *
 * const box = object('A box.', {
 *   label: required(string('The text on it.')),
 *   size: integer('How big.', { default: 3 }),
 *   height: integer('The height.'),
 * });
 * const value: Static<typeof box> = { label: 'fragile', size: 3 };
 * console.log(value.label); // fragile
 * ```
 */
export function object<F extends Fields>(
  description: string,
  fields: F,
  options: ObjectOptions<F> & { readonly default: FieldInputs<F> },
): Defaulted<FieldTypes<F>, FieldInputs<F>>;
export function object<F extends Fields>(
  description: string,
  fields: F,
  options?: ObjectOptions<F> & { readonly default?: FieldInputs<F> },
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
    ...Object.entries(fields).flatMap(buildPresenceRules),
  ];
  const names = Object.keys(fields).filter((name) => mandatory in fields[name]!);
  return applyOptions(
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

/**
 * A list that one owner writes as a whole.
 *
 * @example
 * ```ts
 * import { compileSchema, list, string } from '@tenantry/crd/schema';
 *
 * const args = list('The arguments.', string('One.'), { maxItems: 2 });
 * console.log(compileSchema(args).accepts(['-a', '-b', '-c'])); // false
 * ```
 */
export function list<T, In>(
  description: string,
  items: Schema<T, In>,
  options: ListOptions<In> & { readonly default: readonly In[] },
): Defaulted<readonly T[], readonly In[]>;
export function list<T, In>(
  description: string,
  items: Schema<T, In>,
  options?: ListOptions<In> & { readonly default?: readonly In[] },
): Schema<readonly T[], readonly In[]>;
export function list<T, In>(
  description: string,
  items: Schema<T, In>,
  options: ListOptions<In> = {},
): Schema<readonly T[], readonly In[]> {
  return applyOptions(
    { type: 'array', description, items, 'x-kubernetes-list-type': 'atomic' },
    options,
  );
}

/**
 * A list of objects that server-side apply merges by a key, or several; together they are unique in
 * the list. A key has to be mandatory or to have a default.
 *
 * @example
 * ```ts
 * import { compileSchema, integer, listMap, object, required, string } from '@tenantry/crd/schema';
 *
 * const port = object('A port.', {
 *   name: required(string('Its name.', { maxLength: 15 })),
 *   number: required(integer('Its number.')),
 * });
 * const ports = compileSchema(listMap('The ports.', 'name', port, { maxItems: 8 }));
 * console.log(ports.accepts([{ name: 'http', number: 80 }, { name: 'http', number: 81 }])); // false
 * ```
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
  options?: ListOptions<In> & { readonly default?: readonly In[] },
): Schema<readonly T[], readonly In[]>;
export function listMap<T, In>(
  description: string,
  keys: string | readonly string[],
  items: Schema<T, In>,
  options: ListOptions<In> = {},
): Schema<readonly T[], readonly In[]> {
  return applyOptions(
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

/**
 * A list of scalars without repetition, in no order.
 *
 * @example
 * ```ts
 * import { compileSchema, set, string } from '@tenantry/crd/schema';
 *
 * const zones = set('The zones.', string('One.', { maxLength: 63 }), { maxItems: 9 });
 * console.log(compileSchema(zones).accepts(['a', 'a'])); // false
 * ```
 */
export function set<T extends Json>(
  description: string,
  items: Schema<T>,
  options: ListOptions<T> & { readonly default: readonly NoInfer<T>[] },
): Defaulted<readonly T[]>;
export function set<T extends Json>(
  description: string,
  items: Schema<T>,
  options?: ListOptions<T> & { readonly default?: readonly NoInfer<T>[] },
): Schema<readonly T[]>;
export function set<T extends Json>(
  description: string,
  items: Schema<T>,
  options: ListOptions<T> = {},
): Schema<readonly T[]> {
  return applyOptions(
    { type: 'array', description, items, 'x-kubernetes-list-type': 'set' },
    options,
  );
}

/**
 * Free keys, values of one kind.
 *
 * @example
 * ```ts
 * import { map, string, type Static } from '@tenantry/crd/schema';
 *
 * const labels = map('Labels of the pods.', string('A value.', { maxLength: 63 }));
 * const value: Static<typeof labels> = { app: 'redis' };
 * console.log(value['app']); // redis
 * ```
 */
export function map<T, In>(
  description: string,
  values: Schema<T, In>,
  options: MapOptions<In> & { readonly default: Readonly<Record<string, In>> },
): Defaulted<Readonly<Record<string, T>>, Readonly<Record<string, In>>>;
export function map<T, In>(
  description: string,
  values: Schema<T, In>,
  options?: MapOptions<In> & { readonly default?: Readonly<Record<string, In>> },
): Schema<Readonly<Record<string, T>>, Readonly<Record<string, In>>>;
export function map<T, In>(
  description: string,
  values: Schema<T, In>,
  options: MapOptions<In> = {},
): Schema<Readonly<Record<string, T>>, Readonly<Record<string, In>>> {
  const { mapType, ...rest } = options;
  return applyOptions(
    {
      type: 'object',
      description,
      additionalProperties: values,
      ...(mapType && { 'x-kubernetes-map-type': mapType }),
    },
    rest,
  );
}

/**
 * A whole Kubernetes object with any fields: apiVersion, kind and metadata are checked.
 *
 * @example
 * ```ts
 * import { embeddedResource, object, type Input } from '@tenantry/crd/schema';
 *
 * const spec = object('The desired state.', { template: embeddedResource('What to make.') });
 * const written: Input<typeof spec> = {
 *   template: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'made' } },
 * };
 * console.log(Object.keys(written)); // [ 'template' ]
 * ```
 */
export function embeddedResource<T = unknown>(
  description: string,
  options: Options<T> = {},
): Schema<T> {
  return applyOptions(
    {
      type: 'object',
      description,
      'x-kubernetes-preserve-unknown-fields': true,
      'x-kubernetes-embedded-resource': true,
    },
    options,
  );
}

/**
 * An object with any fields, kept as they are.
 *
 * @example
 * ```ts
 * import { anyObject, compileSchema } from '@tenantry/crd/schema';
 *
 * const options = compileSchema(anyObject('What the plugin understands.'));
 * console.log(options.accepts({ a: [1] }), options.accepts([1])); // true false
 * ```
 */
export function anyObject<T extends object = Readonly<Record<string, unknown>>>(
  description: string,
  options: Options<T> = {},
): Schema<T> {
  return applyOptions(
    { type: 'object', description, 'x-kubernetes-preserve-unknown-fields': true },
    options,
  );
}

/**
 * Any value at all, kept as it is.
 *
 * @example
 * ```ts
 * import { anything, compileSchema } from '@tenantry/crd/schema';
 *
 * console.log(compileSchema(anything('What the plugin understands.')).accepts([1, 'a'])); // true
 * ```
 */
export function anything(description: string, options: Options<unknown> = {}): Schema<unknown> {
  return applyOptions({ description, 'x-kubernetes-preserve-unknown-fields': true }, options);
}
