import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { readDocuments } from '@tenantry/kube/yaml/read';
import type { KubeObject } from '@tenantry/kube/object';
import { place } from '../synth/output/folders.ts';
import { readPage } from './pages.ts';
import { Shell } from './shell.ts';

const folder = mkdtempSync(join(tmpdir(), 'tenantry-start-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A stand-in for `npm install`, and one for `npx tenantry` that runs this Tenantry. */
const shell = new Shell(folder, { npm: 'exit 0\n', npx: 'shift\nexec tenantry "$@"\n' });
const somebody = {
  GIT_AUTHOR_NAME: 't',
  GIT_AUTHOR_EMAIL: 't@example.com',
  GIT_COMMITTER_NAME: 't',
  GIT_COMMITTER_EMAIL: 't@example.com',
};
const work = 'platform-tenants';

/** Returns the blocks up to Argo CD, each with the text before it. */
function steps() {
  const { text } = readPage('docs/getting-started.md');
  const own = text.slice(0, text.indexOf('\n## Argo CD\n'));
  return Array.from(
    own.matchAll(/([^\n]*)\n\n(?:<!-- rendered -->\n\n)?```(\w+)\n(.*?)^```$/gms),
    (one) => {
      const [, before = '', language = '', block = ''] = one;
      return { before, language, block };
    },
  );
}

/** Returns the file that a comment above a block names, as `tenantry init` wrote it. */
function initialFile(before: string): string | undefined {
  const [, path] = /^<!-- from init: (\S+) -->$/.exec(before) ?? [];
  return path === undefined ? undefined : readFileSync(join(folder, work, path), 'utf8');
}

const timeless = (text: string) => text.replace(/\(\d+\.\d s\)/, '(N s)');

test('a reader who follows the page from an empty folder gets the shown output, up to a checked commit', async () => {
  let [ran, written, shown] = [0, 0, 0];
  let last = '';
  for (const { before, language, block } of steps()) {
    const [, file] = /(?:Write|Replace|write) `([\w/.]+\.yaml)`/.exec(before) ?? [];
    const initial = initialFile(before);
    if (initial !== undefined) {
      expect(block).toBe(initial);
      shown += 1;
    } else if (language === 'yaml' && file !== undefined) {
      place(join(folder, work), { [file]: block });
      written += 1;
    } else if (language === 'yaml') {
      const value = readDocuments(block).documents[0]?.value as KubeObject;
      const { namespace } = value.metadata;
      const path = `dist/clusters/eu1/tenants/payments/namespace-${namespace}.yaml`;
      const rendered = readDocuments(readFileSync(join(folder, work, path), 'utf8')).documents;
      expect(rendered.map((one) => one.value)).toContainEqual(value);
      shown += 1;
    } else if (language === 'sh') {
      const enter = ran === 0 ? '' : `cd ${work}\n`;
      const { code, out, err } = await shell.run(enter + block, somebody);
      expect({ block, code, err: code === 0 ? '' : err }).toEqual({ block, code: 0, err: '' });
      [ran, last] = [ran + 1, out];
    } else if (block.startsWith('error')) {
      const path = join(folder, work, 'tenants/payments.yaml');
      const right = readFileSync(path, 'utf8');
      place(join(folder, work), { 'tenants/payments.yaml': right.replace('medium', 'huge') });
      const { code, err } = await shell.run(`cd ${work}\nnpx tenantry synth`);
      expect([code, err]).toEqual([1, expect.stringContaining(block)]);
      place(join(folder, work), { 'tenants/payments.yaml': right });
      shown += 1;
    } else {
      expect(timeless(last)).toContain(timeless(block));
      shown += 1;
    }
  }
  expect({ ran, written, shown }).toEqual({ ran: 5, written: 2, shown: 6 });
});
