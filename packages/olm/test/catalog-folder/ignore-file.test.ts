import { describe, expect, test } from '@jest/globals';
import { buildIgnoreFilter } from '../../catalog-folder/ignore-file.ts';

describe('whether a pattern excludes a file:', () => {
  test.each([
    ['README.md', 'README.md', true],
    ['README.md', 'redis/README.md', true],
    ['/README.md', 'redis/README.md', false],
    ['*.md', 'redis/a.md', true],
    ['*.md', 'redis/a.yaml', false],
    ['docs/', 'docs/a.yaml', true],
    ['docs/', 'deep/docs/a.yaml', true],
    ['docs/', 'docs', false],
    ['docs/*.md', 'docs/a.md', true],
    ['docs/*.md', 'docs/deep/a.md', false],
    ['docs/**/a.md', 'docs/a.md', true],
    ['docs/**/a.md', 'docs/deep/er/a.md', true],
    ['docs/**', 'docs/deep/a.md', true],
    ['**/a.md', 'deep/a.md', true],
    ['a?.md', 'ab.md', true],
    ['a?.md', 'a/.md', false],
    ['[ab].md', 'b.md', true],
    ['[!ab].md', 'b.md', false],
    ['[!ab].md', 'c.md', true],
    ['[z-a].md', 'b.md', false],
    ['a.md', 'abmd', false],
    ['# a.md', 'a.md', false],
    ['\\#a.md', '#a.md', true],
    ['a.md   ', 'a.md', true],
    ['', 'a.md', false],
    ['/', 'a.md', false],
    ['(a|b).md', 'a.md', false],
  ])('%j %s', (text, path, expected) => {
    expect(buildIgnoreFilter([{ folder: '', text }])(path)).toBe(expected);
  });
});

test('the last matching pattern decides, and those of deeper folders come last', () => {
  const isIgnored = buildIgnoreFilter([
    { folder: 'redis', text: '!keep.md\n' },
    { folder: '', text: '*.md\n!a.md\r\n' },
  ]);
  const paths = ['b.md', 'a.md', 'keep.md', 'redis/keep.md', 'redis/b.md'];
  expect(paths.filter(isIgnored)).toEqual(['b.md', 'keep.md', 'redis/b.md']);
});
