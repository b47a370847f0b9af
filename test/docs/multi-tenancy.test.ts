import { expect, test } from '@jest/globals';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hardenedClass } from '../../model/hardening/class.ts';
import type { TenantClassSpec } from '../../crds/tenant-class.ts';
import { readDocuments } from '@tenantry/kube/yaml/read';
import { readPage, root } from './pages.ts';

const page = readPage(join('docs', 'multi-tenancy.md'));

interface Declared {
  readonly metadata: { readonly name: string };
  readonly spec: TenantClassSpec;
}

const specIn = (text: string): TenantClassSpec => {
  const [only, ...more] = readDocuments(text).documents.map(({ value }) => value as Declared);
  expect([only!.metadata.name, more]).toEqual(['hardened', []]);
  return only!.spec;
};

test('the hardened class of the page equals that of the package', () => {
  const blocks = page.blocks.filter(({ text }) => text.includes('kind: TenantClass'));
  expect(blocks.map(({ text }) => specIn(text))).toEqual([hardenedClass]);
});

test('the hardened class of this repository equals that of the package, on one of its clusters', () => {
  const file = join(root, 'tenants', 'classes', 'hardened.yaml');
  const { allow, ...spec } = specIn(readFileSync(file, 'utf8'));
  expect(spec).toEqual(hardenedClass);
  expect(Object.keys(allow!)).toEqual(['clusters']);
});

const rows = page.text
  .slice(page.text.indexOf('## Advisories'))
  .split('\n')
  .filter((line) => /^\| (CVE|GHSA)-/.test(line))
  .map((line) => line.split('|').map((cell) => cell.trim()));

test.each(rows.map(([, ids, , , tests]) => ({ ids: ids!, tests: tests! })))(
  'each test that the page names for $ids exists',
  ({ ids, tests }) => {
    const files = [...tests.matchAll(/`([^`]+)`/g)].map(([, file]) => file!);
    expect(files.length).toBeGreaterThan(0);
    for (const file of files) {
      const text = existsSync(join(root, file)) ? readFileSync(join(root, file), 'utf8') : '';
      const titles = [...text.matchAll(/^.*'[^'\n]*(?:CVE|GHSA)-[^\n]*$/gm)].map(([line]) => line);
      const missing = ids.split(', ').filter((id) => !titles.some((title) => title.includes(id)));
      expect([file, missing]).toEqual([file, []]);
    }
  },
);

test('every advisory in a test title has a row, and each row has a test', () => {
  const families = ['advisories.test.ts', 'advisories-server.test.ts'];
  const named = families.flatMap((file) =>
    [...readFileSync(join(root, 'test', 'attacks', file), 'utf8').matchAll(ID)].map(([id]) => id),
  );
  const listed = rows.flatMap(([, ids]) => ids!.split(', '));
  expect([...new Set(named)].toSorted()).toEqual(listed.toSorted());
  expect(rows).toHaveLength(14);
});

test('every advisory that is tried on the operator has a row, and each row is tried', () => {
  const from = page.text.indexOf('## Attacks on the operator');
  const section = page.text.slice(from, page.text.indexOf('## Advisories'));
  const documented = [...section.matchAll(/^\| ((?:CVE|GHSA)-[^|]*) \|/gm)].map(([, ids]) =>
    ids!.trim(),
  );
  const file = join(root, 'test', 'attacks', 'operator.test.ts');
  const tried = [...readFileSync(file, 'utf8').matchAll(ID)].map(([id]) => id);
  expect(documented.flatMap((ids) => ids.split(', ')).toSorted()).toEqual(
    [...new Set(tried)].toSorted(),
  );
});

const ID = /CVE-\d{4}-\d+|GHSA(?:-[a-z0-9]{4}){3}/g;
