import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { compileRule, findRefused, implies, readCondition } from '../../../schema/cel.ts';
import type { JSONSchemaProps } from '../../../schema/json-schema.ts';
import { runs } from '@tenantry/kube/test/yaml/runs';

const schema: JSONSchemaProps = {
  type: 'object',
  properties: {
    a: { type: 'integer' },
    b: { type: 'integer' },
    list: { type: 'array', maxItems: 3, items: { type: 'integer' } },
  },
  required: ['a', 'list'],
};

const constant = fc.integer({ min: 0, max: 4 });
const sign = fc.constantFrom('<', '<=', '>', '>=', '==', '!=');
/** `self.b` is missing in some values: reading it is then an error. */
const operand = fc.constantFrom('self.a', 'self.b', 'size(self.list)');
const comparison = (of: fc.Arbitrary<string>) =>
  fc.oneof(
    fc.tuple(of, sign, constant).map(([x, how, c]) => `${x} ${how} ${c}`),
    fc.tuple(constant, sign, of).map(([c, how, x]) => `${c} ${how} ${x}`),
    fc
      .tuple(of, fc.array(constant, { minLength: 1, maxLength: 3 }))
      .map(([x, all]) => `${x} in [${all.join(', ')}]`),
  );

const { rule } = fc.letrec<{ rule: string }>((tie) => ({
  rule: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    comparison(operand),
    fc.constantFrom('has(self.b)', '!has(self.b)', 'has(self.a)'),
    fc
      .tuple(tie('rule'), fc.constantFrom('&&', '||'), tie('rule'))
      .map(([a, how, b]) => `(${a} ${how} ${b})`),
    tie('rule').map((one) => `!(${one})`),
    fc.tuple(tie('rule'), tie('rule'), tie('rule')).map(([c, a, b]) => `(${c} ? ${a} : ${b})`),
    fc
      .tuple(fc.constantFrom('all', 'exists', 'exists_one'), fc.constantFrom('x', 'y'))
      .chain(([fold, name]) =>
        comparison(fc.constant(name)).map((body) => `self.list.${fold}(${name}, ${body})`),
      ),
  ),
}));

/** Generates a rule, and often a similar one. */
const near = fc.tuple(rule, rule, constant, fc.nat(4)).map(([before, other, digit, how]) => {
  const after = [
    other,
    `(${before} || ${other})`,
    before.replace(/\d+/, String(digit)),
    before.replace(/(\d+)(\D*)$/, `${digit}$2`),
    before.replace('&&', '||'),
  ][how]!;
  return [before, after] as const;
});

const values = fc.record(
  {
    a: fc.integer({ min: -1, max: 5 }),
    b: fc.integer({ min: -1, max: 5 }),
    list: fc.array(fc.integer({ min: -1, max: 5 }), { maxLength: 3 }),
  },
  { requiredKeys: ['a', 'list'] },
);

const accepts = (text: string, value: unknown): boolean =>
  compileRule({ rule: text }, schema).evaluate(value) === undefined;

test('an implied rule accepts whatever the other accepts, apart from errors', () => {
  const met = { implied: 0, same: 0, values: 0 };
  fc.assert(
    fc.property(
      near,
      fc.array(values, { minLength: 20, maxLength: 20 }),
      ([before, after], all) => {
        const [given, wanted] = [readCondition(before), readCondition(after)];
        const isSame = given.key === wanted.key;
        if (isSame) met.same += 1;
        if (!isSame && !wanted.clauses.every((one) => implies(given.clauses, one))) return;
        met.implied += 1;
        for (const value of all.filter((one) => accepts(before, one))) {
          met.values += 1;
          expect({ before, after, value, accepted: accepts(after, value) }).toMatchObject({
            accepted: true,
          });
        }
      },
    ),
    runs(6000),
  );
  expect(met.implied).toBeGreaterThan(100);
  expect(met.values).toBeGreaterThan(500);
});

test('a value that shows a refusal is refused by the one rule, and accepted by the others', () => {
  let found = 0;
  const about = fc.constant('self.a');
  fc.assert(
    fc.property(comparison(about), comparison(about), (before, after) => {
      const [given, wanted] = [readCondition(before), readCondition(after)];
      const value = findRefused(given.clauses, wanted.clauses[0]!, {
        isPossible: () => true,
        edges: [],
      });
      if (value === undefined) return;
      found += 1;
      const object = { a: Number(value), list: [] };
      expect([before, after, value, accepts(before, object), accepts(after, object)]).toEqual([
        before,
        after,
        value,
        true,
        false,
      ]);
    }),
    runs(1000),
  );
  expect(found).toBeGreaterThan(100);
});
