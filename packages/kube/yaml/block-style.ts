import { NotJson, plainKey, resolvePlain } from './scalar.ts';

/** Matches a line: a key, a dash or neither, and the rest. The full YAML reader handles all other lines. */
const LINE = /( *)(- +)?(?:([A-Za-z_][\w./-]{0,200}):(?: +|(?=\n|$)))?([^\n]*)(?:\n|$)/y;

/** Matches an unquoted text on one line without a comment and without a key. */
const PLAIN = /^(?:[\w/.+~$(<=]|-(?=[^ ]))(?:[^ :]|:(?=[^ ])| +(?=[^ #]))*$/;
const QUOTED = /^(?:"[^"\\]*"|'[^']*')$/;

/** The maximum depth; the full YAML reader counts deeper levels. */
const DEEP = 32;

/** The error for YAML that this reader does not know. */
class Unknown extends Error {}
/** A single instance: creating an error takes as long as reading a file. */
const unknown = new Unknown();

/** A line with content. */
interface Line {
  /** The column of its dash or key. */
  readonly indent: number;
  /** The column behind its dash; undefined without one. */
  readonly item: number | undefined;
  readonly key: string | undefined;
  /** The scalar at its end; empty if there is none. */
  readonly rest: string;
}

/**
 * Reads the YAML of most files: mappings and lists in block style, with scalars on one line, plain or quoted without
 * escapes. It takes a third of the time of the full YAML reader.
 *
 * @param source one document, without any of the characters that YAML forbids
 * @returns the same value as the full YAML reader; undefined for all other YAML and for any problem, which the full
 * reader reports
 */
export function readBlockStyle(source: string): { readonly value: unknown } | undefined {
  if (/[\t\r]/.test(source)) return undefined;
  const lines = linesOf(source);
  if (lines === undefined || lines.length === 0) return undefined;
  try {
    return { value: new BlockReader(lines).document() };
  } catch (error) {
    if (error instanceof Unknown) return undefined;
    throw error;
  }
}

/** Splits a text into lines; undefined if one of them has another form. */
function linesOf(source: string): Line[] | undefined {
  const lines: Line[] = [];
  LINE.lastIndex = source.startsWith('---\n') ? 4 : 0;
  while (LINE.lastIndex < source.length) {
    const [, spaces = '', dash, key, rest = ''] = LINE.exec(source)!;
    if (dash === undefined && key === undefined) {
      if (rest !== '' && !rest.startsWith('#')) return undefined;
    } else {
      const indent = spaces.length;
      const item = dash === undefined ? undefined : indent + dash.length;
      lines.push({ indent, item, key, rest });
    }
  }
  return lines;
}

class BlockReader {
  readonly #lines: readonly Line[];
  #next = 0;

  constructor(lines: readonly Line[]) {
    this.#lines = lines;
  }

  document(): unknown {
    const value = this.#collection(0);
    if (this.#next < this.#lines.length) throw unknown;
    return value;
  }

  /** Reads the mapping or list that begins with the next line. */
  #collection(depth: number): unknown {
    const { indent, item } = this.#lines[this.#next]!;
    if (depth > DEEP) throw unknown;
    return item === undefined ? this.#mapping(indent, depth) : this.#list(indent, depth);
  }

  #list(indent: number, depth: number): unknown[] {
    const list: unknown[] = [];
    for (let line = this.#lines[this.#next]; line; line = this.#lines[this.#next]) {
      const { item, key, rest } = line;
      if (line.indent < indent || (line.indent === indent && item === undefined)) break;
      if (line.indent > indent || item === undefined) throw unknown;
      if (key === undefined) {
        list.push(scalar(rest));
        this.#next += 1;
      } else list.push(this.#mapping(item, depth + 1));
    }
    return list;
  }

  /** Reads a mapping. Its first line may have the dash of a list item before the key. */
  #mapping(indent: number, depth: number): Record<string, unknown> {
    const mapping: Record<string, unknown> = {};
    const first = this.#next;
    for (let line = this.#lines[first]; line; line = this.#lines[this.#next]) {
      const column = (this.#next === first ? line.item : undefined) ?? line.indent;
      if (column < indent) break;
      const isDash = line.item !== undefined && this.#next > first;
      if (column > indent || isDash || line.key === undefined) throw unknown;
      const key = plainKey(line.key);
      if (key !== line.key || key === '__proto__' || Object.hasOwn(mapping, key)) {
        throw unknown;
      }
      this.#next += 1;
      mapping[key] = line.rest === '' ? this.#below(indent, depth) : scalar(line.rest);
    }
    return mapping;
  }

  /** Reads what is under a key with an empty rest: deeper lines, or a list that begins in the key's column. */
  #below(indent: number, depth: number): unknown {
    const line = this.#lines[this.#next];
    if (line === undefined) return null;
    const isInside = line.indent > indent || (line.indent === indent && line.item !== undefined);
    return isInside ? this.#collection(depth + 1) : null;
  }
}

function scalar(text: string): unknown {
  if (QUOTED.test(text)) return text.slice(1, -1);
  if (text === '{}') return {};
  if (text === '[]') return [];
  if (!PLAIN.test(text)) throw unknown;
  const value = resolvePlain(text);
  if (value instanceof NotJson) throw unknown;
  return value;
}
