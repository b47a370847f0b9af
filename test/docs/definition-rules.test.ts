import { expect, test } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { definitionRules } from '../../scripts/definition-rules-page.ts';
import { root } from './pages.ts';

const room = join(root, 'packages', 'crd', 'validation');
const texts = readdirSync(room)
  .filter((path) => path.endsWith('.ts') && path !== 'rules.ts')
  .map((path) => readFileSync(join(room, path), 'utf8'));

const ids =
  /(?:add(?:Error|Warning|NotChecked)|[wW]rong|label)\([^;]*?,\s*'([a-z][a-z-]*)',?\s*\);|\brule: '([a-z-]+)'|const RULE = '([a-z-]+)'/g;
const used = texts.flatMap((text) =>
  [...text.matchAll(ids)].map(([, last, field, constant]) => last ?? field ?? constant!),
);
const listed = new Set(Object.values(definitionRules).flatMap((rules) => Object.keys(rules)));

test('every rule of definitions in the code is on the page', () => {
  expect(used.length).toBeGreaterThan(100);
  expect(used.filter((id) => !listed.has(id))).toEqual([]);
});
