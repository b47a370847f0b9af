import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { findContradiction } from '../../../schema/validator.ts';
import type { JSONSchemaProps } from '../../../schema/json-schema.ts';
import { compileSchema } from '../../../schema/validator.ts';
import { runs } from '@tenantry/kube/test/yaml/runs';

const bound = fc.integer({ min: -10, max: 10 }).map((halves) => halves / 2);
const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });

const bounds = fc.record({
  minimum: bound.map((value) => value - 2),
  maximum: bound.map((value) => value + 2),
  exclusiveMinimum: fc.boolean(),
  exclusiveMaximum: fc.boolean(),
});
const numbers = Array.from({ length: 241 }, (_, i) => (i - 120) / 10);

test('the schema of a bounded integer contradicts itself exactly if no number is valid', () => {
  const seen = { some: 0, none: 0 };
  const multiples = optional(fc.constantFrom(0.5, 1, 1, 2, 2, 3, 4, 7));
  fc.assert(
    fc.property(bounds, optional(bounds), multiples, (own, others, multipleOf) => {
      const schema: JSONSchemaProps = {
        type: 'integer',
        ...own,
        ...(others && { allOf: [others] }),
        ...(multipleOf !== undefined && { multipleOf }),
      };
      const { accepts } = compileSchema(schema);
      const isPossible = numbers.some((value) => accepts(value));
      expect(findContradiction(schema) === undefined).toBe(isPossible);
      seen[isPossible ? 'some' : 'none'] += 1;
    }),
    runs(1000),
  );
  expect(Math.min(seen.some, seen.none)).toBeGreaterThan(50);
});

const small = optional(fc.integer({ min: 0, max: 4 }));
const enums = optional(fc.subarray(['', 'a', 'bbb', 1, true, null], { minLength: 1 }));
const anything = fc.record(
  {
    type: fc.constantFrom('string', 'number', 'array', 'object'),
    minLength: small,
    maxLength: small,
    minItems: small,
    maxItems: small,
    minProperties: small,
    maxProperties: small,
    minimum: optional(bound),
    maximum: optional(bound),
    enum: enums,
    required: fc.subarray(['a', 'b']),
  },
  { requiredKeys: ['type'] },
);
const texts = ['', 'a', 'bb', 'bbb', 'cccc', 'ddddd'];
const lists = Array.from({ length: 6 }, (_, length) => Array.from({ length }, () => 'x'));
const objects = ['', 'a', 'b', 'ab', 'abc', 'abcd', 'abcde'].map((keys) =>
  Object.fromEntries(Array.from(keys, (key) => [key, 'x'])),
);
const values = [...numbers, ...texts, ...lists, ...objects, true];

test('no value is valid under a schema that contradicts itself', () => {
  let contradictions = 0;
  fc.assert(
    fc.property(anything, (given) => {
      const additional = given.type === 'object' && { additionalProperties: { type: 'string' } };
      const items = given.type === 'array' && { items: { type: 'string' } };
      const schema = { ...given, ...additional, ...items } as JSONSchemaProps;
      if (findContradiction(schema) === undefined) return;
      contradictions += 1;
      const { accepts } = compileSchema(schema);
      expect(values.filter((value) => accepts(value))).toEqual([]);
    }),
    runs(1000),
  );
  expect(contradictions).toBeGreaterThan(50);
});
