import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { TenantFiles } from '../../apps/tenant-files.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tenantry-files-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const tenant = (name: string, more = ''): string =>
  `apiVersion: tenantry.dev/v1alpha1\nkind: Tenant\nmetadata:\n  name: ${name}\n${more}`;

function write(file: string, text: string): void {
  const path = join(folder, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** The file of a tenant of a first search, and when all files are read. */
function filesOf(name: string): (string | undefined)[] {
  const many = new TenantFiles(folder, undefined);
  for (let i = 0; i < 20; i += 1) many.fileOf(`other-${i}`);
  return [new TenantFiles(folder, undefined).fileOf(name), many.fileOf(name)];
}

test.each([
  ['is declared beside another one', 'b/two.yaml', `${tenant('blog')}---\n${tenant('shop')}`],
  ['is spelled with an escape', 'b/two.yaml', tenant(String.raw`"\x73hop"`)],
  [
    'is spelled as JSON',
    'b/two.yaml',
    JSON.stringify({
      apiVersion: 'tenantry.dev/v1alpha1',
      kind: 'Tenant',
      metadata: { name: 'shop' },
    }),
  ],
])('a tenant that %s has that file', (_what, file, text) => {
  write('a.yaml', tenant('blog', 'spec:\n  description: not the shop\n'));
  write(file, text);
  expect(filesOf('shop')).toEqual([file, file]);
});

test('the first of two files that declare a tenant is its file', () => {
  write('b.yaml', tenant('shop'));
  write('a.yaml', tenant('shop'));
  expect(filesOf('shop')).toEqual(['a.yaml', 'a.yaml']);
});

test('a tenant with a mistake has no file', () => {
  write('a.yaml', tenant('shop', 'spec:\n  quotas: {}\n'));
  expect(filesOf('shop')).toEqual([undefined, undefined]);
});

test('without a folder no tenant has a file', () => {
  expect(new TenantFiles(join(folder, 'none'), undefined).fileOf('shop')).toBeUndefined();
});
