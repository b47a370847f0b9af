import fc from 'fast-check';

/** Leaves out undefined values, as JSON does. */
const made = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T> =>
  arbitrary.map((value) => JSON.parse(JSON.stringify(value)) as T);

/** A value once in `odds` cases, otherwise nothing. */
const seldom = <T>(odds: number, arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.oneof({ weight: odds - 1, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });

const pick = <T>(...values: T[]): fc.Arbitrary<T> => fc.constantFrom(...values);

const names = [
  'a',
  'b',
  'metadata',
  'kind',
  'apiVersion',
  'a.b',
  'x-y',
  'properties',
  '__proto__x',
];
const types = ['object', 'array', 'string', 'integer', 'number', 'boolean'];

const leaves = ['string', 'integer', 'number', 'boolean'];

const scalars = pick<unknown>('', 'a', 'ab', 0, 1, -1, 1.5, true, false, null);
const values: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 6, arbitrary: scalars },
  { weight: 2, arbitrary: fc.array(scalars, { maxLength: 2 }) },
  {
    weight: 3,
    arbitrary: fc.dictionary(pick('a', 'b', 'metadata', 'kind', 'apiVersion'), scalars, {
      maxKeys: 3,
    }),
  },
);

/** The limits for values of any kind, and for values of one kind. */
const limits = {
  minLength: pick(0, 1, 2),
  maxLength: pick(0, 1, 5),
  pattern: fc.oneof(
    { weight: 6, arbitrary: pick('a', '^a?$', '(?i)A', '\\pL', '\\z', '[[:alpha:]]') },
    pick('[', '(?=a)', 'a{1001}', 'a{2,1}', '\\Z'),
  ),
  format: pick('ipv4', 'date-time', 'int32', 'uuid', 'color', 'double'),
  minimum: pick(0, 1, 0.5),
  maximum: pick(0, 1, 1.5),
  exclusiveMaximum: fc.boolean(),
  multipleOf: pick(1, 2, 0.5),
  minItems: pick(0, 1),
  maxItems: pick(0, 1, 3),
  uniqueItems: pick(true, false, false, false),
  minProperties: pick(0, 1),
  maxProperties: pick(0, 1),
  required: fc.array(pick('a', 'b', 'metadata'), { maxLength: 2 }),
  enum: fc.array(scalars, { maxLength: 2 }),
  nullable: fc.boolean(),
  title: pick('', 'a'),
  description: pick('', 'a'),
  externalDocs: pick({}, { url: 'a' }),
  example: scalars,
} as const;

const rules = fc.record({
  rule: pick(
    'true',
    'self == oldSelf',
    'self',
    '',
    ' ',
    'true\n&& true',
    'has(self.a)',
    '1',
    'self.',
  ),
  message: seldom(3, pick('a', ' ', 'a\nb', ' a\n')),
  messageExpression: seldom(4, pick("'a'", ' ', '1')),
  reason: seldom(4, pick('FieldValueInvalid', 'FieldValueRequired', 'Invalid', '')),
  fieldPath: seldom(
    3,
    pick('.a', '.a.b', '.', 'a', "['a']", "['x-y'].a", '.metadata', ' ', '.none'),
  ),
  optionalOldSelf: seldom(5, fc.boolean()),
});

const extensions = {
  'x-kubernetes-preserve-unknown-fields': pick(true, true, true, false),
  'x-kubernetes-embedded-resource': pick(true, false),
  'x-kubernetes-int-or-string': pick(true, false),
  'x-kubernetes-list-type': pick('atomic', 'set', 'map', 'map', 'bag', ''),
  'x-kubernetes-list-map-keys': fc.array(pick('a', 'b'), { maxLength: 2 }),
  'x-kubernetes-map-type': pick('atomic', 'granular', 'set'),
  'x-kubernetes-validations': fc.array(rules, { minLength: 0, maxLength: 2 }),
};

const foreign = {
  id: pick('', 'a'),
  $schema: pick('', 'a'),
  $ref: pick('', '#/a'),
  definitions: pick({}, { a: { type: 'string' } }),
  dependencies: pick({}, { a: ['b'] }),
  patternProperties: pick({}, { a: {} }),
  additionalItems: fc.boolean(),
  minLenght: pick(1),
  items: pick<unknown>([], [{ type: 'string' }], 'a', null, {}),
  properties: pick<unknown>({}, { a: null }, null),
  allOf: pick<unknown>([], [null], null),
  type: pick<unknown>('null', '', null, 'text', 1),
  maxLength: pick<unknown>('1', 1.5, 2 ** 60),
};

function some(
  fields: Readonly<Record<string, fc.Arbitrary<unknown>>>,
  odds: number,
): fc.Arbitrary<Record<string, unknown>> {
  const drawn = Object.entries(fields).map(([name, field]) => [name, seldom(odds, field)] as const);
  return fc.record(Object.fromEntries(drawn));
}

const intOrString = [{ type: 'integer' }, { type: 'string' }];

/** Generates clauses for allOf, anyOf, oneOf and not, mostly about existing fields. */
function clause(depth: number): fc.Arbitrary<unknown> {
  const inner = depth > 0 ? clause(depth - 1) : fc.constant({});
  return fc
    .tuple(
      some(limits, 25),
      some(extensions, 900),
      fc.record({
        type: seldom(150, pick(...types)),
        default: seldom(300, scalars),
        additionalProperties: seldom(200, fc.oneof(fc.boolean(), inner)),
        items: seldom(6, inner),
        properties: seldom(
          4,
          fc.dictionary(pick('a', 'b', 'a', 'b', 'a', 'b', 'spec'), inner, { maxKeys: 2 }),
        ),
        not: seldom(12, inner),
        anyOf: seldom(12, fc.array(inner, { maxLength: 2 })),
      }),
    )
    .map((parts) => Object.assign({}, ...parts) as unknown);
}

/** Generates schemas that are usually structural, but not always. */
function schema(depth: number): fc.Arbitrary<Record<string, unknown>> {
  const inner = depth > 0 ? schema(depth - 1) : fc.record({ type: pick('string', 'integer') });
  const properties = fc.dictionary(pick(...names, 'a', 'b', 'a', 'b'), inner, { maxKeys: 3 });
  const clauses = fc.array(clause(2), { maxLength: 2 });
  const junctors = some({ allOf: clauses, anyOf: clauses, oneOf: clauses, not: clause(2) }, 15);
  const listed = some({ 'x-kubernetes-list-type': pick('atomic', 'set'), maxItems: pick(1, 5) }, 4);
  const shape = fc.oneof(
    { weight: depth > 0 ? 30 : 1, arbitrary: fc.record({ type: pick('object'), properties }) },
    {
      weight: 8,
      arbitrary: fc
        .tuple(fc.record({ type: pick('array'), items: inner }), listed)
        .map(([list, more]) => ({ ...list, ...defined(more) })),
    },
    {
      weight: 8,
      arbitrary: fc.record({
        type: pick('object'),
        additionalProperties: fc.oneof({ weight: 5, arbitrary: inner }, fc.boolean()),
      }),
    },
    { weight: 40, arbitrary: fc.record({ type: pick(...leaves) }) },
    { weight: 1, arbitrary: pick({}, { type: 'array' }, { type: 'object' }) },
    {
      weight: 8,
      arbitrary: pick<object>(
        { 'x-kubernetes-int-or-string': true },
        { 'x-kubernetes-int-or-string': true, anyOf: intOrString },
        { 'x-kubernetes-int-or-string': true, allOf: [{ anyOf: intOrString }, { pattern: 'a' }] },
        { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        {
          type: 'object',
          'x-kubernetes-embedded-resource': true,
          'x-kubernetes-preserve-unknown-fields': true,
        },
        {
          type: 'array',
          items: { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['a'],
        },
      ),
    },
  );
  return fc
    .tuple(
      some(limits, 30),
      junctors,
      some(extensions, 150),
      some({ default: values }, 30),
      shape as fc.Arbitrary<object>,
      some(foreign, 2000),
    )
    .map((parts) => Object.assign({}, ...parts.map(defined)) as Record<string, unknown>);
}

function defined(part: object): object {
  return Object.fromEntries(Object.entries(part).filter(([, value]) => value !== undefined));
}

const root = fc
  .tuple(
    some({ ...limits, ...extensions }, 200),
    some(
      { allOf: fc.array(clause(2), { maxLength: 2 }), not: clause(2), anyOf: fc.array(clause(2)) },
      12,
    ),
    some({ default: values, additionalProperties: fc.boolean() }, 200),
    fc.record({
      type: fc.oneof({ weight: 100, arbitrary: fc.constant('object') }, pick(...types, undefined)),
      properties: fc
        .record({
          apiVersion: seldom(20, pick({ type: 'string' }, { type: 'object' })),
          kind: seldom(20, pick({ type: 'string' }, { type: 'string', default: 'a' })),
          metadata: seldom(
            12,
            pick<object>(
              { type: 'object' },
              { type: 'object', properties: { name: { type: 'string', pattern: 'a' } } },
              { type: 'object', properties: { name: { type: 'string', default: 'a' } } },
              { type: 'object', properties: { labels: { type: 'object' } } },
              { type: 'object', description: 'a' },
            ),
          ),
          spec: schema(3),
          status: seldom(3, schema(2)),
        })
        .map(defined),
    }),
  )
  .map((parts) => Object.assign({}, ...parts.map(defined)) as object);

const paths = pick(
  '.spec.a',
  '.spec.b',
  '.spec.a.b',
  '.spec',
  '.status.a',
  '.metadata.name',
  '.kind',
  '',
  '.',
  'spec.a',
  '.spec..a',
);

const column = fc.record({
  name: pick('A', 'A', 'A', ''),
  type: pick('string', 'integer', 'date', 'number', 'string', 'object'),
  format: seldom(4, pick('int32', 'uuid', 'date-time')),
  jsonPath: paths,
  priority: seldom(4, pick(0, 1, 2 ** 31)),
});

const version = fc.record({
  name: fc.oneof({ weight: 40, arbitrary: pick('v1', 'v1beta1') }, pick('1', '', 'V1')),
  served: fc.boolean(),
  storage: fc.constant(true),
  deprecated: seldom(5, fc.boolean()),
  deprecationWarning: seldom(30, pick('a', '', 'a\nb', 'é')),
  schema: fc.oneof(
    { weight: 80, arbitrary: fc.record({ openAPIV3Schema: root }) },
    { weight: 1, arbitrary: fc.constant({}) },
  ),
  subresources: seldom(
    3,
    fc.record({
      status: seldom(2, fc.constant({})),
      scale: seldom(
        15,
        fc.record({
          specReplicasPath: pick('.spec.a', '.spec.b', '.spec'),
          statusReplicasPath: pick('.status.a', '.status.b', ''),
        }),
      ),
    }),
  ),
  additionalPrinterColumns: seldom(15, fc.array(column, { maxLength: 2 })),
  selectableFields: seldom(15, fc.array(fc.record({ jsonPath: paths }), { maxLength: 2 })),
});

/** Two versions that usually have the same schema: the API server checks what they share only once. */
const pair = fc
  .tuple(version, version, fc.boolean(), fc.boolean())
  .map(([first, second, sameSchema, sameFields]) => [
    first,
    {
      ...second,
      name: second.name === first.name ? 'v2' : second.name,
      storage: false,
      ...(sameSchema && { schema: first.schema }),
      ...(sameFields && { selectableFields: first.selectableFields }),
    },
  ]);

const conversion = fc.record({
  strategy: pick('None', 'Webhook', 'Webhook', 'CEL'),
  webhook: seldom(
    2,
    fc.record({
      clientConfig: seldom(
        2,
        fc.record({
          url: seldom(
            2,
            pick('https://a/b', 'http://a', 'a', 'https://a:b', 'https://a?b', 'https://[::1]'),
          ),
          service: seldom(
            2,
            fc.record({
              name: pick('a', ''),
              namespace: pick('b', 'b', null),
              path: seldom(2, pick('/a', 'a', '/a/', '//', '/A')),
              port: seldom(3, pick(443, 0, 65_536)),
            }),
          ),
          caBundle: seldom(4, pick('YQ==', 'YQ', 'a b')),
        }),
      ),
      conversionReviewVersions: fc.array(pick('v1', 'v1beta1', 'v2', ''), { maxLength: 3 }),
    }),
  ),
});

const strangeNames = fc.record({
  kind: pick('Thing', 'T', 'thing', 'My-Thing', 'A_b', '', 'Thing-'),
  plural: pick('things', 'Things', '', '1s', 'thing-s'),
  singular: seldom(3, pick('thing', 'Thing', '')),
  listKind: seldom(3, pick('Things', 'Thing', 'a.b')),
  shortNames: seldom(4, pick(['a'], ['A'], [null], [])),
  categories: seldom(4, pick(['all'], ['a b'])),
});

/** Definitions, many of which are accepted. */
export const definitions: fc.Arbitrary<unknown> = made(
  fc
    .record({
      names: fc.oneof(
        { weight: 40, arbitrary: fc.constant({ kind: 'Thing', plural: 'things' }) },
        strangeNames,
      ),
      group: fc.oneof(
        { weight: 40, arbitrary: fc.constant('example.com') },
        pick('example', 'a.k8s.io', 'A.b', '', 'a..b'),
      ),
      scope: fc.oneof(
        { weight: 50, arbitrary: pick('Cluster', 'Namespaced') },
        pick('cluster', ''),
      ),
      versions: fc.oneof(
        { weight: 6, arbitrary: version.map((one) => [one]) },
        { weight: 3, arbitrary: pair as fc.Arbitrary<unknown[]> },
      ),
      conversion: seldom(25, conversion),
      preserveUnknownFields: seldom(50, fc.boolean()),
    })
    .map((spec) => ({
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: `${spec.names.plural}.${spec.group}` },
      spec,
    })),
);
