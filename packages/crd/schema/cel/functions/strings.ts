import type { RE2JS } from 're2js';
import { written } from '../token.ts';
import { ComputedList, type ListValue } from '../collection.ts';
import { Failure, Undecided } from '../failure.ts';
import { format } from './formatting.ts';
import type { Functions } from '../overload.ts';
import { compilePattern, compileRe2 } from '../../pattern.ts';
import { takeSteps } from '../spending.ts';

const outOfRange = (index: bigint): Failure => new Failure(`index out of range: ${index}`);

/** Returns a function that reports whether `part` occurs in `letters` at a position. */
const createPartMatcher = (letters: readonly string[], part: string) => {
  const wanted = [...part];
  return (at: number): boolean => wanted.every((letter, i) => letters[at + i] === letter);
};

/** Returns the first position of `part`. An empty part occurs at every position, including positions out of range. */
function indexOf(text: string, part: string, offset: bigint): bigint {
  if (part === '') return offset;
  if (offset < 0n) throw outOfRange(offset);
  const letters = [...text];
  const isHere = createPartMatcher(letters, part);
  return BigInt(letters.findIndex((_, i) => i >= offset && isHere(i)));
}

function lastIndexOf(text: string, part: string, offset?: bigint): bigint {
  const letters = [...text];
  if (part === '') return offset ?? BigInt(letters.length);
  const isHere = createPartMatcher(letters, part);
  if (offset === undefined) return BigInt(letters.findLastIndex((_, i) => isHere(i)));
  if (offset < 0n) throw outOfRange(offset);
  if (offset >= letters.length) return -1n;
  return BigInt(letters.findLastIndex((_, i) => i <= offset && isHere(i)));
}

/** Returns a part of the text, by default up to its end. */
function substring(text: string, start: bigint, end?: bigint): string {
  const letters = [...text];
  const stop = end ?? start;
  if (start > stop) throw new Failure(`invalid substring range. start: ${start}, end: ${end}`);
  if (start < 0n || start > letters.length) throw outOfRange(start);
  if (stop > letters.length) throw outOfRange(stop);
  return letters.slice(Number(start), Number(end ?? letters.length)).join('');
}

/** Splits as Go's `strings.SplitN`; an empty separator splits the text into characters. */
function split(text: string, separator: string, most = -1n): ComputedList {
  if (most === 0n) return new ComputedList([]);
  const parts = separator === '' ? [...text] : text.split(separator);
  if (most < 0n || parts.length <= most) return new ComputedList(parts);
  const kept = parts.slice(0, Number(most) - 1);
  return new ComputedList([...kept, parts.slice(Number(most) - 1).join(separator)]);
}

/** The maximum length of a text that an expression builds; the API server charges nothing for its characters. */
const MAX_TEXT_LENGTH = 20_000_000;

/** Replaces as Go's `strings.Replace`; an empty part occurs before, between and after the characters. */
function replace(text: string, part: string, by: string, most = -1n): string {
  const places = part === '' ? text.length + 1 : text.split(part).length - 1;
  const count = most < 0n || most > places ? places : Number(most);
  if (text.length + count * by.length > MAX_TEXT_LENGTH) {
    throw new Undecided('it makes a text that is too long');
  }
  const pieces = part === '' ? ['', ...text, ''] : text.split(part);
  return pieces.reduce((before, piece, i) => before + (most < 0n || i <= most ? by : part) + piece);
}

const ascii = (change: (text: string) => string) => (text: string) =>
  text.replaceAll(/[A-Za-z]/g, change);

/** The whitespace characters of Unicode. JavaScript's `trim` uses a different set. */
const BLANK =
  '[\\t\\n\\v\\f\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]+';
const blankEnds = new RegExp(`^${BLANK}|${BLANK}$`, 'g');

function join(list: ListValue, separator = ''): string {
  const texts = [...list];
  const wrong = texts.find((text) => typeof text !== 'string');
  if (wrong !== undefined) throw new Failure(`join: invalid input: ${String(wrong)}`);
  return texts.join(separator);
}

const escaped = new RegExp(`[${Object.values(written).join('')}]`.replaceAll('\\a', '\\x07'), 'g');

/** The string functions of CEL itself, without patterns. */
export const plainStrings: Functions = {
  'string::contains(string): bool': (text: string, part: string) => text.includes(part),
  'string::startsWith(string): bool': (text: string, part: string) => text.startsWith(part),
  'string::endsWith(string): bool': (text: string, part: string) => text.endsWith(part),
};

/** The string functions of version 2 of CEL's extension library. Positions count characters. */
export const strings: Functions = {
  'string::charAt(int): string': (text: string, at: bigint) => {
    const letters = [...text];
    if (at < 0n || at > letters.length) throw outOfRange(at);
    return letters[Number(at)] ?? '';
  },
  'string::indexOf(string): int': (text: string, part: string) => indexOf(text, part, 0n),
  'string::indexOf(string, int): int': indexOf,
  'string::lastIndexOf(string): int': (text: string, part: string) => lastIndexOf(text, part),
  'string::lastIndexOf(string, int): int': lastIndexOf,
  'string::lowerAscii(): string': ascii((text) => text.toLowerCase()),
  'string::upperAscii(): string': ascii((text) => text.toUpperCase()),
  'string::replace(string, string): string': (text: string, part: string, by: string) =>
    replace(text, part, by),
  'string::replace(string, string, int): string': replace,
  'string::split(string): list<string>': (text: string, by: string) => split(text, by),
  'string::split(string, int): list<string>': split,
  'string::substring(int): string': (text: string, start: bigint) => substring(text, start),
  'string::substring(int, int): string': substring,
  'string::trim(): string': (text: string) => text.replaceAll(blankEnds, ''),
  'string::format(list<dyn>): string': format,
  'strings.quote(string): string': (text: string) =>
    `"${text.toWellFormed().replaceAll(escaped, (letter) => written[letter]!)}"`,
  'list<string>::join(): string': (list: ListValue) => join(list),
  'list<string>::join(string): string': join,
};

const finders = new Map<string, RE2JS>();

/** Returns the matches of a pattern, first to last. */
function finder(pattern: string): RE2JS {
  const known = finders.get(pattern);
  if (known) return known;
  const { error } = compilePattern(pattern);
  if (error !== undefined) throw new Failure(`Illegal regex: error parsing regexp: ${error}`);
  const made = compileRe2(pattern);
  if (finders.size < 1000) finders.set(pattern, made);
  return made;
}

function findAll(text: string, pattern: string, most = -1n): string[] {
  const matcher = finder(pattern).matcher(text.toWellFormed());
  const found: string[] = [];
  const isFull = (): boolean => most >= 0n && found.length >= most;
  for (let end = -1; !isFull() && matcher.find(); end = matcher.end()) {
    // Each search can scan the rest of the text.
    takeSteps(text.length - matcher.start());
    // In Go, an empty match directly after another match does not count.
    const isEmptyAfter = matcher.start() === matcher.end() && matcher.start() === end;
    if (!isEmptyAfter) found.push(matcher.group() ?? '');
  }
  return found;
}

function matches(text: string, pattern: string): boolean {
  const compiled = compilePattern(pattern);
  if (compiled.error === undefined) return compiled.test(text);
  throw new Failure(`error parsing regexp: ${compiled.error}`);
}

/** The regular-expression functions of CEL itself, in Go's syntax. */
export const matching: Functions = {
  'matches(string, string): bool': matches,
  'string::matches(string): bool': matches,
};

/** The regular-expression functions that Kubernetes adds. */
export const regex: Functions = {
  'string::find(string): string': (text: string, pattern: string) =>
    findAll(text, pattern, 1n)[0] ?? '',
  'string::findAll(string): list<string>': (text: string, pattern: string) =>
    new ComputedList(findAll(text, pattern)),
  'string::findAll(string, int): list<string>': (text: string, pattern: string, most: bigint) =>
    new ComputedList(findAll(text, pattern, most)),
};
