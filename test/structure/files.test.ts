import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isProduct, projectFiles, root } from './tracked.ts';

const files = projectFiles();

test('no hand-written file of the product is longer than 350 lines', () => {
  const long = files.filter(isProduct).flatMap((path) => {
    const text = readFileSync(join(root, path), 'utf8');
    if (/^\/\/ Written by `npm run gen(:[a-z]+)?`/.test(text)) return [];
    const lines = text.trimEnd().split('\n').length;
    return lines > 350 ? [`${path} must be at most 350 lines, got ${lines}`] : [];
  });
  expect(long).toEqual([]);
});

test('every folder and file has a meaningful name', () => {
  const empty = new Set(['util', 'utils', 'helper', 'helpers', 'common', 'misc']);
  const nameless = files.filter((path) =>
    path.split('/').some((part) => empty.has(part.split('.')[0] ?? '')),
  );
  expect(nameless).toEqual([]);
});

test('dist contains no JavaScript', () => {
  expect(files.filter((path) => /^dist\/.*\.[cm]?js(\.map)?$/.test(path))).toEqual([]);
});
