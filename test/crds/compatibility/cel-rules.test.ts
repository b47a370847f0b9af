import { expect, test } from '@jest/globals';
import type { JSONSchemaProps, ValidationRule } from '../../../schema/json-schema.ts';
import { compareSchemas } from '../../../crds/compatibility/schemas.ts';
import { withX } from './given.ts';

type Rules = readonly (string | ValidationRule)[];

const written = (rules: Rules): ValidationRule[] =>
  rules.map((rule) => (typeof rule === 'string' ? { rule } : rule));

const compared = (schema: JSONSchemaProps, before: Rules, after: Rules) =>
  compareSchemas(
    withX({ ...schema, 'x-kubernetes-validations': written(before) }),
    withX({ ...schema, 'x-kubernetes-validations': written(after) }),
  );

const verdicts = (schema: JSONSchemaProps, before: Rules, after: Rules): string[] =>
  compared(schema, before, after).map(({ verdict }) => verdict);

const number: JSONSchemaProps = { type: 'integer' };
const word: JSONSchemaProps = { type: 'string' };
const object: JSONSchemaProps = {
  type: 'object',
  properties: {
    a: number,
    b: number,
    word,
    list: { type: 'array', items: number, maxItems: 10 },
  },
};

test.each<[string, JSONSchemaProps, string, string]>([
  ['spaces', number, 'self > 5', 'self>5'],
  ['a mirrored comparison', number, 'self > 5', '5 < self'],
  ['parentheses', number, 'self > 5 && self < 9', '((self > 5) && (self < 9))'],
  ['the order of conditions', number, 'self > 5 && self < 9', 'self < 9 && self > 5'],
  ['a repeated condition', number, 'self > 5', 'self > 5 && self > 5'],
  ['quotes', word, `self != 'a'`, 'self != "a"'],
  ['the order of an equation', word, `self == 'a'`, `'a' == self`],
  ['the form of a call', word, 'size(self) < 3', 'self.size() < 3'],
  ['a variable', object, 'self.list.all(x, x > 1)', 'self.list.all(item, item > 1)'],
  ['an escape', word, String.raw`self != 'a\n'`, String.raw`self != 'a\x0a'`],
])('%s of a rule means the same', (_what, schema, before, after) => {
  expect(compared(schema, [before], [after])).toMatchObject([
    { verdict: 'compatible', rule: 'cel-rule', message: expect.stringContaining('means the same') },
  ]);
  expect(
    verdicts(schema, [{ rule: before, message: 'no' }], [{ rule: after, message: 'no' }]),
  ).toEqual(['compatible']);
});

test.each<[string, JSONSchemaProps, string, string]>([
  ['a lower bound', number, 'self > 5', 'self > 3'],
  ['a bound that includes its end', number, 'self > 5', 'self >= 5'],
  ['a higher bound', number, 'self <= 5', 'self < 6'],
  ['one more member', word, `self in ['a']`, `self in ['b', 'a']`],
  ['a member for a value', word, `self == 'a'`, `self in ['a', 'b']`],
  ['a bound for a value', number, 'self == 4', 'self >= 4'],
  ['another value for a bound', number, 'self > 5', 'self != 5'],
  ['one condition less', object, 'self.a > 1 && self.b > 1', 'self.b > 1'],
  ['an alternative', object, 'self.a > 1', 'self.b > 1 || self.a > 1'],
  ['a looser item', object, 'self.list.all(x, x > 3)', 'self.list.all(y, y > 2)'],
  ['a looser example', object, 'self.list.exists(x, x > 3)', 'self.list.exists(y, y > 2)'],
  ['a looser branch', object, 'has(self.a) ? self.a > 3 : true', 'has(self.a) ? self.a > 2 : true'],
  ['a longer text', object, 'size(self.word) < 3', 'self.word.size() < 9'],
])('%s refuses nothing that was accepted', (_what, schema, before, after) => {
  const changes = compared(schema, [before], [after]);
  expect(changes).toMatchObject([{ verdict: 'compatible', widens: true }]);
  expect(changes[0]!.message).toContain('which refuses nothing that was accepted');
  expect(verdicts(schema, [after], [before])).not.toContain('compatible');
});

test.each<[string, JSONSchemaProps, string, string, string]>([
  ['a higher bound', number, 'self > 3', 'self > 5', '4'],
  ['a member less', word, `self in ['a', 'b']`, `self == 'a'`, '"b"'],
  ['a bound of a field', object, 'self.a < 9', 'self.a < 3', '8'],
])('%s breaks, with a value that shows it', (_what, schema, before, after, value) => {
  const [change] = compared(schema, [before], [after]);
  expect(change).toMatchObject({ verdict: 'breaking' });
  expect(change!.message).toContain(`it refuses ${value}, which was accepted`);
});

test.each<[string, JSONSchemaProps, string, string]>([
  [
    'a bound that other bounds of the schema make empty',
    { ...number, minimum: 6 },
    'self > 3',
    'self > 5',
  ],
  ['a bound where another rule looks at the same', word, 'self.size() > 3', `self.startsWith('a')`],
  ['an integer that may be a fraction', { type: 'number' }, 'self > 5.0', 'self >= 5.5'],
  ['a negation', object, '!(self.a > 3)', '!(self.a > 5)'],
  ['what cannot be read', number, 'self >', 'self > 1'],
])('of %s nobody can tell', (_what, schema, before, after) => {
  expect(verdicts(schema, [before], [after])).toEqual(['unknown']);
});

test('a rule split in two is compatible, and two in one', () => {
  const both = 'self > 1 && self < 9';
  const single = ['self > 1', 'self < 9'];
  for (const [before, after] of [
    [[both], single],
    [single, [both]],
  ] as const) {
    expect(new Set(verdicts(number, before, after))).toEqual(new Set(['compatible']));
  }
});

test('a further condition on another field breaks, in its rule and in one of its own', () => {
  expect(verdicts(object, ['self.a > 1'], ['self.a > 1 && self.b > 1'])).toEqual(['breaking']);
  expect(verdicts(object, ['self.a > 1'], ['self.a > 1', 'self.b > 1'])).toEqual(['breaking']);
  expect(verdicts(object, ['self.a > 1'], ['self.b > 1'])).toEqual(['breaking', 'compatible']);
});

test('a transition rule shows nothing of a rule that is evaluated without one', () => {
  const transition = 'self >= oldSelf && self > 5';
  expect(verdicts(number, [transition], ['self > 5'])).toEqual(['unknown']);
  expect(verdicts(number, ['self > 5'], [{ rule: 'self > 5 || oldSelf > 5' }])).toEqual([
    'compatible',
  ]);
  const optional = { rule: 'oldSelf.hasValue() && self > 5', optionalOldSelf: true };
  expect(verdicts(number, ['oldSelf > 0 && self > 5'], [optional])).toEqual(['unknown']);
});
