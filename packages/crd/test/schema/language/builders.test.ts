import { expect, test } from '@jest/globals';
import { UserProject } from '@tenantry/test-tools/surface/user-project';
import { openApi } from '../../../schema/words.ts';
import {
  anything,
  boolean,
  embeddedResource,
  enumOf,
  immutable,
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
  type Input,
  type Static,
} from '../../../schema/language.ts';

test('a schema contains only what the API server accepts', () => {
  const schema = object(
    'A thing.',
    {
      name: required(string('Name.', { minLength: 1, maxLength: 9, pattern: '^a', must: 'an a' })),
      kind: enumOf('Kind.', ['a', 'b'], { absent: 'a', example: 'b' }),
      size: integer('Size.', { minimum: 0, maximum: 9, default: 3 }),
    },
    {
      rules: [{ rule: 'self.size > 0', message: 'must have a size', reason: 'FieldValueInvalid' }],
    },
  );
  const expected = {
    type: 'object',
    description: 'A thing.',
    properties: {
      name: { type: 'string', description: 'Name.', minLength: 1, maxLength: 9, pattern: '^a' },
      kind: { type: 'string', description: 'Kind.', enum: ['a', 'b'], example: 'b' },
      size: {
        type: 'integer',
        description: 'Size.',
        format: 'int32',
        minimum: 0,
        maximum: 9,
        default: 3,
      },
    },
    required: ['name'],
    'x-kubernetes-validations': [
      { rule: 'self.size > 0', message: 'must have a size', reason: 'FieldValueInvalid' },
    ],
  };
  expect(JSON.parse(JSON.stringify(schema))).toEqual(expected);
  expect(openApi(schema)).toStrictEqual(expected);
  expect(Object.getOwnPropertySymbols(openApi(schema).properties!['name']!)).toEqual([]);
});

test('lists say how they are merged', () => {
  const item = object('', { name: required(string('')), port: required(integer('')) });
  expect(list('', string('')).items).toMatchObject({ type: 'string' });
  expect(list('', string(''))).toMatchObject({ 'x-kubernetes-list-type': 'atomic' });
  expect(set('', string(''))).toMatchObject({ 'x-kubernetes-list-type': 'set' });
  expect(listMap('', 'name', item, { minItems: 1 })).toMatchObject({
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['name'],
    minItems: 1,
  });
  expect(listMap('', ['name', 'port'], item)['x-kubernetes-list-map-keys']).toEqual([
    'name',
    'port',
  ]);
  // @ts-expect-error a key is a field of the items
  listMap('', 'nmae', item);
});

test('schemas of free keys, whole objects and quantities are structural', () => {
  expect(map('', string(''), { mapType: 'atomic' })).toEqual({
    type: 'object',
    description: '',
    additionalProperties: { type: 'string', description: '' },
    'x-kubernetes-map-type': 'atomic',
  });
  expect(openApi(embeddedResource('', { must: 'an object' }))).toEqual({
    type: 'object',
    description: '',
    'x-kubernetes-preserve-unknown-fields': true,
    'x-kubernetes-embedded-resource': true,
  });
  expect(intOrString('', { pattern: '^a$', minimum: 0 })).toEqual({
    description: '',
    anyOf: [{ type: 'integer' }, { type: 'string' }],
    'x-kubernetes-int-or-string': true,
    pattern: '^a$',
    minimum: 0,
  });
  expect(anything('Any.')).toEqual({
    description: 'Any.',
    'x-kubernetes-preserve-unknown-fields': true,
  });
});

test('a returned schema is a copy: changing it changes no other schema', () => {
  const schema = enumOf('', ['a']);
  (openApi(schema).enum as string[]).push('b');
  expect(openApi(schema).enum).toEqual(['a']);
});

test('unions are CEL rules over the fields that are there', () => {
  const fields = { a: string(''), 'b-c': string('') };
  const rules = (options: object) => object('', fields, options)['x-kubernetes-validations'];
  const present = 'has(self.a),has(self.b__dash__c)';
  expect(rules({ atMostOneOf: ['a', 'b-c'] })).toEqual([
    {
      rule: `[${present}].filter(x,x==true).size() <= 1`,
      message: 'must have at most one of a, b-c',
    },
  ]);
  expect(rules({ exactlyOneOf: ['a', 'b-c'], atLeastOneOf: ['a'] })).toMatchObject([
    { rule: `[${present}].filter(x,x==true).size() == 1` },
    { rule: '[has(self.a)].filter(x,x==true).size() >= 1' },
  ]);
});

test('an immutable field keeps its value, and an optional one can be neither added nor removed', () => {
  const held = immutable(string('', { rules: [{ rule: 'self != "x"' }] }));
  expect(held['x-kubernetes-validations']).toEqual([
    { rule: 'self != "x"' },
    { rule: 'self == oldSelf', message: 'must not change' },
  ]);
  const schema = object('', { a: required(held), b: held });
  expect(schema['x-kubernetes-validations']).toEqual([
    {
      rule: 'has(self.b) == has(oldSelf.b)',
      message: 'must be neither added nor taken away later',
      fieldPath: '.b',
    },
  ]);
});

test('a field that CEL cannot name cannot be in a union', () => {
  const fields = { 'a b': string('') };
  expect(() => object('', fields, { atLeastOneOf: ['a b'] })).toThrow(/must be a name that CEL/);
});

/** Compiles only if both types are equal. */
function same<A, B>(
  ..._proof: (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? [] : [never]
): void {}

test('static types match the schema, with and without defaults', () => {
  const schema = object('', {
    name: required(string('')),
    size: integer('', { default: 3 }),
    ratio: required(number('', { default: 0.5 })),
    on: nullable(boolean('')),
    level: enumOf('', ['low', 'high'], { default: 'low' }),
    ports: listMap('', 'port', object('', { port: required(integer('')) })),
    inner: object('', { deep: string('', { default: 'x' }) }),
    labels: map('', nullable(string(''))),
    size2: intOrString(''),
    rest: anything(''),
  });
  same<
    Static<typeof schema>,
    {
      readonly name: string;
      readonly size: number;
      readonly ratio: number;
      readonly on?: boolean | null;
      readonly level: 'low' | 'high';
      readonly ports?: readonly { readonly port: number }[];
      readonly inner?: { readonly deep: string };
      readonly labels?: Readonly<Record<string, string | null>>;
      readonly size2?: number | string;
      readonly rest?: unknown;
    }
  >();
  same<
    Input<typeof schema>,
    {
      readonly name: string;
      readonly size?: number;
      readonly ratio?: number;
      readonly on?: boolean | null;
      readonly level?: 'low' | 'high';
      readonly ports?: readonly { readonly port: number }[];
      readonly inner?: { readonly deep?: string };
      readonly labels?: Readonly<Record<string, string | null>>;
      readonly size2?: number | string;
      readonly rest?: unknown;
    }
  >();
  expect(schema.required).toEqual(['name', 'ratio']);
});

test('the compiler refuses unknown options and values of the wrong type', () => {
  const wrong = [
    // @ts-expect-error a typing mistake
    string('', { maxLenght: 3 }),
    // @ts-expect-error a pattern is for strings
    integer('', { pattern: 'a' }),
    // @ts-expect-error a default has the type of the schema
    integer('', { default: 'a' }),
    // @ts-expect-error a default is one of the values
    enumOf('', ['a', 'b'], { default: 'c' }),
    // @ts-expect-error a default is an object of these fields
    object('', { a: required(string('')) }, { default: {} }),
  ];
  expect(wrong).toHaveLength(5);
  // @ts-expect-error a union lists existing fields
  expect(object('', { a: string('') }, { exactlyOneOf: ['b'] })).toBeDefined();
});

test('the error about a default of the wrong type names the required type', async () => {
  const project = new UserProject({
    'main.ts': `
import { integer, list, object, string } from '@tenantry/crd/schema';
export const wrong = [
  integer('', { default: 'a' }),
  list('', string(''), { default: [1] }),
  object('', { a: integer('') }, { default: { a: 'x' } }),
  integer('', { minimumm: 1 }),
];
`,
  });
  try {
    const errors = (await project.compile()).split('\n').filter((line) => line.startsWith('    '));
    expect(errors.map((line) => line.trim())).toEqual([
      "Type 'string' is not assignable to type 'number'.",
      "Type 'number' is not assignable to type 'string'.",
      "Type 'string' is not assignable to type 'number'.",
      expect.stringContaining("Did you mean to write 'minimum'?"),
    ]);
  } finally {
    project.remove();
  }
});
