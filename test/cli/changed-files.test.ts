import { expect, test } from '@jest/globals';
import { listChangedFiles, sortFiles } from '../../cli/review/changed-files.ts';
import { repository } from './project.ts';

test('a commit that Git does not have is an error, and not a commit without changed files', () => {
  expect(() => listChangedFiles('1'.repeat(40), repository)).toThrow(/^git diff: /);
});

test('tenants may be in a hidden folder', () => {
  const paths = { tenants: '.fleet/tenants', out: 'dist', platform: 'tenantry.yaml', crdFiles: [] };
  const changed = ['.fleet/tenants/shop/.env', '.fleet/tenants/shop/shop.yaml'];
  expect(sortFiles(changed, paths, () => true)).toEqual({
    declarations: ['.fleet/tenants/shop/shop.yaml'],
    edited: [],
    others: ['.fleet/tenants/shop/.env'],
  });
});
