import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readDocuments } from '../../yaml/read.ts';
import { runs } from './runs.ts';

const problems = (text: string): string[] =>
  readDocuments(text).problems.map(({ line, column, message }) => `${line}:${column} ${message}`);

const unclosed = (mark: string, before: string): string =>
  `must be YAML: the ${mark} that opens here is not closed before ${before}`;

test.each([
  ['a: [b, c\nd: 1\n', `1:4 ${unclosed("'['", 'line 2')}`],
  ['a: [b, c\n', `1:4 ${unclosed("'['", 'the end of the document')}`],
  ['a:\n  - { b: 1\n  - { b: 2 }\n', `2:5 ${unclosed("'{'", 'line 3')}`],
  ['a: [{ b: 1 }\nc: 2\n', `1:4 ${unclosed("'['", 'line 2')}`],
  ['a: {b: [c, d}\n', "1:13 must be YAML: ']' closes the '[' at 1:8, got '}'"],
  ['a: [b}\n', "1:6 must be YAML: ']' closes the '[' at 1:4, got '}'"],
  // Brackets of comments, block scalars and other texts open nothing.
  ['# [\nx: |\n  [{\ny: it is [\nz: "["\na: [b\nc: 1\n', `6:4 ${unclosed("'['", 'line 7')}`],
  ['- x: >-\n    {\n  a: [b\n  c: 1\n', `3:6 ${unclosed("'['", 'line 4')}`],
])('a bracket that is not closed is reported where it opens: %j', (text, problem) => {
  expect(problems(text)).toEqual([problem]);
});

test.each([
  ['a: ["b]\nc: 1\n', `1:5 ${unclosed('quote', 'line 2')}`],
  ["a: ['b]\nc: 1\n", `1:5 ${unclosed('quote', 'line 2')}`],
  ['a: "b\n', `1:4 ${unclosed('quote', 'the end of the document')}`],
])('a quote that is not closed is reported where it opens: %j', (text, problem) => {
  expect(problems(text)).toEqual([problem]);
});

test('the places of a later document are those of the file', () => {
  expect(problems('a: 1\n---\nb: 1\na: [b\nc: 1\n')).toEqual([`4:4 ${unclosed("'['", 'line 5')}`]);
  expect(problems('a: 1\n---\na: [b}\n')).toEqual([
    "3:6 must be YAML: ']' closes the '[' at 3:4, got '}'",
  ]);
});

test.each(['@', '`', '%'])('a text that begins with %s needs quotes', (char) => {
  const what = `must be YAML: a text that begins with '${char}' needs quotes`;
  expect(problems(`a: ${char}b\n`)).toEqual([`1:4 ${what}`]);
  expect(problems(`a:\n  - ${char}b\n`)).toEqual([`2:5 ${what}`]);
  expect(problems(`a: [b, ${char}c]\n`)).toEqual([`1:8 ${what}`]);
});

test.each([
  [
    'a: *b\n',
    "1:4 must name an anchor before it, got '*b'; a text that begins with '*' needs quotes",
  ],
  [
    'a: !b\n',
    "1:4 must have no tag or one of !!str, !!int, !!float, !!bool, !!null, got !b; a text that begins with '!' needs quotes",
  ],
  [
    'a: { b: #c }\nd: 1\n',
    "1:9 must be YAML: a '#' after a space begins a comment, which hides the '}': a text that begins with it needs quotes",
  ],
  ['a: b: c\n', "1:4 must be YAML: a text that contains ': ' needs quotes"],
  [
    'a: "b" c\n',
    '1:4 must be YAML: more text follows the closing quote: put the whole value in quotes',
  ],
])('a text that YAML reads as something else needs quotes: %j', (text, problem) => {
  expect(problems(text)).toEqual([problem]);
});

test.each([
  ['a:\n  - name b\n    c: d\n', "2:5 must be YAML: write ':' after 'name'"],
  ['a:\n  - name:b\n    c: d\n', "2:5 must be YAML: write a space after 'name:'"],
  ['name b\nc: d\n', "1:1 must be YAML: write ':' after 'name'"],
  [
    'a:\n  -b: 1\n  -b: 2\n',
    "3:3 must be a key of its own, got '-b' again; write a space after the '-' of a list item",
  ],
])('a colon or a space that is missing is reported where it belongs: %j', (text, problem) => {
  expect(problems(text)).toEqual([problem]);
});

test.each([
  [
    'a:\n  b: c\n    d: e\n',
    "3:5 must be YAML: 2 spaces deeper than 'b' above, which already has a value",
  ],
  [
    'a:\n    b: c\n   d: e\n',
    '3:4 must be YAML: indented by 3 spaces, like no line above that it could belong to',
  ],
  ['a: - b\n', "1:4 must be YAML: a list with '-' begins on the line below its key"],
])('a wrong indentation is reported as such: %j', (text, problem) => {
  expect(problems(text)).toEqual([problem]);
});

test('no error of syntax shows a value, which may be a secret', () => {
  const secret = 'hunter2hunter2';
  const valid = `a:\n  password: ${secret}\n  "b": ['${secret}', "${secret}"]\n  c: { d: ${secret} } # [\n  e: |\n    ${secret}\n`;
  const chars = fc.constantFrom('@', '`', '[', '}', ':', ' ', '"', "'", '\n', '-', '#', ': ', '|');
  const broken = fc
    .tuple(fc.nat(valid.length), fc.nat(2), fc.oneof(fc.constant(''), chars))
    .map(([at, length, insert]) => valid.slice(0, at) + insert + valid.slice(at + length));
  let found = 0;
  fc.assert(
    fc.property(broken, (text) => {
      const syntax = readDocuments(text).problems.filter(({ message }) =>
        message.startsWith('must be YAML: '),
      );
      found += syntax.length;
      for (const { line, column, message } of syntax) {
        expect(message).not.toContain('hunter2hunter2');
        expect(text.split('\n')[line - 1]!.length).toBeGreaterThanOrEqual(column - 1);
      }
    }),
    runs(2000),
  );
  expect(found).toBeGreaterThan(100);
});
