import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { errorAt } from '../../finding.ts';
import { explainMisread, readDocuments, readLoosely } from '../../yaml/read.ts';
import { emitYaml } from '../../yaml/write.ts';
import { runs } from './runs.ts';

/** Texts that YAML 1.1 reads as something else: booleans, null, octal, hexadecimal, binary, underscores. */
const misread: [string, string][] = [
  ...['y', 'Y', 'yes', 'Yes', 'YES', 'on', 'On', 'ON', 'True', 'TRUE'].map(
    (key): [string, string] => [key, 'true'],
  ),
  ...['n', 'N', 'no', 'No', 'NO', 'off', 'Off', 'OFF', 'False'].map((key): [string, string] => [
    key,
    'false',
  ]),
  ...['0644', '0o644', '0x1A4', '0b110100100', '4_20', '+420'].map((key): [string, string] => [
    key,
    '420',
  ]),
];

test.each(misread)(
  'the unquoted key %s is refused, because kubectl reads it as %s',
  (key, read) => {
    const message = `must be in quotes as a key, since YAML reads it as ${read}, got ${key}`;
    for (const text of [`a:\n  ${key}: 1\n`, `a: {${key}: 1}\n`, `a:\n- ${key}: 1\n  b: 2\n`]) {
      const { documents, problems } = readDocuments(text);
      expect(documents).toEqual([]);
      expect(problems).toMatchObject([{ message }]);
    }
  },
);

test('each of several such keys is reported once', () => {
  const { problems } = readDocuments('a: {y: 1, on: 2, n: 3, off: 4}\n');
  expect(problems.map(({ column, message }) => `${column} ${message.slice(-6)}`)).toEqual([
    '5  got y',
    '11 got on',
    '18  got n',
    '24 ot off',
  ]);
});

test.each(['true', 'false', '420', '-1', '0', '12:30', '2026-01-01', 'yes!', 'Y1', 'nO'])(
  'the key %s is read as written',
  (key) => {
    expect(readDocuments(`${key}: 1\n`).documents[0]?.value).toEqual({ [key]: 1 });
  },
);

test('a key in quotes is read as written', () => {
  for (const [key] of misread) {
    for (const quote of [`'`, '"']) {
      const { documents } = readDocuments(`${quote}${key}${quote}: 1\n`);
      expect(documents[0]?.value).toEqual({ [key]: 1 });
    }
  }
});

test('texts of others are read as programs of Kubernetes read them', () => {
  expect(readLoosely('y: 1\n0644: 2\n').documents[0]?.value).toEqual({ true: 1, 420: 2 });
});

test('written values are read back, whatever words are keys and values', () => {
  const word = fc.oneof(fc.constantFrom(...misread.map(([key]) => key)), fc.string());
  fc.assert(
    fc.property(fc.dictionary(word, word), (value) => {
      if (Object.keys(value).length === 0) return;
      const { documents, problems } = readDocuments(emitYaml([value]));
      expect(problems).toEqual([]);
      expect(documents[0]?.value).toEqual(value);
    }),
    runs(500),
  );
});

const explained = (text: string, message: string): string => {
  const [document] = readDocuments(text).documents;
  return explainMisread(errorAt(['a'], message, 'type'), document).message;
};

test.each([
  ['yes', 'true'],
  ['0644', '420'],
  ['1_000', '1000'],
  ['1.0', '1'],
  ['~', 'null'],
  ['Null', 'null'],
])('a finding about the value %s shows the written text', (written, read) => {
  expect(explained(`a: ${written}\n`, `must be a string, got ${read}`)).toBe(
    `must be a string, got ${read}, as YAML reads ${written} without quotes`,
  );
  expect(explained(`a: ${written}\n`, 'must be left out')).toBe('must be left out');
});

test('a finding about a value that is read as written stays as it is', () => {
  for (const [text, read] of [
    ['true', 'true'],
    ['420', '420'],
    ['"yes"', "'yes'"],
    ['[yes]', '[true]'],
  ]) {
    const message = `must be a string, got ${read}`;
    expect(explained(`a: ${text}\n`, message)).toBe(message);
  }
});

test('a long unquoted scalar is shown by its beginning', () => {
  const text = `0.${'0'.repeat(5000)}1`;
  const [document] = readDocuments(`a: ${text}\n`).documents;
  const { message } = explainMisread(errorAt(['a'], 'must be a string, got 0', 'type'), document);
  expect(message).toMatch(/^must be a string, got 0, as YAML reads 0\.0{55}\.\.\. without quotes$/);
});
