import { expect, test } from '@jest/globals';
import { decodeDocument, readDocuments, readLoosely } from '../../yaml/read.ts';

const valueOf = (text: string): unknown => {
  const { value, problem } = decodeDocument(text);
  return problem === undefined ? value : { problem: problem.message };
};

test('of repeated keys the last counts', () => {
  expect(valueOf('a: 1\nb: 2\na: 3\n')).toEqual({ a: 3, b: 2 });
});

test('merged keys are at the position of the merge key, and the first of several takes precedence', () => {
  const base = 'x: &x {a: 1, b: 1}\ny: &y {a: 2, c: 2}\n';
  expect(valueOf(`${base}z:\n  a: 0\n  <<: [*x, *y]\n  b: 3\n`)).toMatchObject({
    z: { a: 1, b: 3, c: 2 },
  });
  expect(valueOf('<<: 1\n')).toEqual({
    problem: 'must be merged from mappings, got something else',
  });
});

test('unknown tags are ignored, integers are rounded, numbers are keys', () => {
  expect(valueOf('a: !secret x\nb: !x {c: 1}\n')).toEqual({ a: 'x', b: { c: 1 } });
  expect(valueOf('a: 9007199254740993\n1.5: b\n')).toEqual({
    a: 9_007_199_254_740_992,
    '1.5': 'b',
  });
});

test('a text without a document is null, and invalid YAML is reported with its place', () => {
  expect(valueOf('# nothing\n')).toBeNull();
  expect(decodeDocument('a: [\n').problem).toMatchObject({ line: 1 });
});

test('aliases may not make a text large', () => {
  const lines = ['a0: &a0 [x, x, x, x, x, x, x, x, x, x]'];
  for (let i = 1; i < 9; i += 1) {
    lines.push(`a${i}: &a${i} [${Array.from({ length: 10 }, () => `*a${i - 1}`).join(', ')}]`);
  }
  expect(decodeDocument(lines.join('\n')).problem?.message).toContain('through aliases');
});

test('of several documents the first is read, and lines of a quoted value may have the indentation of its key', () => {
  expect(valueOf('a: 1\n---\nb: 2\n')).toEqual({ a: 1 });
  expect(valueOf('a: "x\ny"\n')).toEqual({ a: 'x y' });
});

test('JSON is read with tabs and line breaks anywhere between its parts', () => {
  expect(valueOf('[\n\t{\n\t\t"a":1,\n\t\t"b": ["\\/"]\n\t}\n]\n')).toEqual([{ a: 1, b: ['/'] }]);
});

test('a merge key may have its tag', () => {
  expect(valueOf('a: &a { b: 1 }\nc:\n  !!merge <<: *a\n')).toEqual({ a: { b: 1 }, c: { b: 1 } });
});

test('all documents of a text are read like a single one, each with the places of its values', () => {
  const { documents, problems } = readLoosely('a: 1\na: 2\n---\n# none\n---\nb: !x [c]\n');
  expect(problems).toEqual([]);
  expect(documents.map(({ value }) => value)).toEqual([{ a: 2 }, { b: ['c'] }]);
  expect(documents[1]?.positionAt(['b', 0])).toEqual({ line: 6, column: 8 });
});

test('the search for problems of a document ends after a hundred', () => {
  const keys = Array.from({ length: 50_000 }, () => 'a: 1').join('\n');
  expect(readDocuments(keys).problems).toHaveLength(100);
  expect(readDocuments(keys).problems.at(-1)).toMatchObject({ line: 101, column: 1 });
  expect(readDocuments(keys).documents).toEqual([]);
});
