/** Matches an escape in double quotes that hides a letter: by its number, or by a line break. */
const LETTER_ESCAPE = /\\(?:[xuU]|\r?\n|\r)/;

/**
 * Whether a text of YAML, or JSON, may contain the word, of letters and digits, in a scalar. False means that the word
 * is nowhere, in any spelling.
 *
 * Source: https://yaml.org/spec/1.2.2/#57-escaped-characters
 */
export function mayContainWord(text: string, word: string): boolean {
  return text.includes(word) || LETTER_ESCAPE.test(text);
}
