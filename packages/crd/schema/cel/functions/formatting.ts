import { written } from '../token.ts';
import { ListValue, MapValue } from '../collection.ts';
import { Failure, Undecided } from '../failure.ts';
import {
  compareStrings,
  Duration,
  MAX_INT,
  Timestamp,
  typeNameOf,
  Uint,
  type Value,
} from '../value.ts';
import { takeSteps } from '../spending.ts';
import { utf8, formatValue } from './conversions.ts';

/** One `%` clause of a format. */
export interface Clause {
  readonly verb: 's' | 'd' | 'f' | 'e' | 'b' | 'x' | 'X' | 'o';
  readonly precision: number;
}

const DEFAULT_PRECISION = 6;
/** The longest precision that is formatted here. Beyond it the API server counts in bytes and drops some digits. */
const MAX_PLACES = 200;

/**
 * Parses a format into its clauses and the texts around them: one text more than there are clauses. Throws a Failure if
 * the text is not a valid format.
 */
export function parseFormat(text: string): { texts: string[]; clauses: Clause[] } {
  const texts = [''];
  const clauses: Clause[] = [];
  let from = 0;
  for (const match of text.matchAll(/%(?:(%)|(\.\d*)?([^]?))/g)) {
    texts[texts.length - 1] += text.slice(from, match.index);
    from = match.index + match[0].length;
    const [, percent, precision, verb = ''] = match;
    if (percent) {
      texts[texts.length - 1] += '%';
      continue;
    }
    if (precision === '.' || verb === '') throw new Failure('unexpected end of string');
    if (!/[sdfebxXo]/.test(verb)) throw new Failure(`unrecognized formatting clause "${verb}"`);
    const places = precision === undefined ? DEFAULT_PRECISION : BigInt(precision.slice(1));
    if (places > MAX_INT) throw new Failure(`precision out of range: ${places}`);
    clauses.push({ verb: verb as Clause['verb'], precision: Number(places) });
    texts.push('');
  }
  texts[texts.length - 1] += text.slice(from);
  return { texts, clauses };
}

/** Formats a text: `'%s has %d'.format(['a', 1])`. */
export function format(text: string, args: ListValue): string {
  const { texts, clauses } = parseFormat(text);
  return texts
    .map((part, i) => {
      const clause = clauses[i];
      if (!clause) return part;
      if (i >= args.size) throw new Failure(`index ${i} out of range`);
      return part + formatted(clause, args.at(i));
    })
    .join('');
}

function formatted({ verb, precision }: Clause, value: Value): string {
  const type = typeNameOf(value);
  const wrong = (what: string): Failure => new Failure(`${what}, was given ${type}`);
  const whole = value instanceof Uint ? value.value : value;
  switch (verb) {
    case 's':
      return plain(value);
    case 'd':
      if (typeof whole === 'bigint') return String(whole);
      throw wrong('decimal clause can only be used on integers');
    case 'o':
      if (typeof whole === 'bigint') return whole.toString(8);
      throw wrong('octal clause can only be used on integers');
    case 'b':
      if (typeof whole === 'boolean') return whole ? '1' : '0';
      if (typeof whole === 'bigint') return whole.toString(2);
      throw wrong('only integers and bools can be formatted as binary');
    case 'x':
    case 'X': {
      const digits = hexadecimal(whole);
      if (digits === undefined) {
        throw wrong('only integers, byte buffers, and strings can be formatted as hex');
      }
      return verb === 'X' ? digits.toUpperCase() : digits;
    }
    default: {
      const double = typeof value === 'string' ? special[value] : value;
      const what = verb === 'f' ? 'fixed-point' : 'scientific';
      if (typeof double !== 'number') throw wrong(`${what} clause can only be used on doubles`);
      if (precision > MAX_PLACES) throw new Undecided('it formats a long number');
      // The API server uses the precision of a number in scientific notation as its minimum width.
      return verb === 'f' ? fixed(double, precision) : scientific(double).padStart(precision);
    }
  }
}

const special: Readonly<Record<string, number>> = {
  NaN: Number.NaN,
  Infinity,
  '-Infinity': -Infinity,
};

function hexadecimal(value: Value): string | undefined {
  if (typeof value === 'bigint') return value.toString(16);
  const bytes = typeof value === 'string' ? utf8(value) : value;
  if (!(bytes instanceof Uint8Array)) return undefined;
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

const printable = new Set([
  'bool',
  'bytes',
  'double',
  'google.protobuf.Duration',
  'google.protobuf.Timestamp',
  'int',
  'string',
  'type',
  'uint',
]);

/** The steps that a value takes, since its text is made and joined: two million values take about a second. */
const STEPS = 10;

function plain(value: Value): string {
  takeSteps(STEPS);
  if (value === null) return 'null';
  if (value instanceof ListValue) return `[${Array.from(value, within).join(', ')}]`;
  if (value instanceof MapValue) return formatMap(value);
  const type = typeNameOf(value);
  if (printable.has(type)) return formatValue(value);
  throw new Failure(
    'string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, ' +
      `types, durations, and timestamps, was given ${type}`,
  );
}

/** Formats a value in a list or a map as CEL would write it. */
function within(value: Value): string {
  if (typeof value === 'string') return quote(value);
  if (value instanceof Uint8Array) return `b${quote(formatValue(value))}`;
  if (value instanceof Timestamp) return `timestamp("${formatValue(value)}")`;
  if (value instanceof Duration) return `duration("${formatValue(value)}")`;
  if (typeof value !== 'number') return plain(value);
  return Number.isFinite(value) ? rounded(value, DEFAULT_PRECISION) : `"${formatValue(value)}"`;
}

const keys = new Set(['bool', 'int', 'string', 'uint']);

function formatMap(map: MapValue): string {
  const pairs = Array.from(map.keys(), (key) => {
    const type = typeNameOf(key);
    if (!keys.has(type)) throw new Failure(`no formatting function for map key of type ${type}`);
    return [within(key), within(map.find(key)!)] as const;
  });
  const sorted = pairs.toSorted(([a], [b]) => compareStrings(a, b));
  return `{${sorted.map(([key, value]) => `${key}:${value}`).join(', ')}}`;
}

/** Quotes as Go's `%q`. Uses the printable characters of Unicode 17; the API server uses Unicode 15. */
function quote(text: string): string {
  const escaped = text
    .toWellFormed()
    .replaceAll(/["\\]|[^ \p{L}\p{M}\p{N}\p{P}\p{S}]/gu, (letter) => {
      const code = letter.codePointAt(0)!;
      const [mark, width] = code < 0x80 ? ['x', 2] : code <= 0xffff ? ['u', 4] : ['U', 8];
      return written[letter] ?? `\\${mark}${code.toString(16).padStart(Number(width), '0')}`;
    });
  return `"${escaped}"`;
}

/** Formats with English grouping: `1,234.500000`. */
function fixed(value: number, precision: number): string {
  if (!Number.isFinite(value)) return notFinite(value);
  const [whole, ...rest] = rounded(value === 0 ? 0 : value, precision).split('.');
  return [whole!.replaceAll(/\B(?=(?:\d{3})+$)/g, ','), ...rest].join('.');
}

/** Formats in scientific notation: `1.052033×10⁰³`, always six decimal places. */
function scientific(value: number): string {
  if (!Number.isFinite(value)) return notFinite(value);
  const power = Number(value.toExponential(20).split('e')[1]);
  const digits = String(nearest(value, DEFAULT_PRECISION - power)).padEnd(PLACES, '0');
  const exponent = power + digits.length - PLACES;
  const raised = String(Math.abs(exponent)).padStart(2, '0');
  return [
    value < 0 ? '-' : '',
    `${digits[0]}.${digits.slice(1, PLACES)}×10`,
    exponent < 0 ? '⁻' : '',
    ...Array.from(raised, (digit) => '⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(digit)]),
  ].join('');
}

const PLACES = DEFAULT_PRECISION + 1;

function notFinite(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  return value < 0 ? '-∞' : '∞';
}

function rounded(value: number, precision: number): string {
  const digits = String(nearest(value, precision)).padStart(precision + 1, '0');
  const text =
    precision === 0 ? digits : `${digits.slice(0, -precision)}.${digits.slice(-precision)}`;
  return value < 0 || Object.is(value, -0) ? `-${text}` : text;
}

/**
 * Returns the integer nearest to `value * 10 ** power`, without its sign, for the exact value of the double. Ties round
 * to even.
 */
function nearest(value: number, power: number): bigint {
  const [numerator, denominator] = toFraction(Math.abs(value));
  const scale = 10n ** BigInt(Math.abs(power));
  const [above, below] =
    power < 0 ? [numerator, denominator * scale] : [numerator * scale, denominator];
  const [quotient, rest] = [above / below, (above % below) * 2n];
  const isUp = rest > below || (rest === below && quotient % 2n === 1n);
  return isUp ? quotient + 1n : quotient;
}

/** Converts a double to a numerator and a denominator. */
function toFraction(value: number): [bigint, bigint] {
  let [whole, halves] = [value, 0n];
  for (; !Number.isInteger(whole); whole *= 2) halves += 1n;
  return [BigInt(whole), 2n ** halves];
}
