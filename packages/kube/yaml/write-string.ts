import { resolvePlain } from './scalar.ts';

/**
 * Writes strings as YAML that kubectl (go.yaml.in/yaml/v2) and YAML 1.2 readers read back unchanged. A string is plain
 * if a table of characters and scalar.ts prove that this is safe; otherwise it is in double quotes.
 */

/** The error for a string that UTF-8 cannot encode: it contains half of a surrogate pair. */
class NotUnicode extends Error {}

/** Characters of a plain scalar: 0 never, 1 always, 2 depending on their neighbors. */
const body = new Uint8Array(128).fill(1, 0x20, 0x7f);
const SPACE = 32;
const HASH = 35;
const COLON = 58;
body[SPACE] = body[HASH] = body[COLON] = 2;

/** First characters: 0 quoted, 1 a string whatever follows, 2 possibly no string or an indicator. */
const first = new Uint8Array(128);
for (let c = 0; c < 128; c += 1) {
  if (/[A-Za-z/_$(;^\\]/.test(String.fromCharCode(c))) first[c] = 1;
}
for (const c of 'yYnNtTfFoO0123456789+-.~<=') first[c.charCodeAt(0)] = 2;

/** Matches strings for YAML 1.2 and kubectl that are base 60 numbers or dates for other readers of YAML 1.1. */
const OLD_NUMBER =
  /^(?:[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?|[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[Tt ].*)?)$/;

/** Formats a string on one line, as a key or as a value. Throws `NotUnicode`. */
export function formatInlineString(text: string): string {
  return isPlain(text) ? text : quoted(text);
}

function isPlain(text: string): boolean {
  const start = text.charCodeAt(0);
  const { length } = text;
  // The first character of '' is NaN, for which the table has no entry.
  const kind = first[start];
  if (kind !== 1 && kind !== 2) return false;
  for (let i = 0; i < length; i += 1) {
    const c = text.charCodeAt(i);
    const allowed = body[c];
    if (allowed === 1) continue;
    if (allowed !== 2) return false;
    if (c === SPACE) {
      if (i === length - 1 || text.charCodeAt(i + 1) === HASH) return false;
    } else if (c === COLON) {
      if (i === length - 1 || text.charCodeAt(i + 1) === SPACE) return false;
    }
  }
  return kind === 1 || isString(text);
}

/**
 * Whether a text of harmless characters is a string for every reader, although its first character does not decide it.
 */
export function isString(text: string): boolean {
  if (resolvePlain(text) !== text) return false;
  if (text.startsWith('---') || text.startsWith('...')) return false;
  if (text === '-' || text.startsWith('- ') || text === '<<' || text === '=') return false;
  return !OLD_NUMBER.test(text);
}

/** Characters that JSON leaves raw, but YAML forbids or treats as line breaks. */
// oxlint-disable-next-line no-control-regex
const UNSAFE = /[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/g;

/** Quotes a text. The escapes of JSON are escapes of YAML too, except those of surrogates, which are written raw. */
function quoted(text: string): string {
  if (!text.isWellFormed()) throw new NotUnicode();
  return JSON.stringify(text).replace(
    UNSAFE,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/**
 * Matches what keeps a text from being a literal block: a start that hides its indentation, a line or the text ending
 * in a space, several line breaks at the end, and unprintable characters.
 */
const NOT_LITERAL =
  // oxlint-disable-next-line no-control-regex
  /^[ \n]|[ ](?:\n|$)|\n\n$|[\0-\t\v-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/;

/**
 * Formats a string as a value, without the line break after it. A text of several lines is a literal block if that is
 * safe, two spaces deeper than `indent`. Throws `NotUnicode`.
 */
export function formatStringValue(text: string, indent: string): string {
  if (isPlain(text)) return text;
  if (!text.includes('\n') || NOT_LITERAL.test(text) || !text.isWellFormed()) return quoted(text);
  const ends = text.endsWith('\n');
  const lines = ends ? text.slice(0, -1) : text;
  const lead = `\n${indent}  `;
  return (ends ? '|' : '|-') + lead + lines.replace(/\n(?=[^\n])/g, lead);
}
