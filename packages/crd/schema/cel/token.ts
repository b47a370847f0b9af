import { BrokenExpression } from './failure.ts';
import { MAX_UINT, Uint } from './value.ts';

/** One token of CEL. The text of a literal is kept, because `-` may belong to it. */
export interface Token {
  readonly kind:
    'name' | 'int' | 'uint' | 'double' | 'string' | 'bytes' | 'sign' | 'escaped' | 'end';
  readonly text: string;
  readonly at: number;
  readonly value?: string | number | Uint | Uint8Array;
}

const blank = /(?:[ \t\r\n\f]|\/\/[^\n]*)*/y;
const name = /[A-Za-z_][A-Za-z0-9_]*/y;
/** A field whose name is not an identifier, where the environment supports it. */
const escapedName = /`[A-Za-z0-9_./ -]+`/y;
const double = /\d+\.\d+(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+|\.\d+(?:[eE][+-]?\d+)?/y;
const integer = /(?:0x[0-9a-fA-F]+|\d+)([uU])?/y;
const sign = /==|!=|<=|>=|&&|\|\||[<>[\]{}().,\-!?:+*/%]/y;
const escaped = String.raw`\\(?:[abfnrtv"'\\?${'`'}]|[xX][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[0-3][0-7]{2})`;
const quoted = new RegExp(
  [
    String.raw`[rR]"""[^]*?"""|[rR]'''[^]*?'''|[rR]"[^"\n\r]*"|[rR]'[^'\n\r]*'`,
    String.raw`"""(?:${escaped}|[^\\])*?"""|'''(?:${escaped}|[^\\])*?'''`,
    String.raw`"(?:${escaped}|[^\\"\n\r])*"|'(?:${escaped}|[^\\'\n\r])*'`,
  ].join('|'),
  'y',
);

/**
 * Splits an expression into tokens. Throws BrokenExpression for invalid text.
 *
 * Source: https://github.com/google/cel-spec/blob/master/doc/langdef.md#syntax
 */
export function tokens(text: string): Token[] {
  const found: Token[] = [];
  let at = 0;
  const take = (pattern: RegExp, from = at): RegExpExecArray | null => {
    pattern.lastIndex = from;
    return pattern.exec(text);
  };
  for (;;) {
    at += take(blank)![0].length;
    if (at >= text.length) break;
    const token = next(text, at, take);
    if (!token) {
      const what = /["']/.test(text[at]!) ? 'a string that ends' : 'CEL';
      throw new BrokenExpression(`must be ${what}, got '${text.slice(at, at + 10)}'`, at);
    }
    found.push(token);
    at += token.text.length;
  }
  found.push({ kind: 'end', text: '', at: text.length });
  return found;
}

function next(
  text: string,
  at: number,
  take: (pattern: RegExp, from?: number) => RegExpExecArray | null,
): Token | undefined {
  const isBytes = /[bB]/.test(text[at]!);
  const string = take(quoted, isBytes ? at + 1 : at);
  if (string) {
    const written = isBytes ? text[at]! + string[0] : string[0];
    const kind = isBytes ? 'bytes' : 'string';
    return { kind, text: written, at, value: unquote(string[0], isBytes, at) };
  }
  const word = take(name);
  if (word) return { kind: 'name', text: word[0], at };
  const fraction = take(double);
  if (fraction) {
    const value = Number(fraction[0]);
    if (!Number.isFinite(value)) {
      throw new BrokenExpression(`must be a double of 64 bits, got ${fraction[0]}`, at);
    }
    return { kind: 'double', text: fraction[0], at, value };
  }
  const whole = take(integer);
  if (whole?.[1]) {
    const value = BigInt(whole[0].slice(0, -1));
    if (value > MAX_UINT) throw new BrokenExpression(`must be a uint, got ${whole[0]}`, at);
    return { kind: 'uint', text: whole[0], at, value: new Uint(value) };
  }
  if (whole) return { kind: 'int', text: whole[0], at };
  const field = take(escapedName);
  if (field) return { kind: 'escaped', text: field[0], at };
  const other = take(sign);
  return other ? { kind: 'sign', text: other[0], at } : undefined;
}

/** The meanings of letters after a backslash in Go; other characters represent themselves. */
export const escapes: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

/** The escapes of characters between double quotes, for those that are not written as themselves. */
export const written: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(escapes).map(([letter, char]) => [char, `\\${letter}`])),
  '\\': '\\\\',
  '"': '\\"',
};

const escape = /\\(?:[xX]([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-7]{3})|([^]))/g;

/** Decodes a CEL string or bytes literal; `at` is its position. */
function unquote(literal: string, isBytes: false, at: number): string;
function unquote(literal: string, isBytes: boolean, at: number): string | Uint8Array;
function unquote(literal: string, isBytes: boolean, at: number): string | Uint8Array {
  const text = literal.replaceAll(/\r\n?/g, '\n');
  const isRaw = /^[rR]/.test(text);
  const start = isRaw ? 1 : 0;
  const width = /^(?:"""|''')/.test(text.slice(start)) && text.length - start >= 6 ? 3 : 1;
  const body = text.slice(start + width, -width);
  if (isBytes) return parseBytes(isRaw ? undefined : at, body);
  if (isRaw) return body;
  return body.replaceAll(escape, (...[, x, u, U, octal, other]: (string | undefined)[]) => {
    if (other !== undefined) return escapes[other] ?? other;
    return character(octal ? Number.parseInt(octal, 8) : Number.parseInt((x ?? u ?? U)!, 16), at);
  });
}

function character(code: number, at: number): string {
  if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) {
    throw new BrokenExpression(`must be a character of Unicode, got ${code.toString(16)}`, at);
  }
  return String.fromCodePoint(code);
}

/** Decodes the body. `at` is undefined for a raw literal, which has no escapes. */
function parseBytes(at: number | undefined, body: string): Uint8Array {
  if (at === undefined) return new TextEncoder().encode(body);
  const bytes: number[] = [];
  let from = 0;
  for (const match of body.matchAll(escape)) {
    bytes.push(...new TextEncoder().encode(body.slice(from, match.index)));
    from = match.index + match[0].length;
    const [, x, u, U, octal, other] = match;
    if (u !== undefined || U !== undefined) {
      throw new BrokenExpression('must be bytes: \\x41 and \\101, no \\u0041', at);
    }
    if (other !== undefined) bytes.push((escapes[other] ?? other).charCodeAt(0));
    else bytes.push(octal ? Number.parseInt(octal, 8) : Number.parseInt(x!, 16));
  }
  bytes.push(...new TextEncoder().encode(body.slice(from)));
  return Uint8Array.from(bytes);
}
