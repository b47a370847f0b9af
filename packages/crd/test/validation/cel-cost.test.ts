import { expect, test } from '@jest/globals';
import { formatPath } from '@tenantry/kube/problem';
import { validateDefinition } from '../../validation/validate.ts';
import { validateDefinitionUpdate } from '../../validation/update.ts';
import type { JSONSchemaProps } from '../../schema/json-schema.ts';
import { definitionOf, type Changes } from '@tenantry/test-tools/verdicts/crds/definitions/case';

const text: JSONSchemaProps = { type: 'string' };
const texts: JSONSchemaProps = { type: 'array', items: text };

const under = (schema: JSONSchemaProps, ...rules: string[]): JSONSchemaProps => ({
  ...schema,
  'x-kubernetes-validations': rules.map((rule) => ({ rule })),
});

const errorsOf = (field: JSONSchemaProps, more: Changes = {}) =>
  validateDefinition(definitionOf({ field, ...more })).errors;

/** Returns the messages about one field. */
const collectMessages = (field: JSONSchemaProps): string[] =>
  errorsOf(field).map(({ message }) => message);

const FIVE = "self.all(x, x != 'a' && x != 'b' && x != 'c' && x != 'd' && x != 'e')";
const BY = 'must cost at most 10000000 by the estimate of the API server, got';

test.each<[string, JSONSchemaProps, string]>([
  [
    'a bound that is not there',
    under(texts, FIVE),
    `${BY} 13631477, 1.4 times as much; it fits with maxItems 769230 at spec.f`,
  ],
  [
    'a bound that is too high, just',
    under({ ...texts, maxItems: 769_231 }, FIVE),
    `${BY} 10000005, 1.000001 times as much; it fits with maxItems 769230 at spec.f`,
  ],
  [
    'one bound or another',
    { type: 'array', items: under(text, 'self.contains("abcdefghijklm")') },
    `${BY} more than 100 times as much; it fits with maxItems 15 at spec.f, or with maxLength 10 at spec.f[*], or with at most 3534 for maxItems at spec.f and maxLength at spec.f[*]`,
  ],
  [
    'bounds that help only together',
    { type: 'array', items: under(texts, "self.all(x, x != '')") },
    `${BY} more than 100 times as much; it fits with at most 1580 for maxItems at spec.f and maxItems at spec.f[*]`,
  ],
  [
    'a bound beside one that is low enough',
    { type: 'array', maxItems: 50, items: under(texts, "self.all(x, x != '')") },
    `${BY} 209715100, 21.0 times as much; it fits with maxItems 49999 at spec.f[*]`,
  ],
  [
    'values of mappings, and names with dots',
    {
      type: 'object',
      properties: {
        'a.b': { type: 'object', additionalProperties: under(text, 'self.contains(self)') },
      },
    },
    `${BY} more than 100 times as much; it fits with at most 395 for maxProperties at spec.f["a.b"] and maxLength at spec.f["a.b"][*]`,
  ],
  [
    'what no bound helps',
    under(texts, "self.map(x, x + 'a').join(',').contains('a')"),
    `${BY} more than 100 times as much; simplify the rule`,
  ],
])('the message about a cost contains the remedy: %s', (_, field, message) => {
  expect(collectMessages(field)).toEqual([message]);
});

test('an extremely low bound is recommended only if nothing else helps', () => {
  const deep = 'abcdefgh'
    .split('')
    .reduceRight((body, name) => `self.all(${name}, ${body})`, 'a == h');
  const numbers = { type: 'array', items: { type: 'integer' } };
  expect(collectMessages(under(numbers, deep))[0]).toMatch(
    /; it fits with maxItems [1-9] at spec\.f$/,
  );
});

test('the recommended bound is valid, and the next higher one is not', () => {
  const list = (maxItems?: number): JSONSchemaProps => ({
    ...under({ ...texts, ...(maxItems !== undefined && { maxItems }) }, 'self.all(x, x in self)'),
  });
  const [message = ''] = collectMessages(list());
  const bound = Number(/maxItems (\d+)/.exec(message)?.[1]);
  expect(collectMessages(list(bound))).toEqual([]);
  expect(collectMessages(list(bound + 1))).toHaveLength(1);
});

test('rules that cost too much together are reported once, with the most expensive ones', () => {
  const square = 'self.all(x, self.all(y, x == y))';
  const list = { ...texts, items: { ...text, maxLength: 5 }, maxItems: 1000 };
  const [error, ...others] = errorsOf(under(list, ...Array.from({ length: 15 }, () => square)));
  expect(others).toEqual([]);
  expect(formatPath(error!.path)).toBe('spec.versions[0].schema.openAPIV3Schema');
  expect(error).toMatchObject({
    rule: 'cel-cost-together',
    message: expect.stringMatching(
      /^must cost at most 100000000 by the estimate of the API server with all CEL rules, got 105075030, 1\.050750 times as much; most of it costs properties\.spec\.properties\.f\.x-kubernetes-validations\[0\]\.rule 7005002, /,
    ),
  });
});

test('each version is counted separately', () => {
  const square = 'self.all(x, self.all(y, x == y))';
  const list = { ...texts, items: { ...text, maxLength: 5 }, maxItems: 1000 };
  const schema = (field: string) => ({
    openAPIV3Schema: {
      type: 'object',
      properties: { [field]: under(list, ...Array.from({ length: 10 }, () => square)) },
    },
  });
  const versions = ['v1', 'v2'].map((name, i) => ({
    name,
    served: true,
    storage: i === 0,
    schema: schema(`f${i}`),
  }));
  expect(validateDefinition(definitionOf({ 'spec.versions': versions })).errors).toEqual([]);
});

test('an unchanged schema may have a rule that costs too much, a changed one must not', () => {
  const dear = (maxItems: number): unknown =>
    definitionOf({
      field: under(
        { ...texts, maxItems, items: { ...text, maxLength: 5 } },
        'self.all(x, self.all(y, x == y))',
      ),
    });
  const ruled = (before: unknown, after: unknown): string[] =>
    validateDefinitionUpdate(before, after).errors.map(({ rule }) => rule);
  expect(ruled(dear(1200), dear(1200))).toEqual([]);
  expect(ruled(dear(1200), dear(1201))).toEqual(['cel-cost']);
  expect(ruled(dear(1100), dear(1200))).toEqual(['cel-cost']);
});

test('even in an unchanged schema, rules must not cost too much together', () => {
  const dear = definitionOf({ field: under(texts, 'self.all(x, self.all(y, x == y))') });
  expect(validateDefinitionUpdate(dear, dear).errors).toMatchObject([
    { rule: 'cel-cost-together' },
  ]);
});
