import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { mayContainWord, readDocuments } from '../../yaml/read.ts';
import { runs } from './runs.ts';

const WORD = 'Kind';

const hex = (digits: number) => (letter: string) =>
  letter.charCodeAt(0).toString(16).padStart(digits, '0');
const [two, four, eight] = [hex(2), hex(4), hex(8)];

/** The ways in which YAML writes a letter between double quotes. */
const spellings = fc.constantFrom<(letter: string) => string>(
  (letter) => letter,
  (letter) => `\\x${two(letter)}`,
  (letter) => `\\u${four(letter)}`,
  (letter) => `\\U${eight(letter).toUpperCase()}`,
  (letter) => `\\\n  ${letter}`,
  (letter) => `\\\r\n ${letter}`,
);

/** `"K\x69n\<line break>d"`. */
const spelled = fc
  .array(spellings, { minLength: WORD.length, maxLength: WORD.length })
  .map((spell) => `"${spell.map((one, i) => one(WORD[i]!)).join('')}"`);

test('a word in any spelling may be in the text', () => {
  fc.assert(
    fc.property(spelled, (text) => {
      expect(readDocuments(`kind: ${text}`).documents[0]?.value).toEqual({ kind: WORD });
      expect(mayContainWord(text, WORD)).toBe(true);
    }),
    runs(300),
  );
});

test('if a word cannot be in the text, no reader finds it', () => {
  const pieces = ['Ki', 'nd', 'K', 'ind', ' ', '\n', '\n  ', '"', "'", '\\', '\\x4b', '\\n', '\\t'];
  const others = [
    '\\/',
    '\\ ',
    '# ',
    '|\n ',
    '>-\n ',
    ': ',
    '- ',
    '&a ',
    '*a',
    '[',
    ']',
    ',',
    '%4B',
  ];
  const texts = fc.array(fc.constantFrom(...pieces, ...others), { maxLength: 14 });
  let refused = 0;
  fc.assert(
    fc.property(texts, (parts) => {
      const text = parts.join('');
      fc.pre(!mayContainWord(text, WORD));
      refused += 1;
      const { documents } = readDocuments(text);
      expect(JSON.stringify(documents.map(({ value }) => value))).not.toContain(WORD);
    }),
    runs(1000),
  );
  expect(refused).toBeGreaterThan(100);
  expect(mayContainWord('Kin\\n d: "Ki nd" \\/', WORD)).toBe(false);
});
