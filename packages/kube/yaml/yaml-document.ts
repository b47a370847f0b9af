import { EVENT_ID, SCALAR_STYLE, getScalarValue, parseEvents } from 'js-yaml';
import type { Event, ScalarEvent } from 'js-yaml';
import type { Path } from '../problem.ts';
import { plainKey, resolvePlain } from './scalar.ts';

/** A position in a text; both numbers from 1, the column in UTF-16 units, as editors count. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** The line starts of a text, computed on first use. A text may have many positions to convert. */
export class Lines {
  readonly #text: string;
  #starts: number[] | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  /** Converts an offset to a position; a line ends with LF, CRLF or CR. */
  findPosition(offset: number): Position {
    this.#starts ??= findLineStarts(this.#text);
    let [low, high] = [0, this.#starts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.#starts[middle]! <= offset) low = middle;
      else high = middle;
    }
    return { line: low + 1, column: offset - this.#starts[low]! + 1 };
  }
}

function findLineStarts(text: string): number[] {
  const starts = [0];
  for (let i = 0; i < text.length; i += 1) {
    const c = text.charCodeAt(i);
    if (c === 10 || (c === 13 && text.charCodeAt(i + 1) !== 10)) starts.push(i + 1);
  }
  return starts;
}

/** Matches the header of a block scalar, at the end of its line. */
const BLOCK_HEADER = /[|>][-+0-9]*[ \t]*(?:[ \t]#.*)?\r?$/;

/**
 * Returns the start of the node of `events[index]` in `source`: its first character, or for an omitted value (`a:`) the
 * node before it.
 */
export function eventOffset(source: string, events: readonly Event[], index: number): number {
  const event = events[index];
  switch (event?.type) {
    case EVENT_ID.MAPPING:
    case EVENT_ID.SEQUENCE:
      return event.start;
    case EVENT_ID.ALIAS:
      return event.anchorStart - 1;
    case EVENT_ID.SCALAR:
      if (event.tagStart !== -1) return event.tagStart;
      if (event.valueStart !== -1) return scalarOffset(source, event);
      return event.anchorStart === -1
        ? eventOffset(source, events, index - 1)
        : event.anchorStart - 1;
    case EVENT_ID.POP:
      return eventOffset(source, events, index - 1);
    default:
      return 0;
  }
}

function scalarOffset(source: string, event: ScalarEvent): number {
  switch (event.style) {
    case SCALAR_STYLE.PLAIN:
      return event.valueStart;
    case SCALAR_STYLE.SINGLE_QUOTED:
    case SCALAR_STYLE.DOUBLE_QUOTED:
      return event.valueStart - 1;
    default: {
      const lineStart = source.lastIndexOf('\n', event.valueStart - 2) + 1;
      const header = source.slice(lineStart, event.valueStart).trimEnd();
      return lineStart + Math.max(0, header.search(BLOCK_HEADER));
    }
  }
}

/** The place of a value and its key (for a list item, the item) in a document. */
interface Location {
  readonly keyOffset: number;
  readonly offset: number;
  /** How much of the path exists; the offsets are those of the last existing part. */
  readonly depth: number;
  /** The text of the last part, if it is a scalar without quotes and without a tag. */
  readonly text: string | undefined;
}

/**
 * Follows a path through the events of one document as far as it exists. It does not follow aliases: the path then ends
 * at the alias.
 */
function locate(source: string, events: readonly Event[], path: Path): Location {
  let at = 1;
  let keyAt = 1;
  let depth = 0;
  for (const part of path) {
    const found = child(source, events, at, part);
    if (found === undefined) break;
    [keyAt, at] = found;
    depth += 1;
  }
  return {
    keyOffset: eventOffset(source, events, keyAt),
    offset: eventOffset(source, events, at),
    depth,
    text: plainText(source, events[at]),
  };
}

function plainText(source: string, event: Event | undefined): string | undefined {
  if (event?.type !== EVENT_ID.SCALAR || event.tagStart !== -1) return undefined;
  const isPlain = event.style === SCALAR_STYLE.PLAIN && event.valueStart !== -1;
  return isPlain ? getScalarValue(source, event) : undefined;
}

/** Returns the indices of the events of a child's key and value. */
function child(
  source: string,
  events: readonly Event[],
  at: number,
  part: string | number,
): [number, number] | undefined {
  const parent = events[at];
  const isMapping = parent?.type === EVENT_ID.MAPPING;
  if (!isMapping && parent?.type !== EVENT_ID.SEQUENCE) return undefined;
  let index = at + 1;
  for (let i = 0; events[index]?.type !== EVENT_ID.POP && index < events.length; i += 1) {
    const value = isMapping ? after(events, index) : index;
    const key = isMapping ? keyOf(source, events[index]!) : i;
    if (key === (isMapping ? String(part) : Number(part))) return [index, value];
    index = after(events, value);
  }
  return undefined;
}

function keyOf(source: string, event: Event): string | undefined {
  if (event.type !== EVENT_ID.SCALAR) return undefined;
  const text = getScalarValue(source, event);
  if (event.style !== SCALAR_STYLE.PLAIN || event.tagStart !== -1) return text;
  const key = plainKey(text);
  return typeof key === 'string' ? key : undefined;
}

/** Returns the index of the event after the node at `index`. */
function after(events: readonly Event[], index: number): number {
  let open = 0;
  for (let i = index; i < events.length; i += 1) {
    const type = events[i]!.type;
    if (type === EVENT_ID.MAPPING || type === EVENT_ID.SEQUENCE) open += 1;
    else if (type === EVENT_ID.POP) open -= 1;
    if (open <= 0) return i + 1;
  }
  return events.length;
}

/** The maximum depth: deeper than any schema, and not too deep for the stack. */
export const LOOSE_DEPTH = 500;

/** The text of a document, and its start in the text that positions refer to. */
export interface Chunk {
  readonly text: string;
  readonly lines: Lines;
  readonly start: number;
  readonly source: string;
}

/** A document that was read without a problem. */
export class YamlDocument {
  /** Plain JSON data: a tree that nothing else refers to. Never null. */
  readonly value: unknown;
  /** The index, from 0, among the non-empty documents of the text, refused ones included. */
  readonly index: number;
  readonly #lines: Lines;
  readonly #start: number;
  readonly #source: string;
  readonly #root: number;
  #events: readonly Event[] | undefined;

  constructor(value: unknown, index: number, { lines, start, source }: Chunk, root = 0) {
    this.value = value;
    this.index = index;
    this.#lines = lines;
    this.#start = start;
    this.#source = source;
    this.#root = root;
  }

  /** The text with its comments, without the line `---` before it. */
  get text(): string {
    return this.#source.replace(/^---[^\n]*\n/, '');
  }

  /** Returns the position of the value at a path, or else of its nearest existing ancestor. */
  positionAt(path: Path): Position {
    // Most callers need the begin of the document only, for which it is not parsed again.
    return this.#position(path.length === 0 ? this.#root : this.#locate(path).offset);
  }

  /**
   * Returns the position of the key of the value at a path (for a list item, the item), or else of that of its nearest
   * existing ancestor.
   */
  keyPositionAt(path: Path): Position {
    return this.#position(this.#locate(path).keyOffset);
  }

  /**
   * Returns the text of an unquoted scalar that reads as something else, such as `yes` as true, or `0644` as 420.
   * Undefined if the value is as written, or absent.
   */
  misreadTextAt(path: Path): string | undefined {
    const { text, depth } = this.#locate(path);
    if (text === undefined || depth < path.length) return undefined;
    const value = resolvePlain(text);
    return typeof value === 'string' || String(value) === text ? undefined : text;
  }

  #locate(path: Path): Location {
    this.#events ??= parseEvents(this.#source, { maxDepth: LOOSE_DEPTH + 2 });
    return locate(this.#source, this.#events, path);
  }

  #position(offset: number): Position {
    return this.#lines.findPosition(this.#start + offset);
  }
}
