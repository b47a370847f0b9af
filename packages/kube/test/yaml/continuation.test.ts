import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { indentContinuations } from '../../yaml/continuation.ts';
import { readDocuments } from '../../yaml/read.ts';
import { goReader } from '@tenantry/test-tools/go/yaml-json';
import { runs } from './runs.ts';

const askGo = await goReader();
const testWithGo = (sentence: string, run: () => void): void =>
  askGo
    ? test(sentence, run)
    : test.skip(`${sentence} [skipped: the Go program is not built]`, run);

const read = (text: string): unknown => {
  const { documents, problems } = readDocuments(text);
  return problems.length > 0 ? problems : documents.map(({ value }) => value);
};

test('lines of a quoted value may have the indentation of their key', () => {
  const text = `spec:
  - description: 'APIVersion of
  an object: it''s - #1

  more'
    pattern: "a\\
    b \\" c"
    block: |
      key: 'not
      quoted
    type: object
`;
  expect(read(text)).toEqual([
    {
      spec: [
        {
          description: "APIVersion of an object: it's - #1\\nmore".replace('\\n', '\n'),
          pattern: 'ab " c',
          block: "key: 'not\nquoted\n",
          type: 'object',
        },
      ],
    },
  ]);
});

test('a text that needs no change stays as it is', () => {
  const text = `a: 'b\n  c'\nd: |\n  'e\n f: g\nh: "i"\n- 'j': "k\n    l"\n`;
  expect(indentContinuations(text)).toBe(text);
});

test('positions are those of the original text', () => {
  const text = "a: 'b\nc'\nd: 1\nd: 2\n---\ne: 'f\ng'\nh: 1\n---\ni: 1\ni: 2\n";
  const { documents, problems } = readDocuments(text);
  expect(problems.map(({ line, column }) => [line, column])).toEqual([
    [4, 1],
    [11, 1],
  ]);
  expect(documents.map(({ value, index }) => [value, index])).toEqual([[{ e: 'f g', h: 1 }, 1]]);
  expect(documents[0]!.positionAt(['h'])).toEqual({ line: 8, column: 4 });
});

/** Words of a quoted text, some of which look like something else. */
const words = fc.array(
  fc.constantFrom('a', 'b:', '- c', '#', "''", 'd: |', '{', ']', '', 'é', '*x', '&y', '? z'),
  { minLength: 1, maxLength: 8 },
);
const value = fc.record({ words, breaks: fc.array(fc.nat(9), { maxLength: 8 }) });

/** Writes the words in single quotes, some at the beginning of a line with that many blanks. */
function quoted(one: { words: readonly string[]; breaks: readonly number[] }): string {
  const parts = one.words.map((word, i) => {
    const indentation = one.breaks[i];
    return indentation === undefined ? ` ${word}` : `\n${' '.repeat(indentation + 1)}${word}`;
  });
  return `'x${parts.join('')}'`;
}

testWithGo('what is read is what kubectl reads', () => {
  const texts = fc.sample(
    fc.array(value, { minLength: 1, maxLength: 4 }).map((values) => {
      const fields = values.map((one, i) => `    - a${i}: ${quoted(one)}\n      b: ${i}\n`);
      return `c:\n  d:\n${fields.join('')}`;
    }),
    runs(600),
  );
  const answers = askGo!(texts);
  for (const [i, text] of texts.entries()) {
    const answer = answers[i]!;
    if (answer.error !== undefined) continue;
    expect([text, read(text)]).toEqual([text, [answer.value]]);
  }
  expect(answers.filter(({ error }) => error === undefined).length).toBeGreaterThan(200);
});
