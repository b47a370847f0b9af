import { BrokenExpression } from './failure.ts';

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
export function unquote(literal: string, isBytes: false, at: number): string;
export function unquote(literal: string, isBytes: boolean, at: number): string | Uint8Array;
export function unquote(literal: string, isBytes: boolean, at: number): string | Uint8Array {
  const text = literal.replaceAll(/\r\n?/g, '\n');
  const isRaw = /^[rR]/.test(text);
  const start = isRaw ? 1 : 0;
  const width = /^(?:"""|''')/.test(text.slice(start)) && text.length - start >= 6 ? 3 : 1;
  const body = text.slice(start + width, -width);
  if (isBytes) return bytesOf(isRaw ? undefined : at, body);
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
function bytesOf(at: number | undefined, body: string): Uint8Array {
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
