import { afterAll, expect, test } from '@jest/globals';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { place } from '../synth/output/folders.ts';
import { readPages, type Page } from './pages.ts';
import { Shell, shownCommands } from './shell.ts';

/** Pages on other tenancy systems: a block after `file: NAME` is a file, one after `written: NAME` is a result. */
const pages = readPages().filter(({ path }) => path.startsWith(join('docs', 'coming-from')));

const folder = mkdtempSync(join(tmpdir(), 'tenantry-coming-from-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const shell = new Shell(folder, { npx: 'shift\nexec tenantry "$@"\n' });

const listBlocks = ({ blocks }: Page, hint: string): [string, string][] =>
  blocks.flatMap(({ hints, text }) => (hints.has(hint) ? [[hints.get(hint)!, text]] : []));

test.each(pages)('$path: its files become the Tenants that it shows', async (page) => {
  const own = page.path.replaceAll(/\W/g, '-');
  const written = listBlocks(page, 'written');
  expect(written.length).toBeGreaterThan(0);
  place(join(folder, own), Object.fromEntries(listBlocks(page, 'file')));
  const imports = shownCommands(page).filter(({ commands }) => commands.includes('tenantry'));
  expect(imports.length).toBeGreaterThan(0);
  for (const { commands } of imports) {
    const { code, out, err } = await shell.run(`cd ${own}\n${commands}`);
    expect({ code, shown: code === 0 ? '' : out + err }).toEqual({ code: 0, shown: '' });
  }
  const files = written.map(([path]) => [path, readFileSync(join(folder, own, path), 'utf8')]);
  expect(Object.fromEntries(files)).toEqual(Object.fromEntries(written));
});
