import { expect, test } from '@jest/globals';
import { openApi } from '../../../crds/schema/openapi.ts';
import {
  embeddedResource,
  integer,
  intOrString,
  keyedList,
  list,
  map,
  object,
  oneOf,
  required,
  set,
  string,
} from '../../../crds/schema/schema.ts';

test('a schema becomes what the API server takes, and nothing of ours goes with it', () => {
  const schema = object(
    'A thing.',
    {
      name: required(string('Name.', { minLength: 1, maxLength: 9, pattern: '^a', must: 'an a' })),
      kind: oneOf('Kind.', ['a', 'b'], { absent: 'a', example: 'b' }),
      size: integer('Size.', { minimum: 0, maximum: 9 }),
    },
    { rules: [{ rule: 'self.size > 0', message: 'must have a size', check: () => true }] },
  );
  expect(openApi(schema)).toEqual({
    type: 'object',
    description: 'A thing.',
    properties: {
      name: { type: 'string', description: 'Name.', minLength: 1, maxLength: 9, pattern: '^a' },
      kind: { type: 'string', description: 'Kind.', enum: ['a', 'b'] },
      size: { type: 'integer', description: 'Size.', format: 'int32', minimum: 0, maximum: 9 },
    },
    required: ['name'],
    'x-kubernetes-validations': [{ rule: 'self.size > 0', message: 'must have a size' }],
  });
});

test('lists say how they are merged', () => {
  const item = object('', { name: required(string('')) });
  expect(openApi(list('', string('')))).toMatchObject({
    type: 'array',
    'x-kubernetes-list-type': 'atomic',
    maxItems: 100,
  });
  expect(openApi(set('', string('')))).toMatchObject({ 'x-kubernetes-list-type': 'set' });
  expect(openApi(keyedList('', 'name', item, { minItems: 1 }))).toMatchObject({
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['name'],
    minItems: 1,
  });
});

test('free keys, whole objects and quantities are structural', () => {
  expect(openApi(map('', string('')))).toEqual({
    type: 'object',
    description: '',
    additionalProperties: { type: 'string', description: '' },
    maxProperties: 64,
  });
  expect(openApi(embeddedResource('', { must: 'an object' }))).toEqual({
    type: 'object',
    description: '',
    'x-kubernetes-preserve-unknown-fields': true,
    'x-kubernetes-embedded-resource': true,
  });
  expect(openApi(intOrString('', { pattern: '^a$', minimum: 0 }))).toEqual({
    description: '',
    anyOf: [{ type: 'integer' }, { type: 'string' }],
    'x-kubernetes-int-or-string': true,
    pattern: '^a$',
    minimum: 0,
  });
});

test('what is given out is a copy: changing it changes no schema', () => {
  const schema = oneOf('', ['a']);
  (openApi(schema)['enum'] as string[]).push('b');
  expect(openApi(schema)['enum']).toEqual(['a']);
});
