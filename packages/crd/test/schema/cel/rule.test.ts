import { expect, test } from '@jest/globals';
import { errorAt } from '@tenantry/kube/finding';
import { compileRule, compileRules } from '../../../schema/cel/rule.ts';
import type { JSONSchemaProps, ValidationRule } from '../../../schema/json-schema.ts';

const schema: JSONSchemaProps = {
  type: 'object',
  properties: {
    replicas: { type: 'integer' },
    name: { type: 'string' },
    since: { type: 'string', format: 'date-time' },
    any: { 'x-kubernetes-preserve-unknown-fields': true },
  },
};

const wrong = (rule: string | ValidationRule, of = schema) =>
  compileRule(typeof rule === 'string' ? { rule } : rule, of).errors;

test('an error is reported with its place, and with the name that was meant', () => {
  expect(wrong('self.replcas > 1')).toEqual([
    errorAt(
      ['rule'],
      'must be valid CEL, got a mistake at 1:5: it must be a field of the object, ' +
        "got 'replcas'; did you mean 'replicas'?",
      'cel-rule',
    ),
  ]);
  expect(wrong({ rule: 'true &&\n self.name == 1', message: 'a' })[0]!.message).toContain(
    'got a mistake at 2:12: it must be of types that go together, got string == int',
  );
});

test('an expression of the wrong type is reported', () => {
  expect(wrong('self.name')).toEqual([
    errorAt(['rule'], 'must be CEL that returns a bool, got one that returns string', 'cel-rule'),
  ]);
  expect(wrong({ rule: 'true', messageExpression: 'self.replicas' })).toEqual([
    errorAt(
      ['messageExpression'],
      'must be CEL that returns a string, got one that returns int',
      'cel-message-expression',
    ),
  ]);
});

test.each<[string, ValidationRule]>([
  ['rule cel-rule-empty', { rule: ' ' }],
  ['rule cel-rule', { rule: 'self.nothing' }],
  ['message cel-message', { rule: 'true', message: ' ' }],
  ['messageExpression cel-message-expression', { rule: 'true', messageExpression: ' ' }],
  ['messageExpression cel-message-expression', { rule: 'true', messageExpression: '1' }],
  ['fieldPath cel-field-path', { rule: 'true', fieldPath: '.nothing' }],
  ['reason cel-reason', { rule: 'true', reason: 'Other' as never }],
  ['optionalOldSelf cel-optional-old-self', { rule: 'true', optionalOldSelf: true }],
])('a problem with a rule has a place in the rule and a name: %s', (expected, rule) => {
  expect(wrong(rule).map(({ path, rule: name }) => `${path.join('.')} ${name}`)).toEqual([
    expected,
  ]);
});

test('a superfluous optionalOldSelf of a broken rule is reported too', () => {
  expect(wrong({ rule: 'self.nothing', optionalOldSelf: true })).toMatchObject([
    { rule: 'cel-rule' },
    { rule: 'cel-optional-old-self' },
  ]);
});

test('a rule on a value of any type is broken', () => {
  expect(wrong('true', schema.properties!['any']!)[0]!.message).toContain('must be at a value');
});

test('the root of a resource has a name that rules can read', () => {
  const rule = { rule: "self.metadata.name == 'a' && self.kind == 'Thing'" };
  const root = compileRule(rule, schema, { root: true });
  const thing = { apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name: 'a' } };
  expect(root.errors).toEqual([]);
  expect(root.evaluate(thing)).toBeUndefined();
  expect(wrong(rule)).toHaveLength(1);
});

test('a transition rule is evaluated only if there is an old value', () => {
  const rule = compileRule({ rule: 'self.replicas >= oldSelf.replicas' }, schema);
  expect(rule.usesOldSelf).toBe(true);
  expect(rule.evaluate({ replicas: 1 })).toBeUndefined();
  expect(rule.evaluate({ replicas: 1 }, { replicas: 2 })).toEqual(
    errorAt([], 'failed rule: self.replicas >= oldSelf.replicas', 'x-kubernetes-validations'),
  );
});

test('a rule that cannot be computed refuses the value, with the reason', () => {
  expect(
    compileRule({ rule: 'self.replicas / 0 == 1', message: 'no' }, schema).evaluate({
      replicas: 1,
    }),
  ).toMatchObject({
    message: 'division by zero evaluating rule: no',
    severity: 'error',
  });
});

test('a whole number beyond 2^53 is exact as a bigint', () => {
  const rule = compileRule({ rule: 'self.replicas == 9007199254740993' }, schema);
  expect(rule.evaluate({ replicas: 9_007_199_254_740_993n })).toBeUndefined();
});

test('what only the API server knows neither passes nor refuses a value', () => {
  const message = compileRule({ rule: 'google.protobuf.Int32Value{value: 1} == 1' }, schema);
  expect(message.errors).toEqual([]);
  expect(message.notChecked[0]?.message).toContain('message of Protocol Buffers');
  expect(message.evaluate({})).toMatchObject({ severity: 'not-checked' });
  const zone = compileRule({ rule: "self.since.getHours('Local') == 1" }, schema);
  expect(zone.notChecked).toEqual([]);
  expect(zone.evaluate({ since: '2026-01-01T00:00:00Z' })).toMatchObject({
    severity: 'not-checked',
  });
  const words = "format.uri().validate(self.name).value()[0] == 'a'";
  expect(compileRule({ rule: words }, schema).evaluate({ name: 'a' })).toMatchObject({
    severity: 'not-checked',
  });
});

const evaluateRule = (rule: string) => compileRule({ rule }, { type: 'object' }).evaluate({});

test.each([
  "'%.201f'.format([0.5]) == ''",
  "'%.201e'.format([0.5]) == ''",
  'lists.range(900001).size() == 900001',
  "[1.0, double('NaN')].sort().size() == 2",
  "quantity('1e10001').isGreaterThan(quantity('1'))",
  "isQuantity('1234567890123456789e9992')",
  "url('http://%ff/').getHost() == ''",
  "url('http://a/?a=%ff').getQuery().size() == 1",
  "(format.uri().validate('a').value() + ['b']).size() == 2",
  "(['b'] + format.uri().validate('a').value()).size() == 2",
  "format.uri().validate('a').value() == []",
  "format.uri().validate('a').value() != []",
  "'%s'.format([format.uri().validate('a').value()]) == ''",
  "[dyn(format.uri().validate('a').value())].indexOf(dyn([])) == 0",
  "sets.intersects([dyn('a')], dyn(format.uri().validate('a').value()))",
])('what only the API server computes is reported as not checked: %s', (rule) => {
  expect(evaluateRule(rule)).toMatchObject({ severity: 'not-checked' });
});

test.each([
  "'%.200f'.format([0.5]).size() == 202",
  "'%.200e'.format([0.5]).size() == 200",
  'lists.range(900000).size() == 900000',
  "quantity('1e10000').isGreaterThan(quantity('1'))",
  "isQuantity('1234567890123456789e9991')",
  "isQuantity('1e-2147483647')",
])('a value within the limits is computed: %s', (rule) => {
  expect(evaluateRule(rule)).toBeUndefined();
});

test.each([
  ["['%y'].all(f, f.format([1]) == '')", 'unrecognized formatting clause "y"'],
  ["['%'].all(f, f.format([1]) == '')", 'unexpected end of string'],
  ["'%f'.format([dyn(1)]) == ''", 'fixed-point clause can only be used on doubles, was given int'],
  ["'%e'.format([dyn(1)]) == ''", 'scientific clause can only be used on doubles, was given int'],
  ['[1].slice(0, -1) == []', 'cannot slice(0, -1), negative indexes not supported'],
  ['[1, 2].slice(2, 1) == []', 'start index must be less than or equal to end index'],
  ["[dyn('a'), dyn(1)].join() == 'a1'", 'join: invalid input: 1'],
  ["'abc'.substring(4) == ''", 'index out of range: 4'],
  ["'abc'.substring(4, 2) == ''", 'invalid substring range. start: 4, end: 2'],
  ["'abc'.substring(1, 4) == ''", 'index out of range: 4'],
  ["'abc'.substring(4, 5) == ''", 'index out of range: 4'],
])(
  'the reason why a rule cannot be computed has the words of the API server: %s',
  (rule, words) => {
    expect(evaluateRule(rule)?.message).toContain(`${words} evaluating rule: `);
  },
);

test('a part that is not checked does not matter if another one decides', () => {
  const rule = compileRule({ rule: "has(self.name) || self.since.getHours('Local') == 1" }, schema);
  expect(rule.evaluate({ name: 'a', since: '2026-01-01T00:00:00Z' })).toBeUndefined();
});

test('a broken rule has no verdict on values', () => {
  expect(compileRule({ rule: 'self.nothing' }, schema).evaluate({})).toMatchObject({
    severity: 'not-checked',
  });
});

test('a rule of a schema is compiled once', () => {
  const ruled = { ...schema, 'x-kubernetes-validations': [{ rule: 'has(self.name)' }] };
  expect(compileRules(ruled)[0]).toBe(compileRules(ruled)[0]);
  expect(compileRules(schema)).toEqual([]);
});
