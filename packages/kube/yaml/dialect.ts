/** Escapes, and the differences between YAML 1.2, as js-yaml reads it, and go.yaml.in/yaml/v2. */

/** An escape in a double-quoted scalar: of a code point, before an empty line, or another. */
const ESCAPE = /\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|((?:\r?\n|\r(?!\n))[ \t]*[\r\n])|[^])/g;

/**
 * Lists the escapes between two double quotes that YAML 1.2 allows and go.yaml.in/yaml/v2 refuses or reads differently.
 * These are escapes of surrogates (and so the pairs that JSON writes), those beyond U+10FFFF, and that of a line break
 * before an empty line. `offset` is from the start of `raw`.
 */
export function escapeProblems(raw: string): { offset: number; message: string }[] {
  const problems: { offset: number; message: string }[] = [];
  for (const match of raw.matchAll(ESCAPE)) {
    const [text, short, long, emptyLine] = match;
    const code = Number.parseInt(short ?? long ?? '0', 16);
    if (emptyLine !== undefined) {
      const message =
        'must be an escape of a character, got an escaped line break and an empty line';
      problems.push({ offset: match.index, message });
    } else if ((code >= 0xd800 && code <= 0xdfff) || code > 0x10ffff) {
      const message = `must be the escape of a whole character, got '${text}'`;
      problems.push({ offset: match.index, message });
    }
  }
  return problems;
}

const BLANKS = ' \t\r\n';

/**
 * Whether a plain key that ends at an offset is a different text to go-yaml in a flow collection: `?a`, and `{a:}` and
 * `[a :]`, where it reads the colon as part of the text.
 */
export function isAmbiguousKey(source: string, end: number, text: string): boolean {
  if (text.startsWith('?')) return true;
  let at = end;
  while (at < source.length && BLANKS.includes(source.charAt(at))) at += 1;
  const follower = source.charAt(at + 1);
  return source.charAt(at) === ':' && follower !== '' && ',[]{}'.includes(follower);
}

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
