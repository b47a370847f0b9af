import { expect, test } from '@jest/globals';
import { compileRule } from '../../../schema/cel/rule.ts';
import type { JSONSchemaProps, ValidationRule } from '../../../schema/json-schema.ts';
import { costs, subject } from './cost-cases.ts';

const estimateOf = (rule: string | ValidationRule, schema = subject) =>
  compileRule(typeof rule === 'string' ? { rule } : rule, schema).estimate();

test.each(costs)('%s is the cost of %s', (cost, expression) => {
  expect(estimateOf(expression)?.rule.cost).toBe(cost);
});

test('a message has its own cost', () => {
  const { rule, messageExpression } = estimateOf({
    rule: 'self.b',
    messageExpression: 'self.s + self.t',
  })!;
  expect([rule.cost, messageExpression?.cost]).toEqual([2n, 18n]);
  expect(estimateOf('self.b')?.messageExpression).toBeUndefined();
});

test('an unsound rule has no cost', () => {
  expect(estimateOf('self.nothing')).toBeUndefined();
  expect(estimateOf({ rule: 'self.b', message: ' ' })).toBeUndefined();
  const { messageExpression } = estimateOf({ rule: 'self.b', messageExpression: 'self.i' })!;
  expect(messageExpression).toBeUndefined();
});

test.each<[bigint, JSONSchemaProps]>([
  [1_048_576n, { type: 'string' }],
  [1_572_864n, { type: 'integer' }],
  [629_145n, { type: 'boolean' }],
  [142_987n, { type: 'string', format: 'date-time' }],
  [1_048_576n, { type: 'object', properties: { a: { type: 'string' } } }],
  [314_572n, { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] }],
])('%s values fit into a request of %j', (count, schema) => {
  expect(estimateOf('true', schema)?.count).toBe(count);
});

test('the cost with other bounds is computed without changing the schema', () => {
  const names: JSONSchemaProps = { type: 'array', items: { type: 'string', maxLength: 5 } };
  const rule = compileRule({ rule: "self.all(x, x != 'a')" }, names);
  const now = rule.estimate()!;
  expect(rule.estimate(new Map([[names, 2]]))?.rule.cost).toBe(12n);
  expect(rule.estimate()).toEqual(now);
  expect(now.rule.cost).toBeGreaterThan(1_000_000n);
});

test('an estimate lists what the cost depends on', () => {
  const { rule } = estimateOf('self.l.all(x, x == self.t) && has(self.open)')!;
  const { l, t, ...rest } = subject.properties!;
  const schemas = [...rule.sizes].map(({ schema }) => schema);
  expect(schemas).toEqual(expect.arrayContaining([l, l!.items, t]));
  expect(schemas).not.toContain(rest['open']);
});
