import { afterAll, expect, test } from '@jest/globals';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { treeOf } from '../synth/output/folders.ts';
import { readPage } from './pages.ts';
import { Shell } from './shell.ts';

const empty = mkdtempSync(join(tmpdir(), 'tenantry-new-'));
afterAll(() => rmSync(empty, { recursive: true, force: true }));

/** Stand-ins for npm, which has nothing to install here, and for npx. */
const programs = { npm: '[ "$1" = install ]\n', npx: 'shift\nexec tenantry "$@"\n' };

test('the commands of the README render the tenant that it shows', async () => {
  const { blocks } = readPage('README.md');
  const commands = blocks.filter(({ language }) => language === 'sh').map(({ text }) => text);
  const [shown] = blocks.filter(({ language }) => language === 'yaml').map(({ text }) => text);
  expect(commands).toHaveLength(1);
  const { code, out, err } = await new Shell(empty, programs).run(commands[0]!);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(out).toContain('\n1 tenant, 2 namespaces, ');
  expect(readFileSync(join(empty, 'platform', 'tenants', 'payments.yaml'), 'utf8')).toBe(shown);
  const rendered = treeOf(join(empty, 'platform', 'dist', 'clusters', 'in-cluster', 'tenants'));
  expect(rendered['payments/namespace-payments-prod.yaml']).toContain('\n    pods: "80"\n');
  expect(rendered['payments/rbac/namespace-payments-dev.yaml']).toContain('name: github:payments');
});
