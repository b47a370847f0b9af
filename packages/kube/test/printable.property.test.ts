import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { formatProblem } from '../problem.ts';
import { escapeForTerminal, escapeJsonForTerminal, truncate } from '../printable.ts';
import { runs } from './yaml/runs.ts';
import { anyCodePoint } from './code-points.ts';

const text = fc.string({ unit: anyCodePoint });
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u;

test('a name of others is shown without what a terminal obeys, reorders or hides', () => {
  expect(escapeForTerminal('dist/ü 日本 😀 x.yaml')).toBe('dist/ü 日本 😀 x.yaml');
  expect(escapeForTerminal('\u001b[2J\u009bK\r\n')).toBe('\\u001b[2J\\u009bK\\u000d\\u000a');
  expect(escapeForTerminal('a\u202elmay.b\u2028\ud800')).toBe('a\\u202elmay.b\\u2028\\ud800');
  const problem = { file: 'tenants/\u001b[2J.yaml', path: '', message: 'must be', rule: 'file' };
  expect(formatProblem(problem)).toBe('tenants/\\u001b[2J.yaml must be');
  fc.assert(
    fc.property(text, (text) => {
      expect(escapeForTerminal(text)).not.toMatch(unseen);
      expect(escapeForTerminal(escapeForTerminal(text))).toBe(escapeForTerminal(text));
    }),
    runs(100),
  );
});

test('JSON means the same when all of it can be seen', () => {
  fc.assert(
    fc.property(text, (text) => {
      const value = { [text]: [text] };
      const json = escapeJsonForTerminal(JSON.stringify(value, undefined, 2));
      expect(json.replaceAll('\n', '')).not.toMatch(unseen);
      expect(JSON.parse(json)).toEqual(value);
    }),
    runs(100),
  );
});

test('a text is shortened to whole characters', () => {
  expect(truncate('a😀b', 3)).toBe('a😀b');
  expect(truncate('a😀bc', 3)).toBe('a😀…');
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 20 }), (text, length) => {
      const characters = [...text];
      const isShort = characters.length <= length;
      const expected = isShort ? text : `${characters.slice(0, length - 1).join('')}…`;
      expect(truncate(text, length)).toBe(expected);
    }),
    runs(100),
  );
});
