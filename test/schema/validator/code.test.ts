import { expect, test } from '@jest/globals';
import type { JSONSchemaProps } from '../../../schema/jsonschema.ts';
import { quicken, translate } from '../../../schema/validator/code.ts';
import { doubtPasses } from '../../../schema/validator/doubt.ts';
import { nodeOf } from '../../../schema/validator/node.ts';

const place: JSONSchemaProps = {
  type: 'object',
  required: ['port'],
  properties: {
    port: { type: 'integer', minimum: 1, maximum: 65535 },
    names: { type: 'array', maxItems: 9, items: { type: 'string' } },
  },
};

test('the code of a schema can be read, and holds no text of it', () => {
  const { program, nodes } = translate(nodeOf(place, 'strict'));
  expect(nodes.map(({ schema }) => schema)).toEqual([place, place.properties!['names']]);
  expect(program.text()).toBe(
    `'use strict';
const [c0, c1, c2, c3, c4, c5, c6, c7, c8] = constants;
function check0(value, doubts) {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return c0(value, doubts);
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return c0(value, doubts);
  let there = 0;
  let count = 0;
  {
    const field = value[c1];
    if (field !== undefined) {
      there++;
      if (!(typeof field === 'number' && field >= c2 && field <= c3 && Number.isInteger(field) || c4(field, doubts))) return false;
    }
    else {
      if (!Object.hasOwn(value, c1)) return false;
      return c0(value, doubts);
    }
  }
  {
    const field = value[c5];
    if (field !== undefined) {
      there++;
      if (!check1(field, doubts)) return false;
    }
  }
  for (const key in value) {
    count++;
  }
  if (there !== count) return c0(value, doubts);
  return true;
}
function check1(value, doubts) {
  if (!Array.isArray(value)) return c6(value, doubts);
  if (value.length > c7) return false;
  for (let i = 0; i < value.length; i++) {
    const item = value[i];
    if (!(typeof item === 'string' || c8(item, doubts))) return false;
  }
  return true;
}
return [check0, check1];`,
  );
});

test.each<[string, JSONSchemaProps, unknown[]]>([
  [
    'lengths',
    { type: 'string', minLength: 2, maxLength: 3 },
    ['a', 'ab', 'abc', 'abcd', '😀', '😀😀😀', '😀😀😀😀'],
  ],
  ['bounds', { type: 'integer', minimum: 1, maximum: 3 }, [0, 1, 2.5, 3, 4, 2n, 4n, '2']],
  ['short enums', { type: 'string', enum: ['a', 'b'] }, ['a', 'b', 'c', 1]],
  ['long enums', { type: 'string', enum: [...'abcdefghij'] }, ['a', 'j', 'k', null]],
  ['patterns', { type: 'string', pattern: '^a', maxLength: 2 }, ['ab', 'b', 'abc']],
  ['null', { type: 'boolean', nullable: true }, [null, true, 'true', undefined]],
  [
    'items',
    { type: 'array', minItems: 1, maxItems: 2, items: {} },
    [[], [1], [1, 2], [1, 2, 3], {}],
  ],
  [
    'entries',
    {
      type: 'object',
      minProperties: 1,
      maxProperties: 1,
      additionalProperties: { type: 'string' },
    },
    [{}, { a: 'x' }, { a: 1 }, { a: 'x', b: 'y' }, null],
  ],
])('%s are the same in code', (_, schema, values) => {
  const node = nodeOf(
    { type: 'object', properties: { a: schema, b: { type: 'string' } } },
    'strict',
  );
  quicken(node);
  const told = (quick: boolean) =>
    values.map((a) => (quick ? node.quick : node.accepts)({ a, b: 'x' }, doubtPasses));
  expect(told(true)).toEqual(told(false));
  expect(new Set(told(true)).size).toBe(2);
});

test('what a list is to be unique by is left alone where a schema only restricts', () => {
  const finalizers: JSONSchemaProps = {
    type: 'array',
    items: { type: 'string' },
    'x-kubernetes-list-type': 'set',
  };
  const metadata = { type: 'object', properties: { finalizers } };
  const node = nodeOf({ type: 'object', properties: { metadata } }, 'strict', true);
  const value = { metadata: { finalizers: ['a', 'a'] } };
  expect(node.accepts(value, doubtPasses)).toBe(true);
  quicken(node);
  expect(node.quick).not.toBe(node.accepts);
  expect(node.quick(value, doubtPasses)).toBe(true);
});
