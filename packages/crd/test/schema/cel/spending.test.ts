import { expect, test } from '@jest/globals';
import { compileRule } from '../../../schema/cel/rule.ts';
import { costSoFar } from '../../../schema/cel/spending.ts';
import type { JSONSchemaProps } from '../../../schema/json-schema.ts';
import { compileSchema } from '../../../schema/validator.ts';
import { serverSpending } from '@tenantry/test-tools/go/cel-cost';
import { testUnless } from '@tenantry/test-tools/skipping';
import { actualCosts, ruled, value } from './actual-costs.ts';

const LIMIT = 'operation cancelled: actual cost limit exceeded';
const items = (count: number): string[] => Array.from({ length: count }, () => 'x');

function evaluate(rule: string, given: unknown = value): string | undefined {
  const schema = ruled(rule);
  const compiled = compileRule(schema['x-kubernetes-validations']![0]!, schema);
  expect(compiled.errors).toEqual([]);
  return compiled.evaluate(given)?.message;
}

test.each(actualCosts)('%s is the cost of evaluating %s', (cost, rule) => {
  evaluate(rule);
  expect(costSoFar()).toBe(cost);
});

test('an evaluation that costs more than the API server allows stops with a finding', () => {
  const rule = 'self.a.all(x, self.a.all(y, self.a.all(z, self.a.all(w, x == y || z == w))))';
  expect(evaluate(rule, { a: items(300) })).toBe(
    `'${LIMIT}': no further validation rules will be run due to call cost exceeds limit for rule: ${rule}`,
  );
  expect(evaluate(rule, { a: items(5) })).toBeUndefined();
});

test('a failure within a macro does not hide that it costs too much', () => {
  const rule = 'self.a.exists(x, self.a.all(y, self.a.all(z, 1 / 0 == 1))) || true';
  expect(evaluate(rule, { a: items(300) })).toContain(LIMIT);
});

const MEMBERS = "self.a.all(x, self.a.exists(y, y == 'y'))";

test('all rules of one object share a limit, in any order', () => {
  const inner = ruled(MEMBERS);
  const schema: JSONSchemaProps = { type: 'array', items: inner };
  const objects = (count: number): unknown[] =>
    Array.from({ length: count }, () => ({ a: items(250).with(0, 'y') }));
  const { errors: few } = compileSchema(schema).check(objects(8));
  expect(few).toEqual([]);
  const many = compileSchema(schema).check(objects(4000)).errors;
  expect(many.map(({ message }) => message)).toEqual([
    'validation failed due to running out of cost budget, no further validation rules will be run',
  ]);
  expect(compileSchema(schema).accepts(objects(4000))).toBe(false);
});

test('the exceeded limit of one object is reported at the rule that exceeds it', () => {
  const schema: JSONSchemaProps = {
    type: 'object',
    properties: {
      // A tenth of the length, squared: 801,025.
      first: { type: 'array', items: ruled('self.s.contains(self.s)') },
      last: ruled('self.n > 0'),
    },
  };
  const items = (count: number) => Array.from({ length: count }, () => ({ s: 'x'.repeat(8950) }));
  const check = (first: object[]) =>
    compileSchema(schema)
      .check({ first, last: { n: 0 } })
      .errors.map(({ path, message }) => `${path.join('.')} ${message.split(',')[0]}`);
  expect(check(items(5))).toEqual(['last failed rule: self.n > 0']);
  expect(check(items(15))).toEqual([
    'first.12 validation failed due to running out of cost budget',
  ]);
});

test('rules that are evaluated once to find errors and again to report them count once', () => {
  const schema: JSONSchemaProps = {
    type: 'array',
    items: ruled('lists.range(self.n).size() >= 0 && lists.range(self.o.x).size() >= 0'),
  };
  const undecided = { n: 0, o: { x: 950_000 } };
  const costly = { n: 800_000, o: { x: 0 } };
  const { errors, notChecked } = compileSchema(schema).check([
    undecided,
    ...Array.from({ length: 9 }, () => costly),
  ]);
  expect(errors).toEqual([]);
  expect(notChecked).toHaveLength(1);
});

test.each([
  ['a text', '"a"' + '.replace("a", "aaaaaaaaaa")'.repeat(30) + ' == "a"'],
  ['a list', '[[1]]' + '.map(x, x + x)'.repeat(60) + '.size() == 1'],
  ['a list of lists', `${'[1]'}${'.map(x, [x, x])'.repeat(40)}.map(x, x == x).size() == 1`],
  ['a text that is formatted', `"%s".format([[1]${'.map(x, [x, x])'.repeat(40)}]) == ""`],
  ['a range', 'lists.range(9000000000000000000).size() == 1'],
])('the growth of %s in an expression is bounded', (_, rule) => {
  expect(evaluate(rule)).toMatch(/too long|cost limit exceeded|may cost too much/);
});

test('a formatted value costs more steps than others, because its text is made and joined', () => {
  const formatted = (times: number): string =>
    `"%s".format([[1]${'.map(x, [x, x])'.repeat(times)}]).size() > 0`;
  expect(evaluate(formatted(16))).toBeUndefined();
  // Four million values: at one step for each they would be formatted.
  expect(evaluate(formatted(21))).toBe('evaluating it takes too long');
});

const ask = await serverSpending();

testUnless(ask ? undefined : 'there is no Go, or no modules for it')(
  'the code of the API server counts the same costs as these tests',
  () => {
    const answers = ask!(actualCosts.map(([, rule]) => ({ schema: ruled(rule), value })));
    expect(answers.map(({ actual }) => Number(actual))).toEqual(actualCosts.map(([cost]) => cost));
  },
  120_000,
);
