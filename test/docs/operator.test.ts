import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { reasons as requestReasons } from '../../operator/break-glass/decision.ts';
import { reasons } from '../../operator/tenant/observation.ts';
import { root } from './pages.ts';

test.each([
  ['operator.md', reasons],
  ['break-glass.md', requestReasons],
])('docs/%s has all reasons of conditions, with the descriptions in the code', (name, known) => {
  const page = readFileSync(join(root, 'docs', name), 'utf8');
  const rows = [...page.matchAll(/^\| `([A-Z]\w+)` +\| (.+?) +\|$/gm)].map(([, reason, means]) => [
    reason,
    means,
  ]);
  expect(Object.fromEntries(rows)).toMatchObject(known);
});
