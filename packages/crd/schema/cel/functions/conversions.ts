import type { ListValue, MapValue } from '../collection.ts';
import { Failure } from '../failure.ts';
import type { Functions } from '../overload.ts';
import { formatTimestamp, parseDuration, parseTimestamp } from './times.ts';
import {
  Duration,
  floorDivide,
  int,
  MAX_INT,
  MAX_UINT,
  MIN_INT,
  Timestamp,
  TypeValue,
  typeNameOf,
  Uint,
  uint,
  type Value,
} from '../value.ts';

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export const utf8 = (text: string): Uint8Array => encoder.encode(text);

/** Decodes UTF-8; undefined if the bytes are invalid. */
export function fromUtf8(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}

const cannot = (from: string, to: string): Failure =>
  new Failure(`type conversion error from '${from}' to '${to}'`);

const trueTexts = new Set(['1', 't', 'T', 'true', 'TRUE', 'True']);
const falseTexts = new Set(['0', 'f', 'F', 'false', 'FALSE', 'False']);

/** Go's `time.Duration.Seconds`. */
const seconds = ({ nanos }: Duration): number =>
  Number(nanos / 1_000_000_000n) + Number(nanos % 1_000_000_000n) / 1e9;

/** Converts every value that `string(value)` accepts to text. */
export function formatValue(value: Value): string {
  if (typeof value === 'number') return formatGeneral(value);
  if (value instanceof Uint) return String(value.value);
  if (value instanceof Duration) return `${formatPlain(seconds(value))}s`;
  if (value instanceof Timestamp) return formatTimestamp(value);
  if (value instanceof TypeValue) return value.name;
  if (!(value instanceof Uint8Array)) return String(value);
  const text = fromUtf8(value);
  if (text === undefined) throw new Failure('invalid UTF-8 in bytes, cannot convert to string');
  return text;
}

/** Truncates towards zero. NaN is outside every range. */
function truncateToWhole(double: number, isInRange: boolean, overflow: string): bigint {
  if (!isInRange) throw new Failure(overflow);
  return BigInt(Math.trunc(double));
}

function parseInteger(
  text: string,
  pattern: RegExp,
  least: bigint,
  most: bigint,
): bigint | undefined {
  if (!pattern.test(text)) return undefined;
  const value = BigInt(text);
  return value >= least && value <= most ? value : undefined;
}

/** CEL's conversions, and the functions that it defines for every value. */
export const conversions: Functions = {
  'dyn(A): dyn': (value: Value) => value,
  'type(A): type<A>': (value: Value) => new TypeValue(typeNameOf(value)),
  'size(bytes): int': (bytes: Uint8Array) => BigInt(bytes.length),
  'bytes::size(): int': (bytes: Uint8Array) => BigInt(bytes.length),
  'size(list<A>): int': (list: ListValue) => BigInt(list.size),
  'list<A>::size(): int': (list: ListValue) => BigInt(list.size),
  'size(map<A, B>): int': (map: MapValue) => BigInt(map.size),
  'map<A, B>::size(): int': (map: MapValue) => BigInt(map.size),
  'size(string): int': (text: string) => codePoints(text),
  'string::size(): int': (text: string) => codePoints(text),
  'bool(bool): bool': (value: boolean) => value,
  'bool(string): bool': (text: string) => {
    if (!trueTexts.has(text) && !falseTexts.has(text)) throw cannot('string', 'bool');
    return trueTexts.has(text);
  },
  'bytes(bytes): bytes': (value: Uint8Array) => value,
  'bytes(string): bytes': utf8,
  'double(double): double': (value: number) => value,
  'double(int): double': Number,
  'double(uint): double': ({ value }: Uint) => Number(value),
  'double(string): double': (text: string) => {
    const value = parseDouble(text);
    if (value === undefined) throw cannot('string', 'double');
    return value;
  },
  'duration(duration): duration': (value: Duration) => value,
  'duration(string): duration': (text: string) => {
    const value = parseDuration(text);
    if (!value) throw cannot('string', 'google.protobuf.Duration');
    return value;
  },
  'int(int): int': (value: bigint) => value,
  'int(uint): int': ({ value }: Uint) => int(value),
  // The smallest integer is excluded, as in cel-go.
  'int(double): int': (value: number) =>
    truncateToWhole(value, value > -(2 ** 63) && value < 2 ** 63, 'integer overflow'),
  'int(duration): int': ({ nanos }: Duration) => nanos,
  'int(timestamp): int': ({ nanos }: Timestamp) => floorDivide(nanos, 1_000_000_000n),
  'int(string): int': (text: string) => {
    const value = parseInteger(text, /^[+-]?\d+$/, MIN_INT, MAX_INT);
    if (value === undefined) throw cannot('string', 'int');
    return value;
  },
  'string(string): string': (value: string) => value,
  'string(bool): string': formatValue,
  'string(bytes): string': formatValue,
  'string(double): string': formatValue,
  'string(duration): string': formatValue,
  'string(int): string': formatValue,
  'string(timestamp): string': formatValue,
  'string(uint): string': formatValue,
  'timestamp(timestamp): timestamp': (value: Timestamp) => value,
  'timestamp(int): timestamp': (seconds: bigint) => new Timestamp(seconds * 1_000_000_000n),
  'timestamp(string): timestamp': (text: string) => {
    const value = parseTimestamp(text);
    if (!value) throw cannot('string', 'google.protobuf.Timestamp');
    return value;
  },
  'uint(uint): uint': (value: Uint) => value,
  'uint(int): uint': (value: bigint) => uint(value),
  'uint(double): uint': (value: number) =>
    new Uint(truncateToWhole(value, value >= 0 && value < 2 ** 64, 'unsigned integer overflow')),
  'uint(string): uint': (text: string) => {
    const value = parseInteger(text, /^\d+$/, 0n, MAX_UINT);
    if (value === undefined) throw cannot('string', 'uint');
    return new Uint(value);
  },
};

/** Counts the characters of a text as Go does. */
function codePoints(text: string): bigint {
  let count = 0n;
  for (let i = 0; i < text.length; i += text.codePointAt(i)! > 0xffff ? 2 : 1) count += 1n;
  return count;
}

/** Functions that the API server declares but does not evaluate. */
export const conversionsDeclared: Functions = {
  'duration(int): duration': () => {
    throw cannot('int', 'google.protobuf.Duration');
  },
};

/** Formats a double as Go's `%g`: `1.5`, `1e+06`, `+Inf`. */
function formatGeneral(value: number): string {
  if (!Number.isFinite(value)) return notFinite(value);
  const [digits, exponent] = scientific(value);
  return exponent < -4 || exponent >= 6 ? withExponent(digits, exponent) : formatPlain(value);
}

/** Formats with the shortest digits without an exponent, as Go's `strconv.FormatFloat(value, 'f', -1, 64)`. */
function formatPlain(value: number): string {
  if (!Number.isFinite(value)) return notFinite(value);
  const text = Object.is(value, -0) ? '-0' : String(value);
  if (!text.includes('e')) return text;
  const [digits, exponent] = scientific(value);
  const sign = digits.startsWith('-') ? '-' : '';
  const plain = digits.replace('-', '');
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${plain}`;
  return sign + plain.padEnd(exponent + 1, '0');
}

const notFinite = (value: number): string =>
  Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';

/** Returns the shortest digits (with the sign) and the exponent of the first digit. */
function scientific(value: number): [string, number] {
  const [digits, exponent] = value.toExponential().split('e');
  return [digits!.replace('.', ''), Number(exponent)];
}

function withExponent(digits: string, exponent: number): string {
  const [, sign, first, rest] = /^(-?)(\d)(\d*)$/.exec(digits)!;
  const power = String(Math.abs(exponent)).padStart(2, '0');
  return `${sign}${first}${rest && `.${rest}`}e${exponent < 0 ? '-' : '+'}${power}`;
}

/** Parses a number as Go's `strconv.ParseFloat`; undefined if that refuses it. */
function parseDouble(text: string): number | undefined {
  const special = /^([+-]?)(inf|infinity|nan)$/i.exec(text);
  if (special) {
    if (/nan/i.test(special[2]!)) return special[1] === '' ? Number.NaN : undefined;
    return special[1] === '-' ? -Infinity : Infinity;
  }
  if (/^[+-]?0[xX]/.test(text)) return parseHexadecimal(text);
  if (!/^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(text)) return undefined;
  const value = Number(text);
  return Number.isFinite(value) ? value : undefined;
}

/** Parses `0x1.8p3`; the exponent is required. */
function parseHexadecimal(text: string): number | undefined {
  const match = /^([+-]?)0[xX]([0-9a-f]*)(?:\.([0-9a-f]*))?[pP]([+-]?\d+)$/i.exec(text);
  if (!match) return undefined;
  const [, sign, whole = '', fraction = '', exponent] = match;
  if (whole + fraction === '') return undefined;
  const digits = Number.parseInt(whole + fraction, 16);
  const value = digits * 2 ** (Number(exponent) - 4 * fraction.length);
  if (!Number.isFinite(value)) return undefined;
  return sign === '-' ? -value : value;
}
