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
  const offset = findTooDeep(text);
  if (offset !== undefined) throw new JsonTooDeep(offset);
  return JSON.parse(text) as unknown;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const BRACKET = 0x5b;
const BRACE = 0x7b;
/** A closing bracket or brace is two above the opening one. */
const CLOSING = 2;

function findTooDeep(text: string): number | undefined {
  let depth = 0;
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (code === QUOTE) i = endOfString(text, i);
    else if (code === BRACKET || code === BRACE) {
      depth += 1;
      if (depth > MAX_JSON_DEPTH) return i;
    } else if (code === BRACKET + CLOSING || code === BRACE + CLOSING) depth -= 1;
  }
  return undefined;
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
