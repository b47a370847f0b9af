import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { plainText, wrapText } from '../../preview/plain-text.ts';
import { runs } from '@tenantry/kube/test/yaml/runs';

const renderLines = (markdown: string) =>
  plainText(markdown).map(({ kind, text, indent }) => `${kind} ${' '.repeat(indent)}${text}`);

test.each<readonly [markdown: string, expected: readonly string[]]>([
  ['# Redis #\nIt runs\nRedis.', ['heading Redis', 'paragraph It runs Redis.']],
  ['Redis\n=====\n\nMore', ['heading Redis', 'paragraph More']],
  [
    '* one\n* two\n  goes on\n    - three',
    ['item - one', 'item - two goes on', 'item     - three'],
  ],
  ['1. first\n2) second', ['item 1. first', 'item 2) second']],
  ['```sh\nkubectl  get\n\n```\nx', ['code     kubectl  get', 'code     ', 'paragraph x']],
  ['---\na\n\n***', ['paragraph a']],
  ['> quoted\n> text', ['paragraph quoted text']],
  [
    '[docs](https://a.b/c "title") and <https://d.e>',
    ['paragraph docs (https://a.b/c) and https://d.e'],
  ],
  ['[https://a.b](https://a.b)', ['paragraph https://a.b']],
  ['a ![logo](x.png)b', ['paragraph a b']],
  [
    '**bold**, *slanted*, __both__, `code`, 2 * 3 * 4',
    ['paragraph bold, slanted, both, code, 2 * 3 * 4'],
  ],
  ['<img src=x>hidden<br/>&lt;b&gt; a < b &amp;amp;', ['paragraph hidden <b> a < b &amp;']],
  ['', []],
])('%j is rendered as plain text', (markdown, expected) => {
  expect(renderLines(markdown)).toEqual(expected);
});

test('lines fit the width, words stay whole, and no word is lost', () => {
  fc.assert(
    fc.property(
      fc.lorem({ maxCount: 60 }),
      fc.integer({ min: 20, max: 60 }),
      fc.nat(8),
      (text, width, hanging) => {
        const lines = wrapText(text, width, 2, hanging);
        expect(lines.join(' ').split(' ').filter(Boolean)).toEqual(text.split(' '));
        for (const line of lines) expect(line.length).toBeLessThanOrEqual(width);
        for (const [i, line] of lines.slice(0, -1).entries()) {
          const [next = ''] = lines[i + 1]!.trim().split(' ');
          expect(`${line} ${next}`.length).toBeGreaterThan(width);
        }
      },
    ),
    runs(200),
  );
  expect(wrapText('a waytoolongword b', 6)).toEqual(['a', 'waytoolongword', 'b']);
});

test('rendering takes no long time, whatever the markup of a text', () => {
  const started = performance.now();
  for (const mark of [
    '[',
    '![',
    '<',
    '*',
    '[a](',
    '`',
    '_',
    '&',
    '> ',
    '- ',
    '#',
    '<a',
    '*a ',
    '](',
  ]) {
    plainText(mark.repeat(100_000 / mark.length));
  }
  expect(performance.now() - started).toBeLessThan(5_000);
});
