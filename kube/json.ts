/** Collections inside collections. Deeper than any schema is, and not too deep for the stack. */
export const MAX_JSON_DEPTH = 500;

/** JSON that is nested too deep for us to read. */
export class JsonTooDeep extends SyntaxError {
  /** Where the collection that is too deep begins, in UTF-16 units. */
  readonly offset: number;

  constructor(offset: number) {
    super(`must be nested at most ${MAX_JSON_DEPTH} deep, got more`);
    this.name = 'JsonTooDeep';
    this.offset = offset;
  }
}

/**
 * Parses JSON that somebody else wrote. `JSON.parse` itself takes any depth, and whatever then recurses
 * over the value overflows the stack. Throws SyntaxError for a text that is no JSON, and JsonTooDeep, which
 * is one, for a value that is nested too deep.
 */
export function parseJson(text: string): unknown {
  checkJsonDepth(text);
  return JSON.parse(text) as unknown;
}

/** Throws JsonTooDeep for a text with a collection that is nested too deep. */
export function checkJsonDepth(text: string): void {
  const offset = findTooDeep(text);
  if (offset !== undefined) throw new JsonTooDeep(offset);
}

/**
 * The text with `placeholder` in place of every collection that is nested too deep, and the text itself where
 * there is none.
 */
export function replaceTooDeep(text: string, placeholder: string): string {
  const kept: string[] = [];
  let start = 0;
  for (let from = findTooDeep(text); from !== undefined; from = findTooDeep(text, start)) {
    kept.push(text.slice(start, from), placeholder);
    start = endOfCollection(text, from);
  }
  return start === 0 ? text : kept.join('') + text.slice(start);
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const BRACKET = 0x5b;
const BRACE = 0x7b;
/** A closing bracket or brace is two above the opening one. */
const CLOSING = 2;

/** @param start the end of the collection that was found last, whose parent is as deep as is read */
function findTooDeep(text: string, start = 0): number | undefined {
  let depth = start === 0 ? 0 : MAX_JSON_DEPTH;
  for (let i = start; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (code === QUOTE) i = endOfString(text, i);
    else if (code === BRACKET || code === BRACE) {
      depth += 1;
      if (depth > MAX_JSON_DEPTH) return i;
    } else if (code === BRACKET + CLOSING || code === BRACE + CLOSING) depth -= 1;
  }
  return undefined;
}

/** The place after a collection that begins at `start`; that after the text where it does not end. */
function endOfCollection(text: string, start: number): number {
  let depth = 0;
  for (let i = start; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (code === QUOTE) i = endOfString(text, i);
    else if (code === BRACKET || code === BRACE) depth += 1;
    else if (code === BRACKET + CLOSING || code === BRACE + CLOSING) depth -= 1;
    if (depth === 0) return i + 1;
  }
  return text.length;
}

/** The place of the quote that ends a string. */
function endOfString(text: string, start: number): number {
  for (let i = start + 1; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (code === QUOTE) return i;
    if (code === BACKSLASH) i += 1;
  }
  return text.length;
}
