import { expect, test } from '@jest/globals';
import { compareSchemas } from '../../compatibility/schemas.ts';
import type { JSONSchemaProps } from '../../schema/json-schema.ts';
import { ofField, withX } from './given.ts';

type Case = readonly [JSONSchemaProps, JSONSchemaProps, ...string[]];

/** Defines a test for one kind of change, with schemas of a field before and after, and the verdicts. */
function judged(sentence: string, ...cases: readonly Case[]): void {
  test(sentence, () => {
    for (const [before, after, ...verdicts] of cases) {
      expect([before, after, ...ofField(before, after)]).toEqual([before, after, ...verdicts]);
    }
  });
}

const string = { type: 'string' };
const integer = { type: 'integer' };
const number = { type: 'number' };
const intOrString = { 'x-kubernetes-int-or-string': true };
const anything = { 'x-kubernetes-preserve-unknown-fields': true };

judged(
  'the same schema is no change',
  [string, string],
  [
    { ...integer, minimum: 1 },
    { minimum: 1, ...integer },
  ],
);

judged(
  'another type is breaking, even if the objects stay valid',
  [string, integer, 'breaking type'],
  [number, integer, 'breaking type'],
  [integer, number, 'breaking type'],
  [string, intOrString, 'breaking type'],
  [intOrString, string, 'breaking type'],
  [anything, { ...anything, ...string }, 'breaking type'],
  [{ ...anything, ...string }, anything, 'breaking type'],
);

judged(
  'the anyOf that generators put beside int-or-string has no effect',
  [intOrString, { ...intOrString, anyOf: [{ type: 'integer' }, { type: 'string' }] }],
  [
    {
      ...intOrString,
      allOf: [{ anyOf: [{ type: 'integer' }, { type: 'string' }] }, { pattern: '^a' }],
    },
    { ...intOrString, allOf: [{ pattern: '^a' }] },
  ],
);

judged(
  'a removed value of an enumeration is breaking, a new one is compatible',
  [{ ...string, enum: ['a', 'b'] }, { ...string, enum: ['a'] }, 'breaking enum'],
  [{ ...string, enum: ['a'] }, { ...string, enum: ['a', 'b'] }, 'compatible enum'],
  [
    { ...string, enum: ['a', 'b'] },
    { ...string, enum: ['b', 'c'] },
    'breaking enum',
    'compatible enum',
  ],
  [{ ...string, enum: ['a', 'b'] }, { ...string, enum: ['b', 'a'] }, 'compatible enum'],
);

judged(
  'a new enumeration is breaking, removing one is compatible',
  [string, { ...string, enum: ['a'] }, 'breaking enum'],
  [{ ...string, enum: ['a'] }, string, 'compatible enum'],
);

judged(
  'a new, removed or changed default is breaking, because it is the meaning of an absent field',
  [string, { ...string, default: 'a' }, 'breaking default'],
  [{ ...string, default: 'a' }, string, 'breaking default'],
  [{ ...string, default: 'a' }, { ...string, default: 'b' }, 'breaking default'],
);

judged(
  'a tighter bound is breaking, a looser one is compatible',
  [{ ...integer, maximum: 5 }, { ...integer, maximum: 4 }, 'breaking maximum'],
  [{ ...integer, maximum: 5 }, { ...integer, maximum: 6 }, 'compatible maximum'],
  [integer, { ...integer, maximum: 5 }, 'breaking maximum'],
  [{ ...integer, maximum: 5 }, integer, 'compatible maximum'],
  [{ ...integer, minimum: 1 }, { ...integer, minimum: 2 }, 'breaking minimum'],
  [{ ...integer, minimum: 1 }, { ...integer, minimum: 0 }, 'compatible minimum'],
);

judged(
  'an exclusive bound excludes itself, and above 0 means at least 1 for whole numbers',
  [
    { ...number, minimum: 0 },
    { ...number, minimum: 0, exclusiveMinimum: true },
    'breaking minimum',
  ],
  [
    { ...number, maximum: 0, exclusiveMaximum: true },
    { ...number, maximum: 0 },
    'compatible maximum',
  ],
  [
    { ...integer, minimum: 0, exclusiveMinimum: true },
    { ...integer, minimum: 1 },
    'compatible minimum',
  ],
  [
    { ...integer, minimum: 1 },
    { ...integer, minimum: 0, exclusiveMinimum: true },
    'compatible minimum',
  ],
);

judged(
  'a bound outside the type is breaking, because the API server then refuses every number',
  [{ ...integer, minimum: 1 }, { ...integer, minimum: 0.5 }, 'breaking minimum'],
  [{ ...integer, maximum: 5 }, { ...integer, maximum: 1e30 }, 'breaking maximum'],
  [{ ...number, maximum: 5 }, { ...number, maximum: 1e30 }, 'compatible maximum'],
  [{ ...integer, multipleOf: 2 }, { ...integer, multipleOf: 0.5 }, 'breaking multiple-of'],
);

judged(
  'whole numbers of int-or-string are compared with the integer part of a bound',
  [
    { ...intOrString, minimum: -0.5 },
    { ...intOrString, minimum: -0.7, exclusiveMinimum: true },
    'breaking minimum',
  ],
  [{ ...intOrString, maximum: 5 }, { ...intOrString, maximum: 1e30 }, 'unknown maximum'],
);

judged(
  'a numeric bound does not restrict strings',
  [string, { ...string, minimum: 5 }, 'compatible minimum'],
  [intOrString, { ...intOrString, minimum: 5 }, 'breaking minimum'],
);

judged(
  'a multipleOf that divides the old one is compatible, any other is breaking',
  [{ ...integer, multipleOf: 4 }, { ...integer, multipleOf: 2 }, 'compatible multiple-of'],
  [{ ...integer, multipleOf: 2 }, { ...integer, multipleOf: 4 }, 'breaking multiple-of'],
  [integer, { ...integer, multipleOf: 4 }, 'breaking multiple-of'],
  [{ ...integer, multipleOf: 4 }, integer, 'compatible multiple-of'],
  [{ ...number, multipleOf: 0.2 }, { ...number, multipleOf: 0.1 }, 'unknown multiple-of'],
);

judged(
  'a tighter length is breaking, a looser one is compatible',
  [{ ...string, maxLength: 5 }, { ...string, maxLength: 4 }, 'breaking max-length'],
  [{ ...string, maxLength: 5 }, { ...string, maxLength: 6 }, 'compatible max-length'],
  [{ ...string, maxLength: 5 }, string, 'compatible max-length'],
  [string, { ...string, maxLength: 5 }, 'breaking max-length'],
  [string, { ...string, minLength: 1 }, 'breaking min-length'],
  [{ ...string, minLength: 1 }, string, 'compatible min-length'],
  [string, { ...string, minLength: 0 }, 'compatible min-length'],
  [integer, { ...integer, maxLength: 4 }, 'compatible max-length'],
);

judged(
  'a new pattern is breaking, removing one is compatible',
  [string, { ...string, pattern: '^a' }, 'breaking pattern'],
  [{ ...string, pattern: '^a' }, string, 'compatible pattern'],
);

judged(
  'a changed pattern is unknown, unless a value in the schema itself shows the effect',
  [{ ...string, pattern: '^a' }, { ...string, pattern: '^[ab]' }, 'unknown pattern'],
  [
    { ...string, pattern: '^a', default: 'ab' },
    { ...string, pattern: '^a$', default: 'ab' },
    'breaking pattern',
  ],
  [
    { ...string, pattern: '^a', example: 'ab' },
    { ...string, pattern: '^a$', example: 'ab' },
    'breaking pattern',
  ],
  [
    { ...string, enum: ['a', 'ab'] },
    { ...string, enum: ['a', 'ab'], pattern: '^a' },
    'compatible pattern',
  ],
  [
    { ...string, enum: ['a', 'b'] },
    { ...string, enum: ['a', 'b'], pattern: '^a' },
    'breaking pattern',
  ],
  [string, { ...string, pattern: '(' }, 'unknown pattern'],
);

judged(
  'a format that the API server enforces is breaking, one that it ignores is compatible',
  [string, { ...string, format: 'date-time' }, 'breaking format'],
  [{ ...string, format: 'date-time' }, string, 'compatible format'],
  [{ ...string, format: 'date' }, { ...string, format: 'date-time' }, 'breaking format'],
  [{ ...string, format: 'uuid4' }, { ...string, format: 'uuid' }, 'compatible format'],
  [{ ...string, format: 'uuid' }, { ...string, format: 'uuid4' }, 'breaking format'],
  [string, { ...string, format: 'quantity' }, 'compatible format'],
  [string, { ...string, format: 'password' }, 'compatible format'],
  [{ ...integer, format: 'int64' }, { ...integer, format: 'int32' }, 'breaking format'],
  [{ ...integer, format: 'int32' }, { ...integer, format: 'int64' }, 'compatible format'],
  [number, { ...number, format: 'float' }, 'breaking format'],
);

judged('a format that gives the value another type in CEL is unknown where a rule may look', [
  { ...string, format: 'date', 'x-kubernetes-validations': [{ rule: 'self > now' }] },
  { ...string, 'x-kubernetes-validations': [{ rule: 'self > now' }] },
  'unknown format',
]);

judged(
  'refusing null is breaking, accepting it is compatible unless something validates it',
  [{ ...string, nullable: true }, string, 'breaking nullable'],
  [string, { ...string, nullable: true }, 'compatible nullable'],
  [string, { ...string, nullable: false }, 'compatible nullable'],
  [{ ...string, default: 'a' }, { ...string, default: 'a', nullable: true }, 'breaking nullable'],
  [{ ...string, enum: ['a'] }, { ...string, enum: ['a'], nullable: true }, 'breaking nullable'],
  [
    { ...string, not: { enum: ['a'] } },
    { ...string, not: { enum: ['a'] }, nullable: true },
    'unknown nullable',
  ],
);

judged(
  'changed descriptions are compatible',
  [
    string,
    { ...string, description: 'A name.', title: 'Name', example: 'a' },
    'compatible documentation',
  ],
  [{ ...string, externalDocs: { url: 'https://a' } }, string, 'compatible documentation'],
);

judged(
  'a change that no comparison covers is unknown',
  [string, { ...string, uniqueItems: true }, 'unknown unhandled'],
  [string, { ...string, 'x-kubernetes-new': true } as JSONSchemaProps, 'unknown unhandled'],
);

test('a change has its path, the old and the new value, and the reason', () => {
  const [change] = compareSchemas(
    withX({ ...integer, maximum: 5 }),
    withX({ ...integer, maximum: 4 }),
    'v1',
  );
  expect(change).toEqual({
    version: 'v1',
    path: '.spec.x',
    verdict: 'breaking',
    rule: 'maximum',
    message: 'must be at most 4 now, at most 5 before',
    before: 'at most 5',
    after: 'at most 4',
  });
});
