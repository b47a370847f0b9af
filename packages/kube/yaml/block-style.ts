import { NotJson, plainKey, resolvePlain } from './scalar.ts';

/** A document in block style: its value, and the offset of its first key. */
interface BlockDocument {
  readonly value: unknown;
  readonly root: number;
}

/** The error for YAML that this reader does not know. */
class Unknown extends Error {}
/** A single instance: creating an error takes as long as reading a file. */
const unknown = new Unknown();

const NEWLINE = 10;
const SPACE = 32;
const DOUBLE_QUOTE = 34;
const HASH = 35;
const SINGLE_QUOTE = 39;
const DASH = 45;
const COLON = 58;
const BACKSLASH = 92;
const BAR = 124;

/** The maximum depth; the full reader counts deeper levels. */
const MAX_DEPTH = 32;

/** 1 for the characters with which a plain scalar may start. A dash needs another character than a space after it. */
const starts = new Uint8Array(128).fill(1, SPACE + 1, 127);
for (const char of '?:,[]{}#&*!|>\'"%@`') starts[char.charCodeAt(0)] = 0;

/** Matches a plain key that is a merge, or that ends or separates documents. */
const NO_KEY = /^(?:<<$|-$|---|\.\.\.)/;

/** Matches an escape of a whole character that JSON has, too. */
const JSON_ESCAPE = /\\(?:["\\/bfnrt]|u(?![dD][89a-fA-F])[0-9a-fA-F]{4})/y;

/**
 * Reads the YAML of most files: mappings and lists in block style, with scalars on one line and literal blocks. It takes
 * a quarter of the time of the full reader, and reads all that `emitYaml` writes, but not a key of more than a thousand
 * characters, `__proto__`, and more than 32 levels.
 *
 * @param source one document, without any of the characters that YAML forbids
 * @returns the value of the full reader; undefined for all other YAML and for any problem, which the full reader reports
 */
export function readBlockStyle(source: string): BlockDocument | undefined {
  if (source.includes('\t') || source.includes('\r')) return undefined;
  try {
    return new BlockReader(source).document();
  } catch (error) {
    if (error === unknown) return undefined;
    throw error;
  }
}

class BlockReader {
  readonly #source: string;
  /** Whether the last line break was added. */
  readonly #isPadded: boolean;
  /** The offset of the first character with content in the line. */
  #at = 0;
  /** The column of that character; -1 after the last line. */
  #indent = 0;

  constructor(source: string) {
    this.#isPadded = !source.endsWith('\n');
    this.#source = this.#isPadded ? `${source}\n` : source;
  }

  document(): BlockDocument | undefined {
    this.#toLine(this.#source.startsWith('---\n') ? 4 : 0);
    if (this.#indent !== 0) return undefined;
    const root = this.#at;
    const value = this.#mapping(0, 0);
    return this.#at === this.#source.length ? { value, root } : undefined;
  }

  /** Moves to the first line with content from the start of a line on. */
  #toLine(start: number): void {
    const source = this.#source;
    const { length } = source;
    let lineStart = start;
    while (lineStart < length) {
      let at = lineStart;
      let c = source.charCodeAt(at);
      while (c === SPACE) c = source.charCodeAt(++at);
      if (c !== NEWLINE && c !== HASH) {
        this.#at = at;
        this.#indent = at - lineStart;
        return;
      }
      lineStart = c === NEWLINE ? at + 1 : this.#lineEnd(at) + 1;
    }
    this.#at = length;
    this.#indent = -1;
  }

  /** The offset of the line break after an offset. */
  #lineEnd(at: number): number {
    return this.#source.indexOf('\n', at);
  }

  /** Moves to the next line with content, if there is nothing else on this one but spaces and a comment. */
  #endLine(end: number): void {
    const source = this.#source;
    let at = end;
    let c = source.charCodeAt(at);
    while (c === SPACE) c = source.charCodeAt(++at);
    if (c === NEWLINE) this.#toLine(at + 1);
    else if (c === HASH && at > end) this.#toLine(this.#lineEnd(at) + 1);
    else throw unknown;
  }

  /** Reads the mapping whose first key is at the current offset. */
  #mapping(indent: number, depth: number): Record<string, unknown> {
    if (depth > MAX_DEPTH) throw unknown;
    const mapping: Record<string, unknown> = {};
    do {
      const key = this.#key();
      if (key === '__proto__' || Object.hasOwn(mapping, key)) throw unknown;
      mapping[key] = this.#field(indent, depth);
    } while (this.#indent === indent);
    if (this.#indent > indent) throw unknown;
    return mapping;
  }

  /** Reads a key, and moves behind its colon. */
  #key(): string {
    const source = this.#source;
    const start = this.#at;
    const first = source.charCodeAt(start);
    if (first === DOUBLE_QUOTE) {
      const end = this.#quotedEnd(start);
      if (!this.#isColon(end)) throw unknown;
      this.#at = end + 1;
      return this.#doubleQuoted(start, end);
    }
    if (starts[first] === 0 || this.#isDash(start)) throw unknown;
    let at = start;
    while (!this.#isColon(at)) {
      const c = source.charCodeAt(at);
      if (c === NEWLINE || (c === HASH && source.charCodeAt(at - 1) === SPACE)) throw unknown;
      at += 1;
    }
    const key = source.slice(start, at);
    if (source.charCodeAt(at - 1) === SPACE || plainKey(key) !== key || NO_KEY.test(key))
      throw unknown;
    this.#at = at + 1;
    return key;
  }

  /** Whether a colon behind a key is at an offset. */
  #isColon(at: number): boolean {
    if (this.#source.charCodeAt(at) !== COLON) return false;
    const follower = this.#source.charCodeAt(at + 1);
    return follower === SPACE || follower === NEWLINE;
  }

  /** Reads the value behind a colon. */
  #field(indent: number, depth: number): unknown {
    const source = this.#source;
    let at = this.#at;
    let c = source.charCodeAt(at);
    while (c === SPACE) c = source.charCodeAt(++at);
    if (c !== NEWLINE && c !== HASH) return this.#scalar(at, indent);
    this.#endLine(this.#at);
    const isDash = this.#isDash(this.#at);
    if (this.#indent < indent || (this.#indent === indent && !isDash)) return null;
    return isDash ? this.#list(this.#indent, depth + 1) : this.#mapping(this.#indent, depth + 1);
  }

  #isDash(at: number): boolean {
    return this.#source.charCodeAt(at) === DASH && this.#source.charCodeAt(at + 1) === SPACE;
  }

  /** Reads the list whose first dash is at the current offset. */
  #list(indent: number, depth: number): unknown[] {
    if (depth > MAX_DEPTH) throw unknown;
    const source = this.#source;
    const list: unknown[] = [];
    do {
      const dash = this.#at;
      let at = dash + 1;
      while (source.charCodeAt(at) === SPACE) at += 1;
      this.#at = at;
      const column = indent + at - dash;
      if (this.#isDash(at)) list.push(this.#list(column, depth + 1));
      else if (this.#isKey(at)) list.push(this.#mapping(column, depth + 1));
      else list.push(this.#scalar(at, indent));
    } while (this.#indent === indent && this.#isDash(this.#at));
    if (this.#indent > indent) throw unknown;
    return list;
  }

  /** Whether a key with a colon is at an offset. */
  #isKey(start: number): boolean {
    const source = this.#source;
    if (source.charCodeAt(start) === DOUBLE_QUOTE) return this.#isColon(this.#quotedEnd(start));
    let at = start;
    let c = source.charCodeAt(at);
    while (c !== NEWLINE && !(c === COLON && this.#isColon(at))) c = source.charCodeAt(++at);
    return c === COLON;
  }

  /** Reads the scalar at an offset, and moves to the next line. It is inside a collection in a column. */
  #scalar(start: number, indent: number): unknown {
    const source = this.#source;
    switch (source.charCodeAt(start)) {
      case DOUBLE_QUOTE: {
        const end = this.#quotedEnd(start);
        const text = this.#doubleQuoted(start, end);
        this.#endLine(end);
        return text;
      }
      case SINGLE_QUOTE:
        return this.#singleQuoted(start);
      case BAR:
        return this.#literal(start, indent);
      default:
    }
    const isList = source.startsWith('[]', start);
    if (isList || source.startsWith('{}', start)) {
      this.#endLine(start + 2);
      return isList ? [] : {};
    }
    return this.#plain(start);
  }

  #plain(start: number): unknown {
    const source = this.#source;
    let c = source.charCodeAt(start);
    if (starts[c] === 0 || this.#isDash(start)) throw unknown;
    let at = start;
    let end = start;
    while (c !== NEWLINE) {
      if (c === COLON && this.#isColon(at)) throw unknown;
      if (c === HASH && end < at) break;
      at += 1;
      if (c !== SPACE) end = at;
      c = source.charCodeAt(at);
    }
    const text = source.slice(start, end);
    const value = resolvePlain(text);
    if (text === '-' || value instanceof NotJson) throw unknown;
    this.#endLine(end);
    return value;
  }

  /** Returns the offset behind the closing quote of a text in double quotes. */
  #quotedEnd(start: number): number {
    const source = this.#source;
    let at = start + 1;
    let c = source.charCodeAt(at);
    while (c !== DOUBLE_QUOTE) {
      if (c === NEWLINE) throw unknown;
      if (c === BACKSLASH) {
        JSON_ESCAPE.lastIndex = at;
        if (!JSON_ESCAPE.test(source)) throw unknown;
        at = JSON_ESCAPE.lastIndex;
      } else at += 1;
      c = source.charCodeAt(at);
    }
    return at + 1;
  }

  #doubleQuoted(start: number, end: number): string {
    const raw = this.#source.slice(start, end);
    return raw.includes('\\') ? (JSON.parse(raw) as string) : raw.slice(1, -1);
  }

  #singleQuoted(start: number): string {
    const end = this.#source.indexOf("'", start + 1) + 1;
    const text = this.#source.slice(start + 1, end - 1);
    if (end === 0 || text.includes('\n')) throw unknown;
    this.#endLine(end);
    return text;
  }

  /** Reads a literal block without a number in its header. */
  #literal(header: number, indent: number): string {
    const source = this.#source;
    const isStripped = source.charCodeAt(header + 1) === DASH;
    const start = header + (isStripped ? 2 : 1);
    if (source.charCodeAt(start) !== NEWLINE) throw unknown;
    const width = this.#spacesAt(start + 1);
    if (width <= indent) throw unknown;
    const lines: string[] = [];
    let lineStart = start + 1;
    let count = 0;
    while (lineStart < source.length) {
      const lineEnd = this.#lineEnd(lineStart);
      const spaces = this.#spacesAt(lineStart);
      if (spaces > 0 && lineStart + spaces === lineEnd) throw unknown;
      if (lineEnd > lineStart && spaces < width) break;
      lines.push(source.slice(lineStart + width, lineEnd));
      if (lineEnd > lineStart) count = lines.length;
      lineStart = lineEnd + 1;
    }
    if (count === 0 || (lineStart >= source.length && this.#isPadded)) throw unknown;
    const text = lines.slice(0, count).join('\n');
    this.#toLine(lineStart);
    return isStripped ? text : `${text}\n`;
  }

  #spacesAt(start: number): number {
    let at = start;
    while (this.#source.charCodeAt(at) === SPACE) at += 1;
    return at - start;
  }
}
