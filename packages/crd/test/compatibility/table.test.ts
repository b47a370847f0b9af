import { expect, test } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readPage, root } from '@tenantry/test-tools/docs/pages';

const folder = join(root, 'packages/crd/compatibility');
const code = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8'));

/** How the code names rules: as a property, as an argument, in tables, and in advice. */
const uses = [
  /\bplace\s*\.change\('([\w-]+)'/g,
  /\b(?:changeAt|buildChangesOf\(found, name\))\([^,;]*, '([\w-]+)'/g,
  /\brule(?: =|:) '([\w-]+)'/g,
  /\['([a-z-]+)', '(?:spec|metadata)\.[\w.]+', /g,
  /\['(?:shortNames|categories)', '([a-z-]+)', /g,
  /yield \[\s*'(\w+)'/g,
];

test('every comparison is in the table of docs/crd-versions.md', () => {
  const rules = code.flatMap((text) =>
    uses.flatMap((use) => [...text.matchAll(use)].map(([, name]) => name!)),
  );
  const listed = new Set(
    [...readPage('docs/crd-versions.md').text.matchAll(/`([\w-]+)`/g)].map(([, name]) => name),
  );
  expect(new Set(rules).size).toBeGreaterThan(50);
  expect([...new Set(rules)].filter((rule) => !listed.has(rule))).toEqual([]);
});
