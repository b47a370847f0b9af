import fc from 'fast-check';
import type { Json } from '@tenantry/kube/object';
import type { JSONSchemaProps } from '@tenantry/crd/schema/json-schema';

/** Generates small schemas of every kind that the API server accepts. */
export function schemas(depth = 3): fc.Arbitrary<JSONSchemaProps> {
  const scalars = fc.oneof(texts, numbers('integer'), numbers('number'), booleans, eithers);
  if (depth === 0) return scalars;
  const inner = schemas(depth - 1);
  return fc.oneof(
    { weight: 3, arbitrary: scalars },
    { weight: 4, arbitrary: objects(inner) },
    { weight: 2, arbitrary: lists(inner) },
    { weight: 2, arbitrary: maps(inner) },
    { weight: 1, arbitrary: listMaps },
    { weight: 1, arbitrary: preserved },
  );
}

const maybe = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.oneof({ weight: 2, arbitrary: fc.constant(undefined) }, arbitrary);

/** Generates a schema with some of the fields. */
const some = (fields: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<JSONSchemaProps> =>
  fc.record(fields).map(withoutUndefined);

function withoutUndefined(value: object): object {
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined));
}

const patterns = [
  '^a',
  'b$',
  '^[a-z]+$',
  '^[^0-9]*$',
  '(?i)^AB?$',
  '^\\d{1,3}$',
  '.',
  '^(a|b)*$',
  '\\s',
];
const formats = [
  'ipv4',
  'ipv6',
  'date',
  'duration',
  'byte',
  'uuid',
  'date-time',
  'k8s-short-name',
  'hostname',
  'uri',
  'x',
];
const atoms = [
  'a',
  'b',
  '[a-z]',
  '[^a]',
  '\\d',
  '\\w',
  '\\S',
  '.',
  '-',
  '(a|b)',
  '(ab|a)',
  '\\pL',
  '(?i:a)',
  '😀',
];
const counts = ['', '', '*', '+', '?', '{2}', '{1,2}', '*?'];
const pattern = fc.oneof(
  fc.constantFrom(...patterns),
  fc
    .tuple(
      fc.constantFrom('', '^', '(?i)', '(?s)^'),
      fc.array(fc.tuple(fc.constantFrom(...atoms), fc.constantFrom(...counts)), {
        minLength: 1,
        maxLength: 4,
      }),
      fc.constantFrom('', '$', '\\z'),
    )
    .map(([start, pieces, end]) => start + pieces.flat().join('') + end),
);

const restrictions = {
  minLength: maybe(fc.nat({ max: 3 })),
  maxLength: maybe(fc.integer({ min: 2, max: 6 })),
  pattern: maybe(pattern),
};

const texts = some({
  type: fc.constant('string'),
  ...restrictions,
  format: maybe(fc.constantFrom(...formats)),
  enum: maybe(fc.constantFrom(['a', 'b'], ['', 'ab', '1'])),
  nullable: maybe(fc.constant(true)),
  allOf: maybe(fc.array(some(restrictions), { minLength: 1, maxLength: 2 })),
  anyOf: maybe(fc.array(some(restrictions), { minLength: 1, maxLength: 3 })),
  oneOf: maybe(fc.array(some(restrictions), { minLength: 1, maxLength: 3 })),
  not: maybe(some(restrictions)),
});

const bound = fc.constantFrom(0, 1, 2, 3, -1, 0.5, 1.5, 100, 2 ** 31, 2 ** 53);
const bounds = {
  minimum: maybe(bound),
  maximum: maybe(bound),
  exclusiveMinimum: maybe(fc.boolean()),
  exclusiveMaximum: maybe(fc.boolean()),
  multipleOf: maybe(fc.constantFrom(1, 2, 3, 0.5, 0.1)),
};

const numbers = (type: 'integer' | 'number'): fc.Arbitrary<JSONSchemaProps> =>
  some({
    type: fc.constant(type),
    ...bounds,
    format: maybe(fc.constantFrom('int32', 'int64', 'float', 'double', 'x')),
    enum: maybe(fc.constantFrom([1, 2], [0, 1.5], [3])),
    nullable: maybe(fc.constant(true)),
    not: maybe(some(bounds)),
    anyOf: maybe(fc.array(some(bounds), { minLength: 1, maxLength: 2 })),
  });

const booleans = some({ type: fc.constant('boolean'), nullable: maybe(fc.constant(true)) });

const eithers = some({
  'x-kubernetes-int-or-string': fc.constant(true),
  anyOf: maybe(fc.constant([{ type: 'integer' }, { type: 'string' }])),
  ...bounds,
  ...restrictions,
  enum: maybe(fc.constantFrom([1, 'a'], ['1', 97])),
  nullable: maybe(fc.constant(true)),
});

const names = ['a', 'b', 'c'] as const;

function objects(inner: fc.Arbitrary<JSONSchemaProps>): fc.Arbitrary<JSONSchemaProps> {
  const required = fc.subarray([...names]);
  const branch = some({ required: fc.subarray([...names], { minLength: 1 }) });
  const base = some({
    type: fc.constant('object'),
    properties: fc.record({ a: inner, b: inner, c: inner }),
    required: maybe(required),
    nullable: maybe(fc.constant(true)),
    minProperties: maybe(fc.nat({ max: 2 })),
    maxProperties: maybe(fc.integer({ min: 1, max: 3 })),
    oneOf: maybe(fc.array(branch, { minLength: 1, maxLength: 2 })),
    not: maybe(branch),
  });
  const keeps = fc.constantFrom(true, false, false, false);
  return fc
    .tuple(base, keeps, fc.tuple(...names.map(() => fc.nat({ max: 9 }))))
    .map(([schema, kept, random]) => ({
      ...schema,
      properties: withDefaults(schema.properties!, random),
      ...(kept && { 'x-kubernetes-preserve-unknown-fields': true }),
    }));
}

/** Adds defaults to some of the fields, where a surely valid value is found. */
function withDefaults(
  properties: Readonly<Record<string, JSONSchemaProps>>,
  random: readonly number[],
): Record<string, JSONSchemaProps> {
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema], i) => {
      const value = surelyValid(schema);
      const isWanted = random[i]! < 3 && value !== undefined;
      return [name, isWanted ? { ...schema, default: value } : schema];
    }),
  );
}

const plain = new Set([
  'type',
  'nullable',
  'properties',
  'items',
  'additionalProperties',
  'default',
]);

function surelyValid(schema: JSONSchemaProps): Json | undefined {
  if (Object.keys(schema).some((key) => !plain.has(key))) return undefined;
  const { type } = schema;
  if (type === 'string') return 'default';
  if (type === 'boolean') return true;
  if (type === 'integer' || type === 'number') return 7;
  if (type === 'array') return [];
  return type === 'object' ? {} : undefined;
}

function lists(items: fc.Arbitrary<JSONSchemaProps>): fc.Arbitrary<JSONSchemaProps> {
  const scalars = fc.oneof(texts, numbers('integer'), numbers('number'), eithers).map((schema) => {
    const { nullable: _, ...rest } = schema;
    return rest;
  });
  const counts = {
    minItems: maybe(fc.nat({ max: 2 })),
    maxItems: maybe(fc.integer({ min: 1, max: 3 })),
  };
  const list = some({ type: fc.constant('array'), items, ...counts });
  const type = { 'x-kubernetes-list-type': fc.constant('set') };
  return fc.oneof(list, some({ type: fc.constant('array'), items: scalars, ...counts, ...type }));
}

function maps(additionalProperties: fc.Arbitrary<JSONSchemaProps>): fc.Arbitrary<JSONSchemaProps> {
  return some({
    type: fc.constant('object'),
    additionalProperties: fc.oneof(
      { weight: 6, arbitrary: additionalProperties },
      fc.constant(true),
    ),
    minProperties: maybe(fc.nat({ max: 2 })),
    maxProperties: maybe(fc.integer({ min: 1, max: 3 })),
    nullable: maybe(fc.constant(true)),
  });
}

const listMaps = fc.constantFrom(['a'], ['a', 'b']).map((keys): JSONSchemaProps => ({
  type: 'array',
  items: {
    type: 'object',
    properties: {
      a: { type: 'string' },
      b: { type: 'integer', default: 1 },
      c: { type: 'boolean' },
    },
    required: ['a'],
  },
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': keys,
}));

const preserved = fc.constantFrom<JSONSchemaProps[]>(
  { 'x-kubernetes-preserve-unknown-fields': true },
  { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  {
    type: 'object',
    'x-kubernetes-preserve-unknown-fields': true,
    'x-kubernetes-embedded-resource': true,
  },
);

const words = [
  '',
  'a',
  'b',
  'ab',
  'AB',
  'abc',
  'abcdefg',
  '1',
  '12',
  '😀',
  'a\n',
  '1.2.3.4',
  '::1',
  '2020-01-01',
  '1h',
  'YWJj',
  'http://a/',
  'a-b',
  '123e4567-e89b-12d3-a456-426614174000',
];
const digits = [0, 1, 2, 3, -1, 7, 97, 1.5, 0.5, 0.3, 1.0000000001, 2 ** 31, 2 ** 53, 1e20, 1e300];

/** Generates values that follow the schema, with deviations here and there. */
export function valuesNear(schema: JSONSchemaProps): fc.Arbitrary<Json> {
  const noise = fc.oneof(
    fc.constantFrom<Json[]>(null, true, [], {}, [null], { a: 1 }, { z: null }, [{ z: 1 }]),
    fc.constantFrom(...words),
    fc.constantFrom(...digits),
  );
  return fc.oneof({ weight: 9, arbitrary: follows(schema) }, noise);
}

function follows(schema: JSONSchemaProps): fc.Arbitrary<Json> {
  const { type, properties, additionalProperties, items } = schema;
  if (schema.enum) return fc.constantFrom(...(schema.enum as Json[]));
  if (schema['x-kubernetes-embedded-resource']) {
    return fc.constantFrom<Json[]>(
      { apiVersion: 'v1', kind: 'A', x: { y: 1 } },
      { kind: 'A' },
      { apiVersion: 'v1', kind: 'A', metadata: { name: 'a', x: 1 } },
    );
  }
  if (items) return fc.array(valuesNear(items), { maxLength: 3 });
  if (properties) {
    const fields = Object.entries(properties).map(([name, field]) => [name, valuesNear(field)]);
    const stray = { z: fc.constantFrom<Json[]>(1, {}, { a: 1 }) };
    const known = fc.record(Object.fromEntries(fields), { requiredKeys: [] });
    const strange = fc.record(stray, { requiredKeys: [] });
    return fc.oneof(
      { weight: 9, arbitrary: known },
      fc.tuple(known, strange).map(([a, b]) => ({ ...a, ...b })),
    ) as fc.Arbitrary<Json>;
  }
  if (additionalProperties) {
    const inner = additionalProperties === true ? {} : additionalProperties;
    return fc.dictionary(fc.constantFrom('a', 'b', 'c', 'k1'), valuesNear(inner), { maxKeys: 3 });
  }
  if (type === 'string') return fc.constantFrom(...words);
  if (type === 'integer' || type === 'number') return fc.constantFrom(...digits);
  if (type === 'boolean') return fc.boolean();
  if (schema['x-kubernetes-int-or-string']) return fc.constantFrom<Json[]>(...words, ...digits);
  return fc.constantFrom<Json[]>({}, 'a', 1, { a: { b: null } }, [1, null]);
}
