import { expect, test } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readPage, root } from './pages.ts';

const rooms = ['packages/olm/catalog', 'packages/olm/catalog-folder'];
const texts = rooms.flatMap((room) =>
  readdirSync(join(root, room), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => readFileSync(join(root, room, path), 'utf8')),
);

const used = new Set(
  texts.flatMap((text) => [
    ...[...text.matchAll(/'(catalog-[a-z-]+)'/g)].map(([, name]) => name!),
    ...[...text.matchAll(/,\s+'(yaml|file|empty-file)',?\s*\)/g)].map(([, name]) => name!),
  ]),
);

const { text } = readPage(join('docs', 'reference', 'catalog-rules.md'));
const listed = [...text.matchAll(/^\| `([a-z-]+)` +\| (?:error|warning) +\| .+\|$/gm)].map(
  ([, name]) => name!,
);

test('every rule of catalogs is on the page, and every rule of the page is in the code', () => {
  expect(listed.toSorted()).toEqual([...used].toSorted());
});
