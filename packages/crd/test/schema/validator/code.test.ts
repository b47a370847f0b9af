import { expect, test } from '@jest/globals';
import type { JSONSchemaProps } from '../../../schema/json-schema.ts';
import { jitCompile, translate, Program } from '../../../schema/validator/code.ts';
import { undeterminedPasses } from '../../../schema/validator/schema-node.ts';
import { getNode } from '../../../schema/validator/node.ts';
import { compileSchema } from '../../../schema/validator.ts';

const place: JSONSchemaProps = {
  type: 'object',
  required: ['port'],
  properties: {
    port: { type: 'integer', minimum: 1, maximum: 65535 },
    names: { type: 'array', maxItems: 9, items: { type: 'string' } },
  },
};

test('the code of a schema is readable, and contains none of its texts', () => {
  const { program, nodes } = translate(getNode(place, 'strict'));
  expect(nodes.map(({ schema }) => schema)).toEqual([place, place.properties!['names']]);
  expect(program.text()).toBe(
    `'use strict';
const [c0, c1, c2, c3, c4, c5, c6, c7, c8] = constants;
function check0(value, undetermined) {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return c0(value, undetermined);
  const first = value[c1];
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return c0(value, undetermined);
  let there = 0;
  let count = 0;
  {
    const field = first;
    if (field !== undefined) {
      there++;
      if (!(typeof field === 'number' && field >= c2 && field <= c3 && Number.isInteger(field) || c4(field, undetermined))) return false;
    }
    else {
      if (Object.hasOwn(value, c1)) return c0(value, undetermined);
      return false;
    }
  }
  {
    const field = value[c5];
    if (field !== undefined) {
      there++;
      if (!check1(field, undetermined)) return false;
    }
  }
  for (const key in value) {
    count++;
  }
  if (there !== count) return c0(value, undetermined);
  return true;
}
function check1(value, undetermined) {
  if (!Array.isArray(value)) return c6(value, undetermined);
  if (value.length > c7) return false;
  for (let i = 0; i < value.length; i++) {
    const item = value[i];
    if (!(typeof item === 'string' || c8(item, undetermined))) return false;
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
])('%s have the same code', (_, schema, values) => {
  const node = getNode(
    { type: 'object', properties: { a: schema, b: { type: 'string' } } },
    'strict',
  );
  jitCompile(node);
  const evaluateAll = (quick: boolean) =>
    values.map((a) => (quick ? node.quick : node.accepts)({ a, b: 'x' }, undeterminedPasses));
  expect(evaluateAll(true)).toEqual(evaluateAll(false));
  expect(new Set(evaluateAll(true)).size).toBe(2);
});

/** Returns the line of code for each item of a list. */
function lineOfItems(items: JSONSchemaProps): string {
  const { program } = translate(getNode({ type: 'array', items }, 'strict'));
  return /const item = value\[i\];\n\s*if \(!(.*)\) return false;/.exec(program.text())![1]!;
}

const text = (rest: JSONSchemaProps = {}): JSONSchemaProps => ({ type: 'string', ...rest });
const anyText = "(typeof item === 'string' || c1(item, undetermined))";
const someText =
  "(typeof item === 'string' && item.length >= c1 && item.length <= c2 || c3(item, undetermined))";
const checkedText =
  "(typeof item === 'string' && c1(item, undetermined) || c2(item, undetermined))";
const someNumber =
  "(typeof item === 'number' && item >= c1 && item <= c2 && Number.isInteger(item) || c3(item, undetermined))";
const nodeCall = 'c1(item, undetermined)';
const rule = { 'x-kubernetes-validations': [{ rule: 'true' }] };

test.each<[string, JSONSchemaProps, string]>([
  ['any text', text(), anyText],
  ['an empty pattern', text({ pattern: '' }), anyText],
  ['an empty enum', text({ enum: [] }), anyText],
  ['no length', text({ minLength: 0 }), anyText],
  ['a length', text({ minLength: 1 }), someText],
  ['a maximum length', text({ maxLength: 1 }), someText],
  ['a pattern', text({ pattern: '^a' }), checkedText],
  ['a pattern and a length', text({ pattern: '^a', maxLength: 2 }), checkedText],
  ['a format', text({ format: 'ipv4' }), nodeCall],
  ['an unknown format', text({ format: 'x' }), anyText],
  ['an unknown format, and a length', text({ format: 'x', minLength: 1 }), someText],
  ['an enum and a pattern', text({ pattern: '^a', enum: ['a'] }), checkedText],
  [
    'a short enum',
    text({ enum: ['a', 'b'] }),
    "(typeof item === 'string' && (item === c1 || item === c2) || c3(item, undetermined))",
  ],
  [
    'an enum of eight',
    text({ enum: [...'abcdefgh'] }),
    `(typeof item === 'string' && (${[1, 2, 3, 4, 5, 6, 7, 8].map((i) => `item === c${i}`).join(' || ')}) || c9(item, undetermined))`,
  ],
  ['an enum of nine', text({ enum: [...'abcdefghi'] }), nodeCall],
  ['an enum and a length', text({ enum: ['a'], minLength: 1 }), nodeCall],
  ['an enum and a maximum length', text({ enum: ['a'], maxLength: 1 }), nodeCall],
  ['whole numbers', { type: 'integer' }, someNumber],
  ['whole numbers from a bound on', { type: 'integer', minimum: 1 }, someNumber],
  ['whole numbers up to a bound', { type: 'integer', maximum: 1 }, someNumber],
  ['numbers of 32 bits', { type: 'integer', format: 'int32' }, someNumber],
  ['numbers', { type: 'number' }, someNumber],
  ['a bound of more than 53 bits', { type: 'integer', maximum: 2 ** 60 }, nodeCall],
  ['multiples', { type: 'integer', multipleOf: 2 }, nodeCall],
  ['an enum of numbers', { type: 'integer', enum: [1] }, nodeCall],
  ['true or false', { type: 'boolean' }, "(typeof item === 'boolean' || c1(item, undetermined))"],
  ['true alone', { type: 'boolean', enum: [true] }, nodeCall],
  ['a number or a text', { 'x-kubernetes-int-or-string': true }, nodeCall],
  ['anything', {}, nodeCall],
  ['a text of anyOf', text({ anyOf: [{ minLength: 2 }] }), nodeCall],
  ['a text with a rule', text(rule), nodeCall],
  ['a list', { type: 'array', items: {} }, 'check1(item, undetermined)'],
  ['an object', { type: 'object' }, 'check1(item, undetermined)'],
  ['an object or nothing', { type: 'object', nullable: true }, 'check1(item, undetermined)'],
])('the code for %s', (_name, items, line) => {
  expect(lineOfItems(items)).toBe(line);
});

test.each<[string, JSONSchemaProps]>([
  ['texts', text()],
  ['anything', {}],
  ['an enum of objects', { type: 'object', enum: [{}] }],
  ['fields that are kept', { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }],
  [
    'fields beside entries',
    { type: 'object', properties: { a: text() }, additionalProperties: text() },
  ],
  ['a required field without a declaration', { type: 'object', required: ['a'] }],
  [
    'one of two required fields without a declaration',
    { type: 'object', properties: { b: text() }, required: ['a', 'b'] },
  ],
])('%s gets no code', (_name, schema) => {
  expect(translate(getNode(schema, 'strict')).program.text()).toBe(
    `'use strict';
const [c0] = constants;
function check0(value, undetermined) {
  return c0(value, undetermined);
}
return [check0];`,
  );
});

test('the code of a list checks no more than its schema', () => {
  const kept = { type: 'array', 'x-kubernetes-preserve-unknown-fields': true } as const;
  expect(translate(getNode(kept, 'strict')).program.text()).toContain(`
  if (!Array.isArray(value)) return c0(value, undetermined);
  return true;
}`);
});

test('the code of entries checks each of them', () => {
  const entries: JSONSchemaProps = { type: 'object', additionalProperties: text() };
  expect(translate(getNode(entries, 'strict')).program.text()).toContain(`
  for (const key in value) {
    count++;
    const entry = value[key];
    if (!(typeof entry === 'string' || c1(entry, undetermined))) return false;
  }
  return true;
}`);
});

test('a schema at two places has one check, and a value one constant', () => {
  const { program, nodes } = translate(
    getNode({ type: 'object', properties: { a: place, b: place, port: text() } }, 'strict'),
  );
  expect(nodes).toHaveLength(3);
  expect(program.text().match(/^function /gm)).toHaveLength(3);
  const own = new Program();
  expect(['x', 'y', 'x'].map((one) => own.constant(one))).toEqual(['c0', 'c1', 'c0']);
});

test.each<[string, JSONSchemaProps, unknown[]]>([
  ['sets', { type: 'array', items: text(), 'x-kubernetes-list-type': 'set' }, [['a'], ['a', 'a']]],
  ['an enum of lists', { type: 'array', items: text(), enum: [['a']] }, [['a'], ['b']]],
  [
    'combinators of objects',
    { type: 'object', properties: { a: text() }, not: { required: ['a'] } },
    [{}, { a: 'x' }],
  ],
  [
    'rules of lists',
    {
      type: 'array',
      items: text(),
      'x-kubernetes-validations': [{ rule: 'self.size() < 2' }],
    },
    [['a'], ['a', 'b']],
  ],
])('%s have the same code', (_name, schema, values) => {
  const node = getNode(schema, 'strict');
  jitCompile(node);
  expect(node.quick).not.toBe(node.accepts);
  expect(values.map((value) => node.quick(value, undeterminedPasses))).toEqual([true, false]);
  expect(values.map((value) => node.accepts(value, undeterminedPasses))).toEqual([true, false]);
});

test('a schema is compiled once for each way of reading it', () => {
  const schema = text();
  const ways = [
    getNode(schema, 'strict'),
    getNode(schema, 'open'),
    getNode(schema, 'strict', true),
  ];
  expect(new Set(ways).size).toBe(3);
  expect(getNode(schema, 'strict')).toBe(ways[0]);
  expect(getNode(schema, 'open')).toBe(ways[1]);
});

test('the code of a schema is generated once, after two hundred uses', () => {
  const schema: JSONSchemaProps = { type: 'object', properties: { a: text() } };
  const [{ accepts, check }, node] = [compileSchema(schema), getNode(schema, 'strict')];
  for (let i = 1; i < 200; i += 1) accepts(i);
  expect(node.quick).toBe(node.accepts);
  check({});
  expect(node.quick).not.toBe(node.accepts);
  const { quick } = node;
  for (let i = 1; i < 500; i += 1) accepts({ a: 'x' });
  expect(node.quick).toBe(quick);
});

test('a runtime that forbids code from texts gets no code, and other errors are thrown', () => {
  const before = globalThis.Function;
  const failingWith = (error: Error) =>
    function refuse() {
      throw error;
    } as unknown as FunctionConstructor;
  const node = getNode({ type: 'object', properties: { a: text() } }, 'strict');
  try {
    globalThis.Function = failingWith(new EvalError('no code'));
    jitCompile(node);
    globalThis.Function = failingWith(new SyntaxError('wrong code'));
    expect(() => jitCompile(node)).toThrow('wrong code');
  } finally {
    globalThis.Function = before;
  }
  expect(node.quick).toBe(node.accepts);
});

test('the uniqueness of a list is not checked if a schema only restricts', () => {
  const names = (rest: JSONSchemaProps): JSONSchemaProps => ({
    type: 'object',
    properties: { names: { type: 'array', items: { type: 'string' }, ...rest } },
  });
  const set = names({ 'x-kubernetes-list-type': 'set' });
  const value = { names: ['a', 'a'] };
  for (const [schema, isValid] of [
    [names({}), true],
    [{ ...names({}), allOf: [set] }, true],
    [set, false],
  ] as const) {
    const node = getNode(schema, 'strict');
    expect(node.accepts(value, undeterminedPasses)).toBe(isValid);
    jitCompile(node);
    expect(node.quick).not.toBe(node.accepts);
    expect(node.quick(value, undeterminedPasses)).toBe(isValid);
  }
});
