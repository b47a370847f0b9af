import { expect, test } from '@jest/globals';
import { code, escaped } from '../../cli/markdown.ts';

test('no part of a text is markup, and no bar ends the cell', () => {
  expect(escaped('a|<b>`c` *_[x](y)  d~~\n')).toBe(
    'a&#124;&#60;b&#62;&#96;c&#96; &#42;&#95;&#91;x&#93;(y) d&#126;&#126;&#92;u000a',
  );
});

test('a text that forges would link as a mention, a reference or an address is written as code', () => {
  const of = (word: string) => {
    const signs = word.replaceAll(/[@#!~&]/g, (sign) => `&#${sign.codePointAt(0)};`);
    return `Group <code>${signs}</code> may`;
  };
  const linked = [
    '@team',
    '(@org/team)',
    'ann@example.com',
    '#12',
    'org/shop#12',
    '!7',
    '~bug',
    '&3',
    '%v1',
    '$x$',
    'https://example.com/a',
    'WWW.example.com',
  ];
  for (const word of linked) expect(escaped(`Group ${word} may`)).toBe(of(word));
  for (const words of ['github:payments', '20 -&#62; 10', '50%', 'awww.b', 'a & b', '# 1']) {
    expect(escaped(words.replace('&#62;', '>'))).not.toContain('<code>');
  }
});

test('invisible characters are written as escapes, in names too', () => {
  expect(escaped('a\u202Eb')).toBe('a&#92;u202eb');
  expect(code('a\u200B`b  c')).toBe('<code>a&#92;u200b&#96;b c</code>');
});
