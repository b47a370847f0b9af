import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { decodeUtf8 } from '../utf8.ts';
import { runs } from './yaml/runs.ts';

test('every text in UTF-8 is read unchanged', () => {
  const text = fc.string({ unit: fc.constantFrom('a', '\n', 'é', '€', '😀', '\ufeff', ' ') });
  fc.assert(
    fc.property(text, (written) => {
      expect(decodeUtf8(Buffer.from(written)).text).toBe(written);
    }),
    runs(100),
  );
});

const INSTEAD = 'save the file as UTF-8';

test.each([
  ['with a mark, the low byte first', Buffer.from('\ufeffkind: Tenant\n', 'utf16le')],
  ['with a mark, the high byte first', Buffer.from('\ufeffkind: Tenant\n', 'utf16le').swap16()],
  ['without a mark', Buffer.from('kind: Tenant\n', 'utf16le')],
  ['without a mark, the high byte first', Buffer.from('kind: Tenant\n', 'utf16le').swap16()],
])('UTF-16 is recognized %s', (_how, bytes) => {
  expect(decodeUtf8(bytes)).toEqual({ fault: `must be text in UTF-8, got UTF-16: ${INSTEAD}` });
});

test.each<[string, Buffer, string, number, number]>([
  ['Latin-1', Buffer.from('a: b\nname: Zoë\n', 'latin1'), "0xEB, which is 'ë' in Latin-1", 2, 9],
  ['Latin-1 at the end', Buffer.from('a: é', 'latin1'), "0xE9, which is 'é' in Latin-1", 1, 4],
  ['behind UTF-8', Buffer.concat([Buffer.from('é\n€ '), Buffer.from([0x93, 0x61])]), '0x93', 2, 3],
  [
    'a character cut short',
    Buffer.from('a€').subarray(0, 3),
    "0xE2, which is 'â' in Latin-1",
    1,
    2,
  ],
])('the first byte that is not UTF-8 is reported: %s', (_what, bytes, got, line, column) => {
  expect(decodeUtf8(bytes)).toEqual({
    fault: `must be text in UTF-8, got the byte ${got}: ${INSTEAD}`,
    line,
    column,
  });
});

test('a zero-width character in a UTF-8 text does not make it UTF-16', () => {
  expect(decodeUtf8(Buffer.from('\0\0\0\0')).text).toBe('\0\0\0\0');
  expect(decodeUtf8(Buffer.from('ab\0d')).text).toBe('ab\0d');
});
