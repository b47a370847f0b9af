import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readPage, root } from './pages.ts';

const path = join('docs', 'runtime-guarantees.md');
const [, ...parts] = readPage(path).text.split(/^## /m);

const guarantees = parts.map((text) => ({
  guarantee: text.slice(0, text.indexOf('\n')),
  tests: [...text.matchAll(/^- \[([^\]]+)\]\(\.\.\/(test\/[^)]+)\)$/gm)].map(
    ([, title = '', file = '']) => ({ title, file }),
  ),
}));

/** Titles of the tests of a file: the first argument of a call of `test`, whatever it is called there. */
function titlesIn(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8');
  return [...text.matchAll(/^ *\w*[tT]est\w*\(\s*'([^'\n]+)',/gm)].map(([, title = '']) => title);
}

test.each(guarantees.filter(({ guarantee }) => guarantee !== 'What is not guaranteed'))(
  'tests hold: $guarantee',
  ({ tests }) => {
    expect(tests.length).toBeGreaterThan(1);
    expect(tests.filter(({ title, file }) => !titlesIn(file).includes(title))).toEqual([]);
  },
);

test('what is not guaranteed is said, and claims no test', () => {
  const { guarantee, tests } = guarantees.at(-1)!;
  expect([guarantee, tests]).toEqual(['What is not guaranteed', []]);
});
