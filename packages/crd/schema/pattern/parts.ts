/** Parts of a pattern, the sets of characters that they match, and combinations of parts. */

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
function toSource(set: CharSet): string {
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

/** The properties of a part of a pattern. */
export interface Part {
  readonly source: string;
  readonly min: number;
  readonly max: number;
  /** All characters that a match can contain, begin with and end with. */
  readonly chars: CharSet;
  readonly first: CharSet;
  readonly last: CharSet;
  /** The characters that can be adjacent within a match. */
  readonly pairs: readonly (readonly [CharSet, CharSet])[];
  /** Whether no match begins, or ends, with another match that is shorter. */
  readonly prefixFree: boolean;
  readonly suffixFree: boolean;
  /** Whether there is at most one way to match a whole text. */
  readonly single: boolean;
  /** The number of choices that the rest of the text can prove wrong: each costs time. */
  readonly open: number;
  /** Whether it matches only at the beginning of the text. */
  readonly anchored: boolean;
  /** The greatest product of nested counts. */
  readonly count: number;
}

export const EMPTY: Part = {
  source: '',
  min: 0,
  max: 0,
  chars: 0n,
  first: 0n,
  last: 0n,
  pairs: [],
  prefixFree: true,
  suffixFree: true,
  single: true,
  open: 0,
  anchored: false,
  count: 1,
};

/** Go's bound of `{n}`, also for the product of nested counts. */
const MAX_REPEATED = 1000;
const MAX_PAIRS = 100;

/** The pattern is outside the subset. This is a limit of this translator and no fault of the pattern. */
export class UnsupportedPattern extends Error {}

export function single(set: CharSet): Part {
  return {
    ...EMPTY,
    source: toSource(set),
    min: 1,
    max: 1,
    chars: set,
    first: set,
    last: set,
  };
}

export function sequence(a: Part, b: Part): Part {
  if (a === EMPTY) return b;
  const pairs = [...a.pairs, ...b.pairs];
  if (pairs.length > MAX_PAIRS) throw new UnsupportedPattern();
  const isCertain =
    a.prefixFree ||
    b.suffixFree ||
    (a.chars & b.first) === 0n ||
    (a.last & b.chars) === 0n ||
    (a.min + b.min > 0 && !occurs(a.last, b.first, pairs));
  return {
    source: a.source + b.source,
    min: a.min + b.min,
    max: a.max + b.max,
    chars: a.chars | b.chars,
    first: a.first | (a.min === 0 ? b.first : 0n),
    last: b.last | (b.min === 0 ? a.last : 0n),
    pairs: a.max > 0 && b.max > 0 ? [...pairs, [a.last, b.first]] : pairs,
    prefixFree: a.prefixFree && b.prefixFree,
    suffixFree: a.suffixFree && b.suffixFree,
    single: a.single && b.single && isCertain,
    open: a.open + b.open + (isCertain ? 0 : 1),
    anchored: a.anchored || (a.max === 0 && b.anchored),
    count: Math.max(a.count, b.count),
  };
}

function occurs(left: CharSet, right: CharSet, pairs: Part['pairs']): boolean {
  return pairs.some(([a, b]) => (a & left) !== 0n && (b & right) !== 0n);
}

export function either(parts: readonly Part[]): Part {
  const every = (differ: (a: Part, b: Part) => boolean): boolean =>
    parts.every((a, i) => parts.slice(i + 1).every((b) => differ(a, b)));
  const firstDiffers = every((a, b) => (a.first & b.first) === 0n && a.min + b.min > 0);
  const lastDiffers = every((a, b) => (a.last & b.last) === 0n && a.min + b.min > 0);
  const lengthDiffers = every((a, b) => a.max < b.min || b.max < a.min);
  const union = (of: (part: Part) => CharSet): CharSet => parts.reduce((s, p) => s | of(p), 0n);
  const differs = firstDiffers || lastDiffers || lengthDiffers;
  const least = Math.min(...parts.map(({ min }) => min));
  const most = Math.max(...parts.map(({ max }) => max));
  const isFixed = least === most && least > 0;
  return {
    source: parts.map(({ source }) => source).join('|'),
    min: least,
    max: most,
    chars: union(({ chars }) => chars),
    first: union(({ first }) => first),
    last: union(({ last }) => last),
    pairs: parts.flatMap(({ pairs }) => pairs),
    prefixFree: isFixed || (least > 0 && firstDiffers && parts.every((part) => part.prefixFree)),
    suffixFree: isFixed || (least > 0 && lastDiffers && parts.every((part) => part.suffixFree)),
    single: differs && parts.every((part) => part.single),
    open: Math.max(...parts.map(({ open }) => open)) + (differs ? 0 : 1),
    anchored: parts.every(({ anchored }) => anchored),
    count: Math.max(...parts.map(({ count }) => count)),
  };
}

/**
 * Repeats a part. A part can be repeated only if a text has at most one match, and only if the ends of the repetitions
 * are unambiguous.
 */
export function repeat(part: Part, least: number, most: number): Part {
  const source = `${part.source}${quantifier(least, most)}`;
  const count = part.count * Math.max(1, most === Infinity ? least : most);
  if (count > MAX_REPEATED) throw new UnsupportedPattern();
  if (most === 0) return EMPTY;
  const isExact = least === most;
  const repeated = {
    ...part,
    source,
    count,
    min: part.min * least,
    max: part.max * most,
    prefixFree: part.prefixFree && isExact,
    suffixFree: part.suffixFree && isExact,
    anchored: part.anchored && least > 0,
  };
  if (most === 1) {
    const isCertain = isExact || part.min > 0;
    const open = part.open + (isCertain ? 0 : 1);
    return { ...repeated, single: part.single && isCertain, open };
  }
  const { prefixFree, suffixFree, last, first, pairs } = part;
  const isCertain = prefixFree || suffixFree || !occurs(last, first, pairs);
  if (!part.single || part.min === 0 || !isCertain) throw new UnsupportedPattern();
  return { ...repeated, pairs: [...pairs, [last, first]] };
}

function quantifier(least: number, most: number): string {
  if (most === Infinity && least < 2) return least === 0 ? '*' : '+';
  if (least === 0 && most === 1) return '?';
  return least === most ? `{${least}}` : `{${least},${most === Infinity ? '' : most}}`;
}
