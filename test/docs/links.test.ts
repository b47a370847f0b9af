import { expect, test } from '@jest/globals';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readPages, root } from './pages.ts';

const pages = readPages();

/** Returns the anchors of a page, as GitHub derives them from its headings. */
function anchorsOf(path: string): string[] {
  return [...readFileSync(path, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replaceAll(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  );
}

function isThere(link: string, path: string): boolean {
  const [target = '', anchor] = link.split('#') as [string, string?];
  const file = target === '' ? join(root, path) : join(root, dirname(path), target);
  if (!existsSync(file)) return false;
  return anchor === undefined || anchorsOf(file).includes(anchor);
}

test.each(pages)('the links of $path have a target', ({ path, text }) => {
  const prose = text.replaceAll(/`[^`\n]*`/g, '``');
  const links = [...prose.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link]) => link!)
    .filter((link) => !/^[a-z]+:/.test(link));
  expect(links.filter((link) => !isThere(link, path))).toEqual([]);
});
