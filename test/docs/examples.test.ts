import { expect, test } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readPage, readPages, root, type Block } from './pages.ts';

const readmes = readdirSync(join(root, 'examples')).map((name) =>
  readPage(join('examples', name, 'README.md')),
);

/** Blocks that name the file from which they are: `<!-- from: examples/redis/sample.yaml -->`. */
const shown = [...readPages(), ...readmes]
  .flatMap(({ blocks }) => blocks)
  .flatMap((block) => {
    const file = block.hints.get('from');
    return file === undefined ? [] : [{ ...block, file }];
  });

/** Returns whether the file contains the lines one after the other, with one common indentation. */
function isContainedIn({ text }: Pick<Block, 'text'>, file: string): boolean {
  const lines = text.trimEnd().split('\n');
  const all = file.split('\n');
  return all.some((line, at) => {
    const indent = line.slice(0, line.length - line.trimStart().length);
    return lines.every((one, i) => all[at + i] === (one === '' ? '' : indent + one));
  });
}

test('pages show code of the examples', () => {
  expect(shown.length).toBeGreaterThan(10);
});

test.each(shown)('the excerpt at $place is contained in $file', (block) => {
  expect(isContainedIn(block, readFileSync(join(root, block.file), 'utf8'))).toBe(true);
});

test('a line that the file lacks or has with another indentation is detected', () => {
  const file = 'a {\n  b\n\n    c\n}\n';
  expect(isContainedIn({ text: 'b\n\n  c\n' }, file)).toBe(true);
  expect(isContainedIn({ text: 'b\n\nc\n' }, file)).toBe(false);
  expect(isContainedIn({ text: 'b\nc\n' }, file)).toBe(false);
  expect(isContainedIn({ text: 'd\n' }, file)).toBe(false);
});

test.each(readmes)('the table of $path lists the files of the example', ({ path, text }) => {
  const named = [...text.matchAll(/^\| `([\w.-]+)` /gm)].map(([, file]) => file);
  const there = readdirSync(join(root, path, '..')).filter((file) => file.endsWith('.ts'));
  expect(named.toSorted()).toEqual(there.toSorted());
});
