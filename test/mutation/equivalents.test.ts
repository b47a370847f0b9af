import { expect, test } from '@jest/globals';
import { parseEquivalents } from './equivalents.ts';

test('one reason can apply to many lines, and one line can have many changes', () => {
  const text = [
    'file: a.ts',
    'why: It only saves time.',
    '  #size = 0;',
    '    0  →  1',
    '    #size = 0;  →  ',
    '  return x;',
    '    x  →  undefined',
    '',
    'file: b.ts',
    'why: Nothing is as false as false.',
    '  return false;',
    '    false  →  ',
    '',
  ].join('\n');
  const why = 'It only saves time.';
  expect(parseEquivalents(text)).toEqual([
    { file: 'a.ts', why, line: '#size = 0;', from: '0', to: '1' },
    { file: 'a.ts', why, line: '#size = 0;', from: '#size = 0;', to: '' },
    { file: 'a.ts', why, line: 'return x;', from: 'x', to: 'undefined' },
    {
      file: 'b.ts',
      why: 'Nothing is as false as false.',
      line: 'return false;',
      from: 'false',
      to: '',
    },
  ]);
});

test.each([
  ['a change without its code', 'file: a.ts\nwhy: b\n    x  →  y'],
  ['code without a reason', 'file: a.ts\n  x'],
  ['a change below the code of another reason', 'file: a.ts\nwhy: b\n  x\nwhy: c\n    x  →  y'],
  ['anything else', 'x'],
])('%s is rejected', (_name, text) => {
  expect(() => parseEquivalents(text)).toThrow(/line \d must be/);
});
