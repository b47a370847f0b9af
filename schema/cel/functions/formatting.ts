import { written } from '../stringliteral.ts';
import { ListValue, MapValue } from '../collection.ts';
import { Failure, Undecided } from '../failure.ts';
import {
  compareStrings,
  Duration,
  Timestamp,
  TypeValue,
  typeNameOf,
  Uint,
  type Value,
} from '../value.ts';
import { utf8 } from './bytes.ts';
import { stringOf } from './conversions.ts';

/** What one `%` of a format asks for. */
export interface Clause {
  readonly verb: 's' | 'd' | 'f' | 'e' | 'b' | 'x' | 'X' | 'o';
  readonly precision: number;
}

const DEFAULT_PRECISION = 6;
/** As many as JavaScript writes, none of them rounded for numbers that anyone formats. */
const MOST_PLACES = 100;

/**
 * A format as the texts around its clauses: one more than there are clauses. Throws a Failure where
 * it is none.
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
    const places = precision === undefined ? DEFAULT_PRECISION : Number(precision.slice(1));
    clauses.push({ verb: verb as Clause['verb'], precision: places });
    texts.push('');
  }
  texts[texts.length - 1] += text.slice(from);
  return { texts, clauses };
}

/** `'%s has %d'.format(['a', 1])`. */
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
      if (Number.isNaN(double)) return 'NaN';
      if (!Number.isFinite(double)) return double < 0 ? '-∞' : '∞';
      return verb === 'f' ? fixed(double, precision) : exponential(double, precision);
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

/** `%s`. */
function plain(value: Value): string {
  if (value === null) return 'null';
  if (value instanceof ListValue) return `[${Array.from(value, within).join(', ')}]`;
  if (value instanceof MapValue) return formatMap(value);
  const type = typeNameOf(value);
  if (/^(?:optional_type|net\.|kubernetes\.)/.test(type)) {
    throw new Failure(
      'string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, ' +
        `types, durations, and timestamps, was given ${type}`,
    );
  }
  return stringOf(value);
}

/** A value in a list or a map: as CEL would write it. */
function within(value: Value): string {
  if (typeof value === 'string') return quote(value);
  if (value instanceof Uint8Array) return `b${quote(stringOf(value))}`;
  if (value instanceof Timestamp) return `timestamp("${stringOf(value)}")`;
  if (value instanceof Duration) return `duration("${stringOf(value)}")`;
  if (typeof value === 'number') {
    if (Number.isFinite(value)) return rounded(value, DEFAULT_PRECISION);
    return `"${stringOf(value)}"`;
  }
  if (value instanceof TypeValue) return value.name;
  return plain(value);
}

function formatMap(map: MapValue): string {
  const pairs = Array.from(map.keys(), (key) => {
    if (typeof key === 'number' || key instanceof Timestamp) {
      throw new Failure(`no formatting function for map key of type ${typeNameOf(key)}`);
    }
    return [within(key), within(map.find(key)!)] as const;
  });
  const sorted = pairs.toSorted(([a], [b]) => compareStrings(a, b));
  return `{${sorted.map(([key, value]) => `${key}:${value}`).join(', ')}}`;
}

/** Go's `%q`. */
function quote(text: string): string {
  const escaped = text.replaceAll(/["\\]|[^\x20-\x7e]/gu, (letter) => {
    const short = written[letter];
    if (short !== undefined) return short;
    const code = letter.codePointAt(0)!;
    if (code < 0x80) return `\\x${code.toString(16).padStart(2, '0')}`;
    if (/[\p{L}\p{M}\p{N}\p{P}\p{S}]/u.test(letter)) return letter;
    throw new Undecided('it quotes characters that do not print');
  });
  return `"${escaped}"`;
}

/** English grouping: `1,234.500000`. */
function fixed(value: number, precision: number): string {
  const text = rounded(value === 0 ? 0 : value, precision);
  if (/^-[0.]*$/.test(text)) throw new Undecided('it formats a number that is almost zero');
  const [, sign, whole, rest] = /^(-?)(\d+)(.*)$/.exec(text)!;
  return sign! + whole!.replaceAll(/\B(?=(?:\d{3})+$)/g, ',') + rest;
}

/** `1.052033×10⁰³`: always six places; the API server takes the precision for the least width. */
function exponential(value: number, width: number): string {
  if (width > 12) throw new Undecided('it asks for a scientific number of some width');
  const [digits, exponent] = (value === 0 ? 0 : value).toExponential(DEFAULT_PRECISION).split('e');
  const power = String(Math.abs(Number(exponent))).padStart(2, '0');
  const raised = Array.from(power, (digit) => '⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(digit)]).join('');
  return `${digits}×10${Number(exponent) < 0 ? '⁻' : ''}${raised}`;
}

/** To the nearest, and halves to the even digit, of the number that the double is exactly. */
function rounded(value: number, precision: number): string {
  if (precision > 60 || Math.abs(value) >= 1e21) throw new Undecided('it formats a long number');
  const exact = Math.abs(value).toFixed(MOST_PLACES);
  const cut = exact.indexOf('.') + 1 + precision;
  const [kept, rest] = [exact.slice(0, cut).replace('.', ''), exact.slice(cut)];
  const half = rest.startsWith('5') && /^50*$/.test(rest);
  const up = half ? Number(kept.at(-1)) % 2 === 1 : rest >= '5';
  const digits = String(BigInt(kept) + (up ? 1n : 0n)).padStart(precision + 1, '0');
  const text =
    precision === 0 ? digits : `${digits.slice(0, -precision)}.${digits.slice(-precision)}`;
  return value < 0 || Object.is(value, -0) ? `-${text}` : text;
}
