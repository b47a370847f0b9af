import { isMapping } from './mapping.ts';

/** The maximum depth of nested collections: deeper than any schema, and not too deep for the stack. */
export const MAX_JSON_DEPTH = 500;

/** The error for JSON that is nested too deep. */
export class JsonTooDeep extends SyntaxError {
  /** The start of the collection that is too deep, in UTF-16 units. */
  readonly offset: number;

  constructor(offset: number) {
    super(`must be nested at most ${MAX_JSON_DEPTH} deep, got more`);
    this.name = 'JsonTooDeep';
    this.offset = offset;
  }
}

/**
 * Parses JSON of others. `JSON.parse` itself accepts any depth, and a recursion over the value would overflow the
 * stack. It throws SyntaxError for a text that is not JSON, and its subclass JsonTooDeep for a value that is nested too
 * deep.
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

/** Replaces every collection that is nested too deep by `placeholder`; returns the text itself if there is none. */
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
/** The distance in code units from an opening to a closing bracket or brace. */
const CLOSING = 2;

/** @param start the end of the collection that was found last, whose parent has the maximum depth */
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

/** Returns the end of a collection that begins at `start`; the end of the text if the collection does not end. */
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

/** Returns the position of the quote that ends a string. */
function endOfString(text: string, start: number): number {
  for (let i = start + 1; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (code === QUOTE) return i;
    if (code === BACKSLASH) i += 1;
  }
  return text.length;
}

/**
 * Whether two JSON values are equal, whatever the order of their keys.
 * @param alike compares two values that are neither identical nor both lists or both objects
 */
export function isDeepEqual(
  a: unknown,
  b: unknown,
  alike: (a: unknown, b: unknown) => boolean = () => false,
): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) {
    return (
      Array.isArray(b) &&
      a.length === b.length &&
      a.every((item, i) => isDeepEqual(item, b[i], alike))
    );
  }
  if (!isMapping(a) || !isMapping(b)) return alike(a, b);
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && isDeepEqual(a[key], b[key], alike))
  );
}

/** Formats a JSON value with sorted keys, so that equal values have equal texts. `nothing` is the text of undefined. */
export function formatCanonicalJson(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(sortKeys(value));
}

/** Returns the value with the keys of all objects in it sorted. A replacer of `JSON.stringify` would be much slower. */
function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (!isMapping(value)) return value;
  const keys = Object.keys(value).toSorted();
  return Object.fromEntries(keys.map((key) => [key, sortKeys(value[key])]));
}
