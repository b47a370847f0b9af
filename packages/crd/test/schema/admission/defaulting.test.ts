import { expect, test } from '@jest/globals';
import { applyDefaults } from '../../../schema/admission/defaulting.ts';
import type { JSONSchemaProps } from '../../../schema/json-schema.ts';

const text = (rest: JSONSchemaProps = {}): JSONSchemaProps => ({ type: 'string', ...rest });
const object = (properties: Record<string, JSONSchemaProps>, rest: JSONSchemaProps = {}) => ({
  type: 'object',
  properties,
  ...rest,
});

const schema = object({
  a: object(
    { b: text({ default: 'b' }), c: object({ d: text({ default: 'd' }) }) },
    { default: {} },
  ),
  list: { type: 'array', items: object({ e: text({ default: 'e' }) }) },
  map: { type: 'object', additionalProperties: text({ default: 'f' }) },
  nullable: text({ nullable: true, default: 'g' }),
});

test.each<[string, unknown, unknown]>([
  ['the defaults of a default are filled in too', {}, { a: { b: 'b' }, nullable: 'g' }],
  ['what is there stays', { a: { b: 'x' }, nullable: 'y' }, { a: { b: 'x' }, nullable: 'y' }],
  [
    'an object that is missing and has no default stays missing',
    { a: { c: {} }, nullable: null },
    { a: { c: { d: 'd' }, b: 'b' }, nullable: null },
  ],
  [
    'a null that may not be gives way to the default',
    { a: null, nullable: 'x' },
    { a: { b: 'b' }, nullable: 'x' },
  ],
  [
    'items and entries have defaults',
    { a: {}, list: [{}, { e: 'x' }], map: { k: null, l: 'x' }, nullable: 'x' },
    { a: { b: 'b' }, list: [{ e: 'e' }, { e: 'x' }], map: { k: 'f', l: 'x' }, nullable: 'x' },
  ],
  ['what is of another type is left alone', 'x', 'x'],
])('%s', (_name, value, expected) => {
  const before = structuredClone(value);
  expect(applyDefaults(schema, value)).toEqual(expected);
  expect(value).toEqual(before);
});

test('a value that needs no default is the same object as before', () => {
  const value = { a: { b: 'x', c: { d: 'x' } }, list: [{ e: 'x' }], nullable: null };
  expect(applyDefaults(schema, value)).toBe(value);
});

test('two values never share a default', () => {
  const list = object({ l: { type: 'array', items: text(), default: ['x'] } });
  const [first, second] = [applyDefaults(list, {}), applyDefaults(list, {})] as { l: string[] }[];
  first!.l.push('y');
  expect(second!.l).toEqual(['x']);
  expect(applyDefaults(list, {})).toEqual({ l: ['x'] });
});

test('a field of any name can have a default', () => {
  const properties = JSON.parse('{"__proto__":{"type":"string","default":"x"}}');
  expect(Object.entries(applyDefaults({ type: 'object', properties }, {}) as object)).toEqual([
    ['__proto__', 'x'],
  ]);
});
