import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { reasons } from '../../operator/tenant/observation.ts';
import { root } from './pages.ts';

const page = readFileSync(join(root, 'docs/operator.md'), 'utf8');

test('docs/operator.md has all reasons of conditions, with the descriptions in the code', () => {
  const rows = [...page.matchAll(/^\| `([A-Z]\w+)` +\| (.+?) +\|$/gm)].map(([, reason, means]) => [
    reason,
    means,
  ]);
  expect(Object.fromEntries(rows)).toMatchObject(reasons);
});
