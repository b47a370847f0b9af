import { expect, test } from '@jest/globals';
import { readDocuments } from '../../yaml/read.ts';

const problems = (text: string): string[] =>
  readDocuments(text).problems.map(({ line, column, message }) => `${line}:${column} ${message}`);

test.each([
  [
    'in the middle of a document',
    'a: 1\n<<<<<<< HEAD\nb: 2\n=======\nb: 3\n>>>>>>> theirs\n---\nc: 4\n',
    "2:1 must be YAML without conflicts, got '<<<<<<< HEAD': resolve the merge conflict",
  ],
  [
    'around documents',
    '<<<<<<< HEAD\n---\na: 1\n||||||| base\n---\na: 0\n=======\n---\na: 2\n>>>>>>> theirs\n',
    "1:1 must be YAML without conflicts, got '<<<<<<< HEAD': resolve the merge conflict",
  ],
  [
    'of which half is left',
    'a: 1\n  b: 2\n>>>>>>> theirs\n',
    "3:1 must be YAML without conflicts, got '>>>>>>> theirs': resolve the merge conflict",
  ],
  [
    'of which the middle is left',
    'a: 1\n=======\nb: 2\n',
    "2:1 must be YAML without conflicts, got '=======': resolve the merge conflict",
  ],
  [
    'without the names of branches',
    'a: 1\n<<<<<<<\n',
    "2:1 must be YAML without conflicts, got '<<<<<<<': resolve the merge conflict",
  ],
])('a merge conflict %s is one problem, and nothing is read', (_where, text, problem) => {
  expect(problems(text)).toEqual([problem]);
  expect(readDocuments(text).documents).toEqual([]);
});

const RENDER = 'render it first, such as with `helm template`';

test.each([
  ['a value', 'a: 1\nname: {{ .Values.name }}\n', '2:7', '{{ .Values.name }}'],
  ['a block', '{{- if .Values.on }}\na: 1\n{{- end }}\n', '1:1', '{{- if .Values.on }}'],
  ['a key', 'a:\n  {{ include "x" . }}: 1\n  {{ $y }}: 2\n', '2:3', '{{ include "x" . }}'],
  ['a comment of its own', '{{/* note */}}\na: 1\n', '1:1', '{{/* note */}}'],
])('an unrendered template is one problem: %s', (_what, text, place, got) => {
  expect(problems(text)).toEqual([
    `${place} must be YAML, got a template with '${got}': ${RENDER}`,
  ]);
});

test.each([
  ['in quotes', "a: '{{ .path }}'\n"],
  ['in a comment', 'a: 1 # {{ .path }}\n'],
  ['in a text of lines', 'a: |\n  {{ .path }}\n  <<<<<<< HEAD\n  =======\n'],
  ['as a text of its own', '=======\n'],
])('a similar text is read where it is only text: %s', (_where, text) => {
  expect(problems(text)).toEqual([]);
});

test('an error of YAML beside a template in quotes is reported as such', () => {
  expect(problems("a: '{{ .path }}'\nb: [\n")).toEqual([
    expect.stringMatching(/^2:4 must be YAML: /),
  ]);
});

test('a megabyte of unclosed template openings is not a template, and is read quickly', () => {
  const text = `a: [${'{{ .a '.repeat(170_000)}\n`;
  expect(problems(text).join()).not.toContain('template');
  expect(problems(`${text}b: {{ .Values.b }}\n`)).toEqual([
    `2:4 must be YAML, got a template with '{{ .Values.b }}': ${RENDER}`,
  ]);
});
