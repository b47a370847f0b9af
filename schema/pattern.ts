import { RE2JS, RE2JSException } from 're2js';
import { toNative } from './pattern/subset.ts';

/** A regular expression as the API server understands it: Go's syntax and semantics (RE2). */
export interface Pattern {
  /** Why the API server refuses the pattern; absent when it does not. */
  readonly error?: string;
  /**
   * Whether some part of the text matches, in time that does not explode; never for a pattern that
   * is refused. Names of Unicode classes (`\p{L}`) are of Unicode 17, the API server's of 15.
   */
  test(value: string): boolean;
  /** Whether matching the text takes longer than a few seconds: a long one, and a long pattern. */
  takesTooLong(value: string): boolean;
}

/** Characters of a text times those of a pattern, by which the time for RE2 grows. */
const MOST_STEPS = 50_000_000;

/** Beyond this length RE2's linear time is the better bargain. */
const LONGEST_NATIVE = 2048;

const known = new Map<string, Pattern>();

/**
 * The pattern, compiled once. JavaScript's own engine matches what it provably matches alike and
 * without much backtracking; RE2 in JavaScript the rest.
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
      if (value.length <= LONGEST_NATIVE) return native.test(value);
      return (long ??= throughRe2(pattern)).test(value);
    },
    takesTooLong: takesTooLong(pattern),
  };
}

const takesTooLong = (pattern: string) => (value: string) =>
  value.length * pattern.length > MOST_STEPS;

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

/** The pattern for what else than a test is asked of it. Throws RE2JSException for one that is refused. */
export function compileRe2(pattern: string): RE2JS {
  return RE2JS.compile(asInGo(pattern.toWellFormed()));
}

/** An expression that is matched in time that grows with the length of a text, never faster. */
export interface LinearExpression {
  test(text: string): boolean;
}

/**
 * An expression in Go's syntax that was built of what somebody else wrote, such as a glob; undefined where it
 * is none. JavaScript's own engine would try one way after another.
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

/** What Go takes and its port to JavaScript does not: long names of classes, and one name twice. */
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
