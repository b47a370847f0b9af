/**
 * Resolves plain (unquoted) YAML scalars as kubectl, Argo CD and the API server do. These are the rules of `resolve` in
 * go.yaml.in/yaml/v2, which sigs.k8s.io/yaml v1.6 converts to JSON: YAML 1.1 booleans, octal `0644`, hexadecimal,
 * binary, underscores; no base 60, and timestamps are strings.
 */
import type { Finding } from '../finding.ts';
import { formatBrief, show, type Path } from '../problem.ts';

/** The reason why a scalar has no value here; it follows the place in a message: `must be ...`. */
export class NotJson {
  readonly must: string;

  constructor(must: string) {
    this.must = must;
  }
}

const INFINITE = new NotJson('must be a number that JSON can hold');
const INEXACT = new NotJson('must be an integer within ±9007199254740991 (2^53 - 1)');
const FLOAT_KEY = new NotJson('must be a string as a key (write it in quotes)');

const words = new Map<string, boolean | null | NotJson>([
  ...['y', 'Y', 'yes', 'Yes', 'YES', 'true', 'True', 'TRUE', 'on', 'On', 'ON'].map(
    (word) => [word, true] as const,
  ),
  ...['n', 'N', 'no', 'No', 'NO', 'false', 'False', 'FALSE', 'off', 'Off', 'OFF'].map(
    (word) => [word, false] as const,
  ),
  ...['~', 'null', 'Null', 'NULL'].map((word) => [word, null] as const),
  ...['.nan', '.NaN', '.NAN', '.inf', '.Inf', '.INF', '+.inf', '+.Inf', '+.INF'].map(
    (word) => [word, INFINITE] as const,
  ),
  ...['-.inf', '-.Inf', '-.INF'].map((word) => [word, INFINITE] as const),
]);

/** The length of the longest word. */
const MAX_WORD_LENGTH = 5;
const WORD = 1;
const DOT = 2;
const NUMBER = 3;

/** What a first character allows; 0, for all other characters, means a string without further checks. */
const hints = new Uint8Array(128);
for (const c of 'yYnNtTfFoO~') hints[c.charCodeAt(0)] = WORD;
for (const c of '+-0123456789') hints[c.charCodeAt(0)] = NUMBER;
hints['.'.charCodeAt(0)] = DOT;

/**
 * Returns the JSON value of a plain scalar; a string is returned as it is. It returns `NotJson` for infinities, NaN and
 * for 64-bit integers beyond 2^53, which a JSON reader would change silently. No field of Kubernetes needs them, so they
 * are refused instead of rounded. An integer of more than 64 bits is a floating-point number, as it is for kubectl.
 */
export function resolvePlain(text: string): string | number | boolean | null | NotJson {
  if (text === '') return null;
  const first = text.charCodeAt(0);
  switch (first < 128 ? hints[first] : 0) {
    case WORD: {
      const value = word(text);
      return value === undefined ? text : value;
    }
    case DOT:
      return word(text) ?? dotted(text) ?? text;
    case NUMBER: {
      const special = word(text);
      if (special !== undefined) return special;
      const plain = text.includes('_') ? text.replaceAll('_', '') : text;
      return integer(plain) ?? float(plain) ?? text;
    }
    default:
      return text;
  }
}

/** Resolves a plain scalar like `resolvePlain`, with integers beyond 2^53 rounded. */
export function looseScalar(text: string): string | number | boolean | null | NotJson {
  const value = resolvePlain(text);
  return value === INEXACT ? Number(text.replaceAll('_', '')) : value;
}

/**
 * Returns the key of a mapping for a plain scalar. Integers and booleans become strings as in sigs.k8s.io/yaml (`0x10:`
 * is `16`, `yes:` is `true`). `NotJson` for null and for floats, which kubectl refuses or shortens to 32 bits.
 */
export function plainKey(text: string): string | NotJson {
  const value = resolvePlain(text);
  if (typeof value === 'string' || value instanceof NotJson) return value;
  if (typeof value === 'boolean') return String(value);
  if (value === null || integer(text.replaceAll('_', '')) === undefined) return FLOAT_KEY;
  return String(value);
}

/** The tags that a scalar may have, except `!!str`. */
export type ScalarTag = 'int' | 'float' | 'bool' | 'null';

const wanted: Readonly<Record<ScalarTag, NotJson>> = {
  int: new NotJson('must be an integer'),
  float: new NotJson('must be a number'),
  bool: new NotJson('must be true or false'),
  null: new NotJson('must be null'),
};

/** Returns the value of a scalar under an explicit tag such as `!!int`, quoted or not. */
export function resolveTagged(tag: ScalarTag, text: string): number | boolean | null | NotJson {
  const value = resolvePlain(text);
  if (value instanceof NotJson) return value;
  if (tag === 'null' && value === null) return value;
  if (tag === 'bool' && typeof value === 'boolean') return value;
  if (tag === 'float' && typeof value === 'number') return value;
  if (tag === 'int' && typeof value === 'number') {
    if (integer(text.replaceAll('_', '')) !== undefined) return value;
  }
  return wanted[tag];
}

function word(text: string): boolean | null | NotJson | undefined {
  return text.length > MAX_WORD_LENGTH ? undefined : words.get(text);
}

/** Matches what Go's strconv.ParseFloat accepts with a leading dot: an underscore only between two digits. */
const DOTTED = /^\.[0-9]+(?:_[0-9]+)*(?:[eE][-+]?[0-9]+(?:_[0-9]+)*)?$/;

function dotted(text: string): number | undefined {
  return DOTTED.test(text) ? finite(Number(text.replaceAll('_', ''))) : undefined;
}

const FLOAT = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;

function float(plain: string): number | undefined {
  return FLOAT.test(plain) ? finite(Number(plain)) : undefined;
}

/** Returns a finite number; a text that overflows a float stays a string, as in Go. */
function finite(value: number): number | undefined {
  return Number.isFinite(value) ? value : undefined;
}

/** Matches what Go's strconv.ParseInt accepts with base 0. The last form, `0b-1`, is a quirk of go-yaml itself. */
const INTEGER =
  /^(?:([-+]?)(?:0[xX]([0-9a-fA-F]+)|0[oO]?([0-7]+)|0[bB]([01]+)|(0|[1-9][0-9]*))|0b([-+])([01]+))$/;

/** The number of decimal digits below which every integer is exact. */
const EXACT_DIGITS = 16;
const INT64 = 2n ** 63n;

function integer(plain: string): number | NotJson | undefined {
  const match = INTEGER.exec(plain);
  if (match === null) return undefined;
  const [, sign, hex, octal, binary, decimal, quirkSign, quirk] = match;
  const negative = (sign ?? quirkSign) === '-';
  if (decimal !== undefined && decimal.length < EXACT_DIGITS) return signed(+decimal, negative);
  const digits = hex ? `0x${hex}` : octal ? `0o${octal}` : (decimal ?? `0b${binary ?? quirk}`);
  const size = BigInt(digits);
  if (size > maximum(negative, sign !== '')) return undefined;
  return size > Number.MAX_SAFE_INTEGER ? INEXACT : signed(Number(size), negative);
}

/** Returns the maximum: only an integer without any sign may use the 64th bit. */
function maximum(negative: boolean, hasSign: boolean): bigint {
  if (negative) return INT64;
  return hasSign ? INT64 - 1n : 2n * INT64 - 1n;
}

/** Applies the sign; an integer has no negative zero. */
function signed(size: number, negative: boolean): number {
  return negative && size !== 0 ? -size : size;
}

/** The text of the scalars of a document. */
interface ScalarTexts {
  misreadTextAt(path: Path): string | undefined;
}

/**
 * Adds the written text to a finding about an unquoted scalar that YAML reads as something else: `got true` becomes
 * `got true, as YAML reads yes without quotes`. A message that does not show the value, such as one about a Secret,
 * stays as it is.
 */
export function explainMisread(finding: Finding, document: ScalarTexts | undefined): Finding {
  const text = finding.atKey ? undefined : document?.misreadTextAt(finding.path);
  if (text === undefined || finding.message.includes('YAML reads')) return finding;
  const shown = `got ${show(resolvePlain(text))}`;
  const at = finding.message.lastIndexOf(shown);
  if (at < 0) return finding;
  const end = at + shown.length;
  const written = `, as YAML reads ${text === '' ? 'nothing' : formatBrief(text)} without quotes`;
  return {
    ...finding,
    message: finding.message.slice(0, end) + written + finding.message.slice(end),
  };
}
