/**
 * The schema language: a schema is the OpenAPI v3 subset that the API server takes as a structural
 * schema, with its static type attached. What the API server does not know (what a person is told
 * when a value is wrong, the TypeScript twin of a CEL rule) stands beside it and is left out of the
 * CRD by `openApi()`.
 *
 * Source: https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#specifying-a-structural-schema
 */

declare const type: unique symbol;
declare const isRequired: unique symbol;

/** A CEL rule of the CRD and the same question asked in TypeScript; the two must agree. */
export interface Rule {
  /** CEL over `self`. */
  readonly rule: string;
  /** What must be, in words that follow the path: `must be ...`, `must have ...`. */
  readonly message: string;
  /** The same as `rule`, for a value that is valid against the schema around it. */
  check(self: never): boolean;
}

/** What a schema says, apart from its static type. */
export interface SchemaNode {
  readonly type?: 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean';
  readonly description?: string;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: SchemaNode;
  readonly items?: SchemaNode;
  readonly enum?: readonly string[];
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly format?: string;
  readonly intOrString?: true;
  readonly preserveUnknownFields?: true;
  readonly embeddedResource?: true;
  readonly listType?: 'atomic' | 'set' | 'map';
  readonly listMapKeys?: readonly string[];
  readonly mapType?: 'atomic' | 'granular';
  readonly rules?: readonly Rule[];
  /** What a wrong value is told: `must be <must>`. Default: derived from the type. */
  readonly must?: string;
  /** What happens when the field is absent, for the reference page. */
  readonly absent?: string;
  /** One value that is valid, for the reference page and for samples. */
  readonly example?: unknown;
}

/** A schema whose valid values have the static type `T`. */
export interface Schema<T> extends SchemaNode {
  readonly [type]?: T;
}

/** A schema of a field that must be there. */
export interface Required<T> extends Schema<T> {
  readonly [isRequired]: true;
}

/** The static type of a schema's values. */
export type Static<S> = S extends Schema<infer T> ? T : never;

type Fields = Readonly<Record<string, SchemaNode>>;
type RequiredKeys<F> = { [K in keyof F]: F[K] extends { [isRequired]: true } ? K : never }[keyof F];
type Flat<T> = { readonly [K in keyof T]: T[K] };

/** The static type of an object with these fields. */
export type FieldTypes<F extends Fields> = Flat<
  { [K in RequiredKeys<F>]: Static<F[K]> } & {
    [K in Exclude<keyof F, RequiredKeys<F>>]?: Static<F[K]>;
  }
>;

type Options = Partial<Omit<SchemaNode, 'type' | 'properties' | 'items' | 'required' | 'enum'>>;

const requiredFields = new WeakSet<SchemaNode>();

/** Makes a field of `object()` mandatory. */
export function required<T>(schema: Schema<T>): Required<T> {
  const copy = { ...schema } as Required<T>;
  requiredFields.add(copy);
  return copy;
}

/** An object with exactly these fields; any other is refused. */
export function object<F extends Fields>(
  description: string,
  fields: F,
  options: Options = {},
): Schema<FieldTypes<F>> {
  const names = Object.keys(fields).filter((name) => requiredFields.has(fields[name]!));
  return {
    type: 'object',
    description,
    properties: fields,
    ...(names.length > 0 && { required: names }),
    ...options,
  };
}

/** A string; bound its length, for the cost of CEL rules is estimated from it. */
export function string(description: string, options: Options = {}): Schema<string> {
  return { type: 'string', description, ...options };
}

/** One of a closed list of strings. */
export function oneOf<const V extends string>(
  description: string,
  values: readonly V[],
  options: Options = {},
): Schema<V> {
  return { type: 'string', description, enum: values, ...options };
}

/** A whole number of at most 32 bits. */
export function integer(description: string, options: Options = {}): Schema<number> {
  return { type: 'integer', format: 'int32', description, ...options };
}

export function boolean(description: string, options: Options = {}): Schema<boolean> {
  return { type: 'boolean', description, ...options };
}

/** A whole number or a string, as Kubernetes' IntOrString and Quantity are written. */
export function intOrString(description: string, options: Options = {}): Schema<number | string> {
  return { intOrString: true, description, ...options };
}

/** A list that one owner writes as a whole. */
export function list<T>(
  description: string,
  items: Schema<T>,
  options: Options = {},
): Schema<readonly T[]> {
  return { type: 'array', description, items, listType: 'atomic', maxItems: 100, ...options };
}

/** A list of objects that is merged by a key, as server-side apply does; the key is unique in it. */
export function keyedList<T>(
  description: string,
  key: keyof T & string,
  items: Schema<T>,
  options: Options = {},
): Schema<readonly T[]> {
  return {
    type: 'array',
    description,
    items,
    listType: 'map',
    listMapKeys: [key],
    maxItems: 100,
    ...options,
  };
}

/** A list of scalars without repetition, in no order. */
export function set<T extends string | number>(
  description: string,
  items: Schema<T>,
  options: Options = {},
): Schema<readonly T[]> {
  return { type: 'array', description, items, listType: 'set', maxItems: 100, ...options };
}

/** Free keys, values of one kind. */
export function map<T>(
  description: string,
  values: Schema<T>,
  options: Options = {},
): Schema<Readonly<Record<string, T>>> {
  return {
    type: 'object',
    description,
    additionalProperties: values,
    maxProperties: 64,
    ...options,
  };
}

/** A whole Kubernetes object, with any fields. */
export function embeddedResource<T>(description: string, options: Options = {}): Schema<T> {
  return {
    type: 'object',
    description,
    preserveUnknownFields: true,
    embeddedResource: true,
    ...options,
  };
}
