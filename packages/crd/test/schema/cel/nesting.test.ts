import { expect, test } from '@jest/globals';
import { compileRule } from '../../../schema/cel/rule.ts';
import { serverCosts } from '@tenantry/test-tools/go/cel-cost';
import { testUnless } from '@tenantry/test-tools/skipping';
import { ruled, value } from './actual-costs.ts';

const chain = (part: string, sign: string) => (count: number) =>
  Array.from({ length: count }, () => part).join(sign);
const around = (open: string, inner: string, close: string) => (count: number) =>
  open.repeat(count) + inner + close.repeat(count);

/** Expressions of any depth, and the deepest that the API server parses. */
const deep: readonly (readonly [what: string, make: (count: number) => string, most: number])[] = [
  ['sums', (count) => `${chain('1', '+')(count)} > 0`, 250],
  ['products', (count) => `${chain('1', '*')(count)} > 0`, 250],
  ['parentheses', around('(', 'true', ')'), 249],
  ['lists', (count) => `${around('[', '1', ']')(count)} != []`, 249],
  ['maps', (count) => `${around('{1: ', '1', '}')(count)} != {}`, 249],
  ['negations', around('!(', 'true', ')'), 249],
  ['choices', (count) => `${'true ? true : '.repeat(count)}true`, 249],
  ['choices within', (count) => `${around('(true ? ', 'true', ' : true)')(count)}`, 248],
  ['calls', (count) => `"a"${'.trim()'.repeat(count)} == "a"`, 249],
  ['functions', (count) => `${around('string(', '"a"', ')')(count)} == "a"`, 249],
  ['macros', around('self.a.all(x, ', 'true', ')'), 249],
  ['fields', (count) => `dyn(self)${'.a'.repeat(count)} == 1`, 249],
  ['indices', (count) => `dyn(self)${'[0]'.repeat(count)} == 1`, 249],
  ['relations', (count) => `${around('(', 'true', ' == true)')(count)}`, 248],
];

const compile = (rule: string) => {
  const schema = ruled(rule);
  return compileRule(schema['x-kubernetes-validations']![0]!, schema);
};

test.each(deep)('%s are parsed to the depth of the API server', (_, make, most) => {
  expect(compile(make(most)).errors).toEqual([]);
  const [error, ...more] = compile(make(most + 1)).errors;
  expect(error?.message).toMatch(/at 1:\d+: it must be nested at most 250 deep, got more$/);
  expect(more).toEqual([]);
});

test.each(deep)('%s of any length are an error, and do not overflow the stack', (_, make) => {
  const [error] = compile(make(20_000)).errors;
  expect(error?.message).toMatch(/nested at most 250 deep|at most 100000 characters/);
});

test.each([
  ['&&', 'self.n > 0', true],
  ['||', 'self.n < 0', false],
])('a long chain of %s is not deeper than a short one', (sign, part, expected) => {
  const rule = compile(chain(part, ` ${sign} `)(5000));
  expect(rule.errors).toEqual([]);
  expect(rule.evaluate(value) === undefined).toBe(expected);
  expect(rule.estimate()?.rule.cost).toBeGreaterThan(10_000n);
});

test('the expansion of macros is bounded', () => {
  const { notChecked } = compile(`optional.of(1)${'.optMap(x, x)'.repeat(40)}.hasValue()`);
  expect(notChecked[0]?.message).toContain('its macros expand to more than 200000 parts');
});

test('types that double with each macro are computed only up to a bound', () => {
  const { notChecked } = compile(`[1]${'.map(x, {x: x})'.repeat(60)}.size() == 1`);
  expect(notChecked[0]?.message).toContain('working out its types takes too long');
});

test('a list of many empty lists is compiled quickly', () => {
  const started = performance.now();
  expect(compile(`[${chain('[]', ',')(30_000)}].size() > 0`).errors).toEqual([]);
  expect(performance.now() - started).toBeLessThan(10_000);
});

const ask = await serverCosts();

testUnless(ask ? undefined : 'there is no Go, or no modules for it')(
  'the code of the API server has the same limits as these tests',
  () => {
    const lines = ask!(
      deep.flatMap(([, make, most]) => [ruled(make(most)), ruled(make(most + 1))]),
    );
    const isTooDeep = lines.map(({ rules }) => /recursion/.test(rules[0]?.error ?? ''));
    expect(isTooDeep).toEqual(deep.flatMap(() => [false, true]));
  },
  120_000,
);
