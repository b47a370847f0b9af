import { expect, test } from '@jest/globals';
import type { JSONSchemaProps } from '../../schema/json-schema.ts';
import { generateMatchingTexts } from '../../schema/sample/pattern.ts';
import { NoSample, sampleValue } from '../../schema/sample.ts';
import {
  anything,
  boolean,
  embeddedResource,
  enumOf,
  integer,
  intOrString,
  list,
  listMap,
  map,
  nullable,
  number,
  object,
  required,
  set,
  string,
} from '../../schema/language.ts';
import { validate } from '../../schema/validate.ts';
import { compilePattern } from '../../schema/pattern.ts';
import { measureCpuTime } from '@tenantry/test-tools/cpu-time';

const both = (schema: JSONSchemaProps) => [
  sampleValue(schema),
  sampleValue(schema, { full: true }),
];

const container = object('A container.', {
  name: required(string('Its name.', { maxLength: 63, pattern: '^[a-z]([-a-z0-9]*[a-z0-9])?$' })),
  image: required(string('What runs.', { example: 'docker.io/library/redis:8' })),
  args: list('Its arguments.', string('A word.')),
});

test('a sample has the required fields; a full one has all', () => {
  const schema = object('A thing.', {
    size: required(integer('How large.', { minimum: 3 })),
    labels: map('Labels.', string('A value.')),
    containers: listMap('What runs.', 'name', container),
    on: boolean('Whether it is on.'),
  });
  expect(both(schema)).toEqual([
    { size: 3 },
    {
      size: 3,
      labels: { key: 'example' },
      containers: [{ name: 'a', image: 'docker.io/library/redis:8', args: ['example'] }],
      on: true,
    },
  ]);
});

test.each<[string, JSONSchemaProps, unknown]>([
  ['an example', string('', { example: 'blue' }), 'blue'],
  ['the default', integer('', { default: 7 }), 7],
  ['the first of an enum', enumOf('', ['a', 'b']), 'a'],
  ['a default before the first of an enum', enumOf('', ['a', 'b'], { default: 'b' }), 'b'],
  ['a date', string('', { format: 'date-time' }), '2026-01-01T00:00:00Z'],
  ['a duration', string('', { format: 'duration' }), '30s'],
  ['an address', string('', { format: 'ipv4' }), '192.0.2.1'],
  ['base64', string('', { format: 'byte' }), 'ZXhhbXBsZQ=='],
  ['an unknown format', string('', { format: 'color' }), 'example'],
  ['a text of fixed length', string('', { minLength: 9 }), 'examplexx'],
  ['a short text', string('', { maxLength: 3 }), 'exa'],
  ['a text with a pattern', string('', { pattern: '^(http|https)://.+$' }), 'http://a'],
  ['a multiple', integer('', { minimum: 3, multipleOf: 5 }), 5],
  ['a number between bounds', number('', { minimum: 0.25, maximum: 0.5 }), 0.25],
  ['a number above a bound', number('', { minimum: 0, maximum: 0.5, exclusiveMinimum: true }), 0.5],
  ['a number or a text', intOrString(''), 1],
  ['a number or a text with a pattern', intOrString('', { pattern: '^[0-9]+%$' }), '1%'],
  ['a nullable value', nullable(string('')), 'example'],
  ['anything', anything(''), {}],
  [
    'an object',
    embeddedResource(''),
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'example' } },
  ],
  [
    'a set with a minimum length',
    set('', string(''), { minItems: 3 }),
    ['example', 'example-2', 'example-3'],
  ],
  ['a set of numbers', set('', integer('', { minimum: 5 }), { minItems: 2 }), [5, 6]],
  [
    'a list map with a minimum length',
    listMap('', 'name', container, { minItems: 2 }),
    [
      { name: 'a', image: 'docker.io/library/redis:8' },
      { name: 'bbb', image: 'docker.io/library/redis:8' },
    ],
  ],
  ['a map with a minimum size', map('', integer(''), { minProperties: 2 }), { key: 1, 'key-2': 1 }],
  [
    'fields until there are enough',
    object('', { a: string(''), b: string('') }, { minProperties: 1 }),
    { a: 'example' },
  ],
  ['a list from its example', list('', string(''), { example: ['b', 'c'] }), ['b', 'c']],
])('%s', (_, schema, expected) => {
  expect(sampleValue(schema)).toEqual(expected);
  expect(validate(schema, sampleValue(schema, { full: true }))).toEqual([]);
});

test('fields get their values from the example of the parent object', () => {
  const fields = { name: required(string('')), size: integer('') };
  const schema = object('', fields, { example: { name: 'cache', size: 4 } });
  expect(both(schema)).toEqual([{ name: 'cache' }, { name: 'cache', size: 4 }]);
});

test('an example that the schema refuses is ignored', () => {
  expect(sampleValue(integer('', { maximum: 5, example: 9 }))).toBe(1);
});

test('each call creates a new sample', () => {
  const schema = list('', string(''), { example: ['b'] });
  expect(sampleValue(schema)).not.toBe(sampleValue(schema));
});

const a = required(string(''));
const optional = { a: string(''), b: string(''), c: string('') };

test.each<[string, JSONSchemaProps, unknown, unknown]>([
  [
    'one of several fields is required',
    object('', optional, { oneOf: [{ required: ['a'] }, { required: ['b'] }] }),
    { a: 'example' },
    { a: 'example', c: 'example' },
  ],
  [
    'a field is not allowed',
    object('', optional, { not: { required: ['b'] } }),
    {},
    { a: 'example', c: 'example' },
  ],
  [
    'a branch has more keywords for a field',
    object('', { a }, { anyOf: [{ properties: { a: { pattern: '^x' } } }] }),
    { a: 'x' },
    { a: 'x' },
  ],
  [
    'all branches apply',
    object(
      '',
      { n: required(integer('')) },
      {
        allOf: [{ properties: { n: { minimum: 4 } } }, { properties: { n: { maximum: 4 } } }],
      },
    ),
    { n: 4 },
    { n: 4 },
  ],
  [
    'a rule requires one of several fields',
    object('', optional, { exactlyOneOf: ['a', 'b'] }),
    { a: 'example' },
    { a: 'example', c: 'example' },
  ],
  [
    'a rule compares two fields',
    object(
      '',
      { least: required(integer('')), most: required(integer('')) },
      {
        rules: [{ rule: 'self.least < self.most' }],
      },
    ),
    { least: 0, most: 1 },
    { least: 0, most: 1 },
  ],
  [
    'a rule contains a text',
    object(
      '',
      { mode: required(string('')), path: string('') },
      {
        rules: [{ rule: "self.mode in ['Disk', 'Tape'] && has(self.path)" }],
      },
    ),
    { mode: 'Disk', path: 'example' },
    { mode: 'Disk', path: 'example' },
  ],
  [
    'a rule has a pattern',
    object(
      '',
      { host: required(string('')) },
      {
        rules: [{ rule: "self.host.matches('^[a-z]+\\\\.example\\\\.com$')" }],
      },
    ),
    { host: 'a.example.com' },
    { host: 'a.example.com' },
  ],
  [
    'fields are set together or not at all',
    object('', optional, { rules: [{ rule: 'has(self.a) == has(self.b)' }] }),
    {},
    { a: 'example', b: 'example', c: 'example' },
  ],
  [
    'a rule reads a list',
    object(
      '',
      { ports: required(list('', object('', { port: required(integer('')) }))) },
      {
        rules: [{ rule: 'self.ports.exists(p, p.port == 443)' }],
      },
    ),
    { ports: [{ port: 443 }] },
    { ports: [{ port: 443 }] },
  ],
])('values are tried until conditions are met: %s', (_, schema, small, full) => {
  expect(both(schema)).toEqual([small, full]);
});

test.each<[string, JSONSchemaProps, string]>([
  [
    'several patterns without a match',
    object('', {
      a: required(string('', { pattern: '^a\\bb$' })),
      b: required(string('', { pattern: '^b\\Bc\\b-\\b$' })),
    }),
    'a must have an example, got nothing that is known to match the pattern ^a\\bb$\n' +
      'b must have an example, got nothing that is known to match the pattern ^b\\Bc\\b-\\b$',
  ],
  [
    'a rule that no value satisfies',
    object('', { n: integer('') }, { rules: [{ rule: 'false' }] }),
    'must have an example, got no value that passes the rule false',
  ],
  [
    'a list that cannot be that long',
    object('', { s: required(set('', enumOf('', ['a']), { minItems: 2 })) }),
    's must have an example, got no 2 items that differ',
  ],
])('a schema without a valid value is reported: %s', (_, schema, message) => {
  expect(() => sampleValue(schema)).toThrow(new NoSample([]).constructor as never);
  expect(() => sampleValue(schema)).toThrow(message);
});

test('a schema without a valid value is found at once', () => {
  const never: JSONSchemaProps = { type: 'string', enum: [true, 1] };
  const schema = { type: 'object', properties: { a: never, b: never }, minProperties: 3 };
  const taken = measureCpuTime(() => {
    expect(() => sampleValue(schema, { full: true })).toThrow(NoSample);
  });
  expect(taken).toBeLessThan(1000);
});

test.each([
  '^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$',
  '^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE])?$',
  '^$|^[0-9a-fA-F]{64}$',
  '^((?i)sun|mon)day(?:((:(sun|mon)day)$)|$)',
  '(?P<name>[[:alpha:]_]+)\\pL\\Qa.b*\\E\\z',
  '^[^;\\x7f\\x00]+$',
  '^[]a]+$',
  '^\\x{1F600}é$',
  '^2\\d{3}(?::2\\d{3}|$)',
  '^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$',
  '^[a-zA-Z0-9]{1, 32}$',
])('a text is found for the pattern %s', (pattern) => {
  const { error, test } = compilePattern(pattern);
  expect(error).toBeUndefined();
  expect([...generateMatchingTexts(pattern)].some((text) => test(text))).toBe(true);
});

test('an unbounded pattern gives a short text', () => {
  const texts = [...generateMatchingTexts('^((([a-z]*)*)*)*$', 1_000_000)];
  expect(Math.max(...texts.map((text) => text.length))).toBeLessThan(1_000_000);
});
