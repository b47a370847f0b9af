/** In double quotes, a letter by its number, or a line that goes on in the next. */
const LETTER_ESCAPE = /\\(?:[xuU]|\r?\n|\r)/;

/**
 * Whether a text of YAML, or JSON, may hold the word, of letters and digits, as a scalar or in one.
 * False: it holds it nowhere, however it is spelled.
 *
 * Source: https://yaml.org/spec/1.2.2/#57-escaped-characters
 */
export function mayContainWord(text: string, word: string): boolean {
  return text.includes(word) || LETTER_ESCAPE.test(text);
}
