import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readingRules } from '../../bundle/reading-rules.ts';
import { root } from '@tenantry/test-tools/structure/tracked';

test('docs/bundles.md has every reading rule, in the words of the code', () => {
  const page = readFileSync(join(root, 'docs', 'bundles.md'), 'utf8');
  const [, table = ''] = /\n## What cannot be read\n(.+?)\n## /s.exec(page) ?? [];
  const rows = [...table.matchAll(/^\| `([a-z-]+)` +\| (.+?) +\|$/gm)];
  expect(rows.map(([, id, what]) => [id, what])).toEqual(Object.entries(readingRules));
});
