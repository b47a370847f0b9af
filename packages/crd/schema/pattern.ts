import { RE2JS, RE2JSException } from 're2js';
import { toNative } from './pattern/subset.ts';

/** A regular expression as the API server interprets it: Go's syntax and semantics (RE2). */
interface Pattern {
  /** Why the API server refuses the pattern; absent if it does not. */
  readonly error?: string;
  /**
   * Whether some part of the text matches, without exponential time; always false for a refused pattern. Names of
   * Unicode classes (`\p{L}`) are of Unicode 17; the API server uses Unicode 15.
   */
  test(value: string): boolean;
  /** Whether matching the text takes longer than a few seconds, as with a long text and a long pattern. */
  takesTooLong(value: string): boolean;
}

/** The maximum product of the characters of a text and of a pattern, with which the time of RE2 grows. */
const MAX_STEPS = 50_000_000;

/** The length above which RE2's linear time is faster. */
const MAX_NATIVE_LENGTH = 2048;

const known = new Map<string, Pattern>();

/**
 * Compiles a pattern, once. JavaScript's own engine handles patterns that provably match the same without much
 * backtracking; RE2 in JavaScript handles the rest.
 *
 * Source: https://pkg.go.dev/regexp/syntax
 */
export function compilePattern(pattern: string): Pattern {
  const compiled = known.get(pattern) ?? compile(pattern);
  if (known.size < 10_000) known.set(pattern, compiled);
  return compiled;
}

function compile(pattern: string): Pattern {
  const source = toNative(pattern);
  if (source === undefined) return throughRe2(pattern);
  const native = new RegExp(source, 'u');
  let long: Pattern | undefined;
  return {
    test(value) {
      if (value.length <= MAX_NATIVE_LENGTH) return native.test(value);
      return (long ??= throughRe2(pattern)).test(value);
    },
    takesTooLong: takesTooLong(pattern),
  };
}

const takesTooLong = (pattern: string) => (value: string) =>
  value.length * pattern.length > MAX_STEPS;

function throughRe2(pattern: string): Pattern {
  try {
    const compiled = compileRe2(pattern);
    return {
      test: (value) => compiled.test(value.toWellFormed()),
      takesTooLong: takesTooLong(pattern),
    };
  } catch (cause) {
    if (!(cause instanceof RE2JSException)) throw cause;
    return {
      takesTooLong: () => false,
      error: cause.message.replace(/^error parsing regexp: /, ''),
      test: () => false,
    };
  }
}

/** Compiles a pattern with RE2, for operations other than a test. Throws RE2JSException for a refused pattern. */
export function compileRe2(pattern: string): RE2JS {
  return RE2JS.compile(asInGo(pattern.toWellFormed()));
}

/** An expression whose matching time is linear in the length of the text. */
export interface LinearExpression {
  test(text: string): boolean;
}

/**
 * Compiles an expression in Go's syntax that was built from somebody else's input, such as a glob. Returns undefined if
 * it is not valid. JavaScript's own engine could backtrack without bounds.
 */
export function compileLinear(source: string): LinearExpression | undefined {
  try {
    const compiled = compileRe2(source);
    return { test: (text) => compiled.test(text.toWellFormed()) };
  } catch (cause) {
    if (!(cause instanceof RE2JSException)) throw cause;
    return undefined;
  }
}

/** Rewrites what Go accepts and its JavaScript port does not: long names of classes, and a repeated group name. */
function asInGo(pattern: string): string {
  return pattern.replaceAll(
    /\\Q[^]*?(?:\\E|$)|\\[pP]\{(\^?)([^}]*)\}|\\[^]|\(\?P?<\w+>/gu,
    (text, negation: string | undefined, name: string | undefined) => {
      if (text.startsWith('(')) return '(';
      if (name === undefined) return text;
      const short = classNames[name.toLowerCase().replaceAll(/[-_ ]/g, '')];
      return short === undefined ? text : `${text.slice(0, 2)}{${negation}${short}}`;
    },
  );
}

/** Source: the property value aliases of https://www.unicode.org/Public/15.0.0/ucd/ */
const classNames: Readonly<Record<string, string>> = {
  ascii: 'ASCII',
  casedletter: 'LC',
  closepunctuation: 'Pe',
  cntrl: 'Cc',
  combiningmark: 'M',
  connectorpunctuation: 'Pc',
  control: 'Cc',
  currencysymbol: 'Sc',
  dashpunctuation: 'Pd',
  decimalnumber: 'Nd',
  digit: 'Nd',
  enclosingmark: 'Me',
  finalpunctuation: 'Pf',
  format: 'Cf',
  initialpunctuation: 'Pi',
  letter: 'L',
  letternumber: 'Nl',
  lineseparator: 'Zl',
  lowercaseletter: 'Ll',
  mark: 'M',
  mathsymbol: 'Sm',
  modifierletter: 'Lm',
  modifiersymbol: 'Sk',
  nonspacingmark: 'Mn',
  number: 'N',
  openpunctuation: 'Ps',
  other: 'C',
  otherletter: 'Lo',
  othernumber: 'No',
  otherpunctuation: 'Po',
  othersymbol: 'So',
  paragraphseparator: 'Zp',
  privateuse: 'Co',
  punct: 'P',
  punctuation: 'P',
  separator: 'Z',
  spaceseparator: 'Zs',
  spacingmark: 'Mc',
  surrogate: 'Cs',
  symbol: 'S',
  titlecaseletter: 'Lt',
  unassigned: 'Cn',
  uppercaseletter: 'Lu',
};
