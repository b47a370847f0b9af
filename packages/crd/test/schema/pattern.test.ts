import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { RE2JS } from 're2js';
import { toNative } from '../../schema/pattern/subset.ts';
import { compilePattern } from '../../schema/pattern.ts';
import { runs } from '@tenantry/kube/test/yaml/runs';
import { measureCpuTime } from '@tenantry/test-tools/cpu-time';

test.each([
  '(?=a)',
  '(?!a)',
  '(?<=a)',
  '\\1',
  'a**',
  'a{1001}',
  '(a{1000}){2}',
  '[z-a]',
  '[a',
  '(',
  ')',
  '\\Z',
  '\\C',
  '\\pX',
  '\\p{Nothing}',
  '(?P<a-b>x)',
  '[[:foo:]]',
  '*',
  '\\',
  '\\8',
  '(?P=a)',
  '\\u0041',
])('%s is not a pattern for the API server', (pattern) => {
  const { error } = compilePattern(pattern);
  expect(error).toMatch(/./);
  expect(error).not.toMatch(/error parsing regexp/);
  expect(compilePattern(pattern).test('a')).toBe(false);
});

test.each([
  ['^a$', ['a'], ['a\n', '\na', 'ab', '']],
  ['a.c', ['abc', 'a\rc', 'a\u2028c', 'a😀c'], ['a\nc', 'ac']],
  ['^.{1}$', ['😀', 'a'], ['ab', '']],
  ['\\s', [' ', '\t', '\f'], ['\v', '\u00a0', '\u2028']],
  ['^\\S$', ['\v', '\u00a0', 'a'], [' ', '\n']],
  ['^\\w$', ['a', '_'], ['é', '-', 'ſ']],
  ['(?i)^sk$', ['SK', 'ſ\u212a'], ['s']],
  ['(?s)^.$', ['\n'], ['']],
  ['(?m)^b$', ['a\nb'], ['ab']],
  ['\\Aa\\z', ['a'], ['a\n']],
  ['\\Q.*\\E', ['.*'], ['ab']],
  ['^[[:alpha:]]+$', ['aB'], ['é']],
  ['^\\pL$', ['é', 'a'], ['1']],
  ['^\\p{Letter}$', ['é'], ['1']],
  ['^\\p{^Lu}$', ['a'], ['A']],
  ['(?P<n>a)(?P<n>b)', ['ab'], ['a']],
  ['^[^a]$', ['\ud800', '\n', 'é'], ['a']],
  ['^\ufffd$', ['\ufffd', '\ud800'], ['a']],
  ['a{,2}', ['a{,2}'], ['aa']],
  ['^[a\\-z]$', ['a', '-', 'z'], ['b']],
  ['^[]a]$', [']', 'a'], ['[']],
  ['', ['', 'a'], []],
])('%s matches as in Go', (pattern, matching, others) => {
  const compiled = compilePattern(pattern);
  expect(compiled.error).toBeUndefined();
  expect(matching.filter((value) => !compiled.test(value))).toEqual([]);
  expect(others.filter((value) => compiled.test(value))).toEqual([]);
});

const atoms = [
  'a',
  'b',
  'k',
  'S',
  '-',
  '.',
  '\\.',
  '\\-',
  '[a-z]',
  '[^a]',
  '[-a]',
  '[a-]',
  '\\d',
  '\\w',
  '\\s',
  '\\S',
  '[\\d-]',
  '\\b',
  '^',
  '$',
  '\\z',
  '0',
  '_',
  '\\/',
  '[\\]]',
  '[]a]',
  '\\t',
  'é',
  '\\pL',
  '{',
  ']',
  '(?i:k)',
];
const counts = [
  '',
  '',
  '',
  '*',
  '+',
  '?',
  '{2}',
  '{1,2}',
  '{0,2}',
  '{2,}',
  '*?',
  '+?',
  '{0}',
  '{,2}',
];
const { pattern: patterns } = fc.letrec<{ pattern: string; piece: string }>((tie) => ({
  pattern: fc
    .tuple(
      fc.constantFrom('', '', '^', '(?i)^', '(?s)'),
      fc.array(tie('piece'), { minLength: 1, maxLength: 3 }),
      fc.constantFrom('', '$'),
    )
    .map(([start, pieces, end]) => start + pieces.join('') + end),
  piece: fc
    .tuple(
      fc.oneof(
        { depthSize: 'small' },
        fc.constantFrom(...atoms),
        tie('pattern').map((inner) => `(${inner})`),
        fc.tuple(tie('pattern'), tie('pattern')).map(([a, b]) => `(?:${a}|${b})`),
      ),
      fc.constantFrom(...counts),
    )
    .map(([atom, count]) => atom + count),
}));
const texts = fc
  .array(
    fc.constantFrom(
      'a',
      'b',
      'k',
      'K',
      's',
      'S',
      '-',
      '.',
      '0',
      '_',
      '\n',
      ' ',
      '\t',
      'é',
      '😀',
      'ſ',
      '\u212a',
      ']',
      '{',
    ),
    { maxLength: 8 },
  )
  .map((chars) => chars.join(''));

test('where JavaScript matches in the place of RE2, both say the same', () => {
  let native = 0;
  fc.assert(
    fc.property(patterns, fc.array(texts, { minLength: 5, maxLength: 10 }), (pattern, values) => {
      const source = toNative(pattern);
      if (source === undefined) return;
      native += 1;
      const [ours, theirs] = [new RegExp(source, 'u'), RE2JS.compile(pattern)];
      for (const value of values)
        expect([value, ours.test(value)]).toEqual([value, theirs.test(value)]);
    }),
    runs(4000),
  );
  expect(native).toBeGreaterThan(150);
});

test('no text makes a pattern take long', () => {
  const slow = [
    '(a*)*$',
    '(a+)+$',
    '(a|a)*$',
    '(a|aa)+$',
    '(.*a){20}$',
    '^(a?){30}a{30}$',
    'a*a*a*a*b',
  ];
  expect(slow.filter((pattern) => toNative(pattern) !== undefined)).toEqual([]);
  let slowest = 0;
  fc.assert(
    fc.property(
      fc.oneof(fc.constantFrom(...slow), patterns),
      fc.constantFrom('a', 'ab', 'a-', '0', 'ka.'),
      (pattern, word) => {
        const compiled = compilePattern(pattern);
        const text = `${word.repeat(2047 / word.length)}\n`;
        slowest = Math.max(
          slowest,
          measureCpuTime(() => compiled.test(text)),
        );
      },
    ),
    runs(600),
  );
  expect(slowest).toBeLessThan(2000);
});

test('the patterns that most names have are left to JavaScript', () => {
  const usual = [
    '^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$',
    '^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$',
    '^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$',
    '^https?://.+$',
    '^([A-Za-z0-9+/]{4})*$',
  ];
  expect(usual.filter((pattern) => toNative(pattern) === undefined)).toEqual([]);
});
