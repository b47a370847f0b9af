import { expect, test } from '@jest/globals';
import { existsSync, readFileSync, statSync } from 'node:fs';
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

const images = pages.flatMap(({ path, text }) =>
  [...text.matchAll(/!\[([^\]]*)\]\(([^)\s]+\.(?:png|svg))\)/g)].map(
    ([, words = '', file = '']) => ({
      path,
      words,
      file,
    }),
  ),
);

test.each(images)(
  'the image $file of $path has a description, and is small',
  ({ path, words, file }) => {
    expect(words.length).toBeGreaterThan(20);
    expect(statSync(join(root, dirname(path), file)).size).toBeLessThan(150_000);
  },
);
