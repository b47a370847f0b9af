import { expect, test } from '@jest/globals';
import { compileRule, compileRules } from '../../../schema/cel/rule.ts';
import type { JSONSchemaProps, ValidationRule } from '../../../schema/jsonschema.ts';

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

test('a mistake is told with its place, and with what was meant', () => {
  expect(wrong('self.replcas > 1')).toEqual([
    {
      field: 'rule',
      message:
        'must be CEL without mistakes, got one at 1:5: it must be a field of the object, ' +
        "got 'replcas'; did you mean 'replicas'?",
    },
  ]);
  expect(wrong({ rule: 'true &&\n self.name == 1', message: 'a' })[0]!.message).toContain(
    'got one at 2:12: it must be of types that go together, got string == int',
  );
});

test('an expression that gives something else than it has to is told so', () => {
  expect(wrong('self.name')).toEqual([
    { field: 'rule', message: 'must be CEL that gives a bool, got one that gives string' },
  ]);
  expect(wrong({ rule: 'true', messageExpression: 'self.replicas' })).toEqual([
    {
      field: 'messageExpression',
      message: 'must be CEL that gives a string, got one that gives int',
    },
  ]);
});

test('a rule on a value of any type is broken', () => {
  expect(wrong('true', schema.properties!['any']!)[0]!.message).toContain('must stand at a value');
});

test('the root of a resource has a name that rules see', () => {
  const rule = { rule: "self.metadata.name == 'a' && self.kind == 'Thing'" };
  const root = compileRule(rule, schema, { root: true });
  const thing = { apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name: 'a' } };
  expect(root.errors).toEqual([]);
  expect(root.evaluate(thing)).toEqual({ ok: true });
  expect(wrong(rule)).toHaveLength(1);
});

test('a transition rule is asked only where there is a value before', () => {
  const rule = compileRule({ rule: 'self.replicas >= oldSelf.replicas' }, schema);
  expect(rule.usesOldSelf).toBe(true);
  expect(rule.evaluate({ replicas: 1 })).toEqual({ ok: true });
  expect(rule.evaluate({ replicas: 1 }, { replicas: 2 })).toEqual({
    ok: false,
    message: 'failed rule: self.replicas >= oldSelf.replicas',
  });
});

test('what cannot be computed is a refusal, with the reason', () => {
  expect(
    compileRule({ rule: 'self.replicas / 0 == 1', message: 'no' }, schema).evaluate({
      replicas: 1,
    }),
  ).toEqual({
    ok: false,
    message: 'division by zero evaluating rule: no',
  });
});

test('a whole number beyond 2^53 is exact as a bigint', () => {
  const rule = compileRule({ rule: 'self.replicas == 9007199254740993' }, schema);
  expect(rule.evaluate({ replicas: 9_007_199_254_740_993n })).toEqual({ ok: true });
});

test('what only the API server knows is neither a pass nor a refusal', () => {
  const message = compileRule({ rule: 'google.protobuf.Int32Value{value: 1} == 1' }, schema);
  expect(message.errors).toEqual([]);
  expect(message.notChecked).toContain('message of Protocol Buffers');
  expect(message.evaluate({})).toHaveProperty('notChecked');
  const zone = compileRule({ rule: "self.since.getHours('Local') == 1" }, schema);
  expect(zone.notChecked).toBeUndefined();
  expect(zone.evaluate({ since: '2026-01-01T00:00:00Z' })).toHaveProperty('notChecked');
  const words = "format.uri().validate(self.name).value()[0] == 'a'";
  expect(compileRule({ rule: words }, schema).evaluate({ name: 'a' })).toHaveProperty('notChecked');
});

test('what is not checked does not count where something else decides', () => {
  const rule = compileRule({ rule: "has(self.name) || self.since.getHours('Local') == 1" }, schema);
  expect(rule.evaluate({ name: 'a', since: '2026-01-01T00:00:00Z' })).toEqual({ ok: true });
});

test('a broken rule gives no verdict on values', () => {
  expect(compileRule({ rule: 'self.nothing' }, schema).evaluate({})).toHaveProperty('notChecked');
});

test('a rule of a schema is compiled once', () => {
  const ruled = { ...schema, 'x-kubernetes-validations': [{ rule: 'has(self.name)' }] };
  expect(compileRules(ruled)[0]).toBe(compileRules(ruled)[0]);
  expect(compileRules(schema)).toEqual([]);
});
