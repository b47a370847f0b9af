/**
 * A set of characters, as precise as patterns of plain text need it. Bits 0 to 127 are ASCII. The two letters beyond it
 * that ignore-case equates with `s` and `k` have a bit each. The last bit represents every other character.
 */
export type CharSet = bigint;

const LONG_S = 128n;
const KELVIN = 129n;
const OTHERS = 1n << 130n;

export const ALL: CharSet = (1n << 131n) - 1n;

export function charSet(...codes: number[]): CharSet {
  return codes.reduce((set, code) => set | (1n << BigInt(code)), 0n);
}

export function charRange(from: number, to: number): CharSet {
  return (1n << BigInt(to + 1)) - (1n << BigInt(from));
}

export function complement(set: CharSet): CharSet {
  return ALL ^ set;
}

const UPPER = charRange(65, 90);
const LOWER = charRange(97, 122);

/** Adds all characters that ignore-case equates with a member of the set. */
export function foldCase(set: CharSet): CharSet {
  let folded = set | ((set & UPPER) << 32n) | ((set & LOWER) >> 32n);
  const [s, k] = [charSet(83, 115), charSet(75, 107)];
  if (set & (1n << LONG_S)) folded |= s;
  if (set & (1n << KELVIN)) folded |= k;
  if (folded & s) folded |= 1n << LONG_S;
  if (folded & k) folded |= 1n << KELVIN;
  return folded;
}

export const DIGITS = charRange(48, 57);
export const WORD = DIGITS | UPPER | LOWER | charSet(95);
/** Go's `\s`, without the vertical tab and without characters beyond ASCII. */
export const SPACE = charSet(9, 10, 12, 13, 32);
export const NOT_NEWLINE = complement(charSet(10));

/** Formats the set in JavaScript's syntax under the flag `u`. */
export function toSource(set: CharSet): string {
  if (set === ALL) return '[^]';
  const code = set.toString(2).length - 1;
  if (code < 128 && set === 1n << BigInt(code)) return hex(code);
  return set & OTHERS ? `[^${members(complement(set))}]` : `[${members(set)}]`;
}

function members(set: CharSet): string {
  let text = '';
  for (let code = 0; code < 128; code += 1) {
    if (!(set & (1n << BigInt(code)))) continue;
    const from = code;
    while (code < 127 && set & (1n << BigInt(code + 1))) code += 1;
    text += code === from ? hex(from) : `${hex(from)}-${hex(code)}`;
  }
  if (set & (1n << LONG_S)) text += '\\u017f';
  if (set & (1n << KELVIN)) text += '\\u212a';
  return text;
}

function hex(code: number): string {
  const char = String.fromCharCode(code);
  return /[A-Za-z0-9]/.test(char) ? char : `\\x${code.toString(16).padStart(2, '0')}`;
}
