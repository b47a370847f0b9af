import { expect, test } from '@jest/globals';
import type { JSONSchemaProps, ValidationRule } from '../../schema/json-schema.ts';
import { compareSchemas } from '../../compatibility/schemas.ts';
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

const bounded: JSONSchemaProps = {
  type: 'object',
  properties: { n: { ...number, minimum: 0, maximum: 100 } },
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
])('a rule that differs only in %s means the same', (_what, schema, before, after) => {
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
])('%s is breaking, with a value that proves it', (_what, schema, before, after, value) => {
  const [change] = compared(schema, [before], [after]);
  expect(change).toMatchObject({ verdict: 'breaking' });
  expect(change!.message).toContain(`it refuses ${value}, which was accepted`);
});

test.each<[string, JSONSchemaProps, string, string]>([
  ['a bound where another rule looks at the same', word, 'self.size() > 3', `self.startsWith('a')`],
  ['an integer that may be a fraction', { type: 'number' }, 'self > 5.0', 'self >= 5.5'],
  ['a negation', object, '!(self.a > 3)', '!(self.a > 5)'],
  ['what cannot be read', number, 'self >', 'self > 1'],
])('the verdict on %s is unknown', (_what, schema, before, after) => {
  expect(verdicts(schema, [before], [after])).toEqual(['unknown']);
});

test.each<[string, JSONSchemaProps, Rules, Rules]>([
  ['a minimum', { ...number, minimum: 6 }, ['self > 3'], ['self > 5']],
  ['a maximum of a field', bounded, ['self.n > 5'], ['self.n > 5 && self.n <= 100']],
  ['an enum', { ...word, enum: ['a', 'b'] }, [], [`self in ['b', 'a']`]],
  ['a length', { ...word, maxLength: 20 }, ['size(self) < 100'], ['size(self) < 50']],
  ['a field that is required', { ...object, required: ['a'] }, [], ['has(self.a)']],
  ['a bound of a field that is required', { ...bounded, required: ['n'] }, [], ['self.n >= 0']],
  ['a bound of a field that may be absent', bounded, [], ['!has(self.n) || self.n >= 0']],
  ['a default', { ...object, properties: { a: { ...number, default: 1 } } }, [], ['has(self.a)']],
  ['a bound of an item count', object, [], ['!has(self.list) || size(self.list) <= 10']],
  ['a minimum of a fraction', { type: 'number', minimum: 0 }, [], ['self > -0.5']],
])('%s of the schema refuses what a rule refuses', (_what, schema, before, after) => {
  expect(new Set(verdicts(schema, before, after))).toEqual(new Set(['compatible']));
});

test('a rule that reads a field proves that the field exists', () => {
  expect(verdicts(object, ['self.a > 1'], ['has(self.a) && self.a > 1'])).toEqual(['compatible']);
  expect(verdicts(object, ['self.a > 1 || self.b > 1'], ['has(self.a)'])).not.toContain(
    'compatible',
  );
});

test.each<[string, JSONSchemaProps, Rules, string, string]>([
  ['a new bound', bounded, [], 'self.n >= 10', '9, which was accepted'],
  ['a new list of members', word, [], `self in ['a']`, '"ax", which was accepted'],
  ['a member of an enum', { ...word, enum: ['a', 'b'] }, [], `self == 'a'`, '"b", which'],
  ['a new length', { ...word, maxLength: 20 }, [], 'size(self) < 5', 'a size of 5, which'],
  ['a new bound without a guard', bounded, [], 'self.n >= 0', 'a value without self.n, which'],
  [
    'a guard that is gone',
    object,
    ['!has(self.a) || self.a > 5'],
    'self.a > 5',
    'a value without self.a',
  ],
])(
  '%s is breaking, and the message names a refused value',
  (_what, schema, before, after, shown) => {
    const [change] = compared(schema, before, [after]);
    expect(change).toMatchObject({ verdict: 'breaking' });
    expect(change!.message).toContain(`it refuses ${shown}`);
  },
);

test.each<[string, JSONSchemaProps, string]>([
  ['a pattern', { ...word, pattern: '^[a-z]{2}$' }, `self != 'UPPER'`],
  ['a pattern that decides the length', { ...word, pattern: '^[a-z]*$' }, 'size(self) < 5'],
])('the message contains no value that %s refuses', (_what, schema, rule) => {
  for (const { message, verdict } of compared(schema, [], [rule])) {
    expect(message).not.toContain('was accepted');
    expect(verdict).not.toBe('compatible');
  }
});

test('splitting a rule in two is compatible, and so is joining two rules', () => {
  const both = 'self > 1 && self < 9';
  const single = ['self > 1', 'self < 9'];
  for (const [before, after] of [
    [[both], single],
    [single, [both]],
  ] as const) {
    expect(new Set(verdicts(number, before, after))).toEqual(new Set(['compatible']));
  }
});

test('a further condition on another field is breaking, in the same rule and in a new one', () => {
  expect(verdicts(object, ['self.a > 1'], ['self.a > 1 && self.b > 1'])).toEqual(['breaking']);
  expect(verdicts(object, ['self.a > 1'], ['self.a > 1', 'self.b > 1'])).toEqual(['breaking']);
  expect(verdicts(object, ['self.a > 1'], ['self.b > 1'])).toEqual(['breaking', 'compatible']);
});

test('a transition rule proves nothing about a rule that is always evaluated', () => {
  const transition = 'self >= oldSelf && self > 5';
  expect(verdicts(number, [transition], ['self > 5'])).toEqual(['unknown']);
  expect(verdicts(number, ['self > 5'], [{ rule: 'self > 5 || oldSelf > 5' }])).toEqual([
    'compatible',
  ]);
  const optional = { rule: 'oldSelf.hasValue() && self > 5', optionalOldSelf: true };
  expect(verdicts(number, ['oldSelf > 0 && self > 5'], [optional])).toEqual(['unknown']);
});
