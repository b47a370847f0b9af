import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { formatFinding } from '@tenantry/kube/finding';
import {
  fillPlaceholders,
  fillTextPlaceholders,
  findPlaceholders,
  type PlaceholderValue,
  type PlaceholderValues,
} from '../../model/placeholders.ts';
import { runs } from '@tenantry/kube/test/yaml/runs';

const meanings: PlaceholderValues = new Map<string, PlaceholderValue>([
  ['a', { value: 'x' }],
  ['list', { value: ['{a}', { '{a}': '{b}' }] }],
  ['none', { leftOut: true }],
  ['environment', { missing: 'the namespace has no environment' }],
]);

/** Texts with many braces, names and the characters around them. */
const texts = fc
  .array(fc.oneof(fc.constantFrom('{', '}', '\\', '$', 'a', 'b', '{a}', '{b}'), fc.string()), {
    maxLength: 12,
  })
  .map((parts) => parts.join(''));
const values = fc.letrec((tie) => ({
  value: fc.oneof(
    { weight: 3, arbitrary: texts },
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(texts, tie('value'), { maxKeys: 4 }),
  ),
})).value;

/** Escapes a text so that it stays as it is, by a scan of the characters. */
function escape(text: string): string {
  let written = '';
  for (let i = 0; i < text.length; i += 1) {
    const rest = text.slice(i);
    const other = /^(?:\$\{[a-z][A-Za-z0-9]*\}|\{\{[a-z][A-Za-z0-9]*\}\})/.exec(rest)?.[0];
    const own = /^\{[a-z][A-Za-z0-9]*\}/.exec(rest)?.[0];
    if (own) written += `\\${own}`;
    else written += other ?? text[i]!;
    i += (other ?? own ?? 'x').length - 1;
  }
  return written;
}

function escaped(value: unknown): unknown {
  if (typeof value === 'string') return escape(value);
  if (Array.isArray(value)) return value.map(escaped);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [escape(key), escaped(one)]));
}

test('a value without placeholders is unchanged', () => {
  fc.assert(
    fc.property(
      values.filter((value) => !/\{[a-z]/.test(JSON.stringify(value))),
      (value) => {
        expect(fillPlaceholders(value, meanings)).toEqual({ value, findings: [] });
        expect(findPlaceholders(value)).toEqual([]);
      },
    ),
    runs(500),
  );
});

test('an escaped value comes out unchanged, whatever it is', () => {
  fc.assert(
    fc.property(values, (value) => {
      expect(fillPlaceholders(escaped(value), meanings)).toEqual({ value, findings: [] });
      expect(findPlaceholders(escaped(value))).toEqual([]);
    }),
    runs(1000),
  );
});

test('the value of a placeholder is never expanded again: alone, within a text or in a key', () => {
  fc.assert(
    fc.property(values, texts, (value, text) => {
      const given: PlaceholderValues = new Map([
        ['a', { value }],
        ['text', { value: text }],
      ]);
      const template = { whole: ['{a}'], within: '<{text}|{text}>', 'key-{text}': 1 };
      expect(fillPlaceholders(template, given)).toEqual({
        value: { whole: [value], within: `<${text}|${text}>`, [`key-${text}`]: 1 },
        findings: [],
      });
    }),
    runs(1000),
  );
});

test('fillTextPlaceholders equals fillPlaceholders where the values are strings', () => {
  const strings: PlaceholderValues = new Map([
    ['a', { value: 'x' }],
    ['b', { value: '{a}' }],
  ]);
  fc.assert(
    fc.property(texts, (text) => {
      expect(fillTextPlaceholders(text, strings)).toEqual(fillPlaceholders(text, strings));
    }),
    runs(500),
  );
});

test('a placeholder that is the whole text gives a value of any type', () => {
  for (const value of [1, true, null, '', [], {}, { __proto__: null, a: ['{a}'] }]) {
    expect(fillPlaceholders({ of: '{v}' }, new Map([['v', { value }]]))).toEqual({
      value: { of: value },
      findings: [],
    });
  }
});

test('templates of other languages are unchanged', () => {
  const text =
    '{{a}} ${a} {{ a }} {{{a}}} $${a} ${{a}} {a {2} {2,3} {A} {} {"a":1} %{WORD:a} {a-b} {a.b}';
  expect(fillPlaceholders(text, meanings)).toEqual({ value: text, findings: [] });
});

test('a placeholder may be adjacent to a brace that is not its own', () => {
  expect(fillPlaceholders('{"x":{a}}', meanings).value).toBe('{"x":x}');
  expect(fillPlaceholders('{{a},1}', meanings).value).toBe('{x,1}');
  expect(fillPlaceholders('{a}{a}$', meanings).value).toBe('xx$');
});

test('a backslash before a placeholder is removed, and a second one before it stays', () => {
  expect(fillPlaceholders(['\\{a}', '\\\\{a}', '\\a', '\\{unknown}'], meanings)).toEqual({
    value: ['{a}', '\\{a}', '\\a', '{unknown}'],
    findings: [],
  });
});

test('numbers and booleans are put into texts as JSON writes them', () => {
  const given = new Map([
    ['n', { value: 1.5 }],
    ['b', { value: false }],
  ]);
  expect(fillPlaceholders({ '{n}-{b}': 'n={n}' }, given).value).toEqual({ '1.5-false': 'n=1.5' });
});

test('a placeholder without a value removes its key or its item', () => {
  const template = { a: '{none}', '{none}': 1, list: ['{none}', 'b', ['{none}']], b: 'b' };
  expect(fillPlaceholders(template, meanings)).toEqual({
    value: { list: ['b', []], b: 'b' },
    findings: [],
  });
  expect(fillPlaceholders('{none}', meanings)).toEqual({ value: undefined, findings: [] });
});

test('keys like __proto__ are handled like any other key', () => {
  const given = new Map([['k', { value: '__proto__' }]]);
  const { value } = fillPlaceholders({ '{k}': { polluted: true }, constructor: '{k}' }, given);
  expect(Object.entries(value as object)).toEqual([
    ['__proto__', { polluted: true }],
    ['constructor', '__proto__'],
  ]);
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
});

const collectFindings = (value: unknown) =>
  fillPlaceholders(value, meanings, ['spec']).findings.map(formatFinding);

test('an unknown name is reported with its path and the known names', () => {
  expect(collectFindings({ x: ['{hots}'] })).toEqual([
    'spec.x[0] must be one of {a}, {list}, {none}, {environment}, or written as \\{hots} to stay as it is, got {hots}',
  ]);
  expect(collectFindings({ 'is-{hots}': 1 })[0]).toContain('spec["is-{hots}"] must be one of {a}');
  expect(fillPlaceholders('{x}', new Map()).findings.map(formatFinding)).toEqual([
    'must be written as \\{x} to stay as it is, got {x}',
  ]);
});

test('a name without a value in this place is reported as such, alone and within a text', () => {
  const message = 'must hold no {environment} here: the namespace has no environment';
  expect(collectFindings('{environment}')).toEqual([`spec ${message}`]);
  expect(collectFindings('in-{environment}')).toEqual([`spec ${message}`]);
});

test('within a text and in a key, only scalars with a value are accepted', () => {
  expect(collectFindings('x-{list}')).toEqual([
    'spec must hold a string, a number or a boolean where it holds {list}, got a list',
  ]);
  expect(collectFindings({ '{list}': 1 })).toHaveLength(1);
  expect(collectFindings('x-{none}')).toEqual([
    'spec must hold no {none} beside other text: it may have no value, and has none',
  ]);
});

test('two keys that become equal are reported at the later one', () => {
  const { findings } = fillPlaceholders({ x: 1, '{a}': 2 }, meanings, ['spec']);
  expect(findings).toEqual([
    {
      path: ['spec', '{a}'],
      atKey: true,
      rule: 'placeholder',
      severity: 'error',
      message: "must be a key of its own, got 'x', which another key of the mapping becomes too",
    },
  ]);
  expect(collectFindings({ x: 1, '{a}': '{none}' })).toEqual([]);
});

test('placeholders are found where they are used, and not where they are escaped', () => {
  expect(findPlaceholders({ '{a}': ['{b}', 'x{a}{c}', '\\{d}', '{{e}}'] }, ['spec'])).toEqual([
    { name: 'a', path: ['spec', '{a}'], atKey: true, whole: true },
    { name: 'b', path: ['spec', '{a}', 0], atKey: false, whole: true },
    { name: 'a', path: ['spec', '{a}', 1], atKey: false, whole: false },
    { name: 'c', path: ['spec', '{a}', 1], atKey: false, whole: false },
  ]);
});
