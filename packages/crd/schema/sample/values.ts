import type { Json } from '@tenantry/kube/object';
import type { JSONSchemaProps } from '../json-schema.ts';
import { generateMatchingTexts } from './pattern.ts';

/** More items than any list of a sample needs. */
const PLENTY = 64;

/**
 * Yields scalars that a schema most likely accepts, the best first: its example, default and enum, then values that
 * follow from its format, pattern and bounds. Each must be checked.
 */
export function* scalarsFor(schema: JSONSchemaProps): Generator<Json> {
  if (schema.example !== undefined && schema.example !== null) yield schema.example;
  if (schema.default !== undefined && schema.default !== null) yield schema.default;
  if (schema.enum) {
    yield* schema.enum.filter((value) => value !== null);
    return;
  }
  if (schema.type === 'boolean') yield* [true, false];
  if (schema.type === 'integer' || schema.type === 'number') yield* numbersFor(schema);
  if (schema.type === 'string') yield* textsFor(schema);
  if (schema.type === undefined && schema['x-kubernetes-int-or-string']) {
    // A pattern applies only to strings, so a schema with a pattern most likely means strings.
    yield* schema.pattern === undefined ? numbersFor(schema) : textsFor(schema);
    yield* schema.pattern === undefined ? textsFor(schema) : numbersFor(schema);
  }
}

/** Yields numbers, within the bounds if possible: 1 if it fits, then numbers next to the bounds. */
function* numbersFor(schema: JSONSchemaProps): Generator<number> {
  const { minimum = -Infinity, maximum = Infinity, multipleOf: step } = schema;
  const isWhole = schema.type !== 'number';
  const above = isWhole ? Math.ceil(minimum) : minimum;
  const below = isWhole ? Math.floor(maximum) : maximum;
  const near = isWhole ? [0, 1] : [0, 0.5, 0.001];
  const atBounds = [...near.map((by) => above + by), ...near.map((by) => below - by)];
  const anyNumber = [1, ...atBounds, (minimum + maximum) / 2, 0];
  const found = step === undefined ? anyNumber : multiplesNear([above, below], step);
  for (const number of found) {
    if (Number.isFinite(number) && number >= minimum && number <= maximum) yield number;
  }
  const first = Number.isFinite(minimum) ? Math.ceil(minimum) : Math.min(2, below - PLENTY);
  for (let i = 0; i < PLENTY; i += 1) yield step === undefined ? first + i : (first + i) * step;
}

function multiplesNear(bounds: readonly number[], step: number): number[] {
  const counts = bounds.flatMap((bound) => [bound / step - 1, bound / step, bound / step + 1]);
  return [1, 0, ...counts].map((count) => Math.round(count) * step);
}

const numbered = (make: (n: number) => string): string[] =>
  Array.from({ length: PLENTY }, (_, i) => make(i + 1));

const digits = (n: number, length: number): string => String(n).padStart(length, '0');

/**
 * Values of the formats that the API server checks, by their names without hyphens. They are from the ranges that are
 * reserved for documentation (RFC 2606, 3849, 5737, 7042).
 */
const formats: Readonly<Record<string, readonly string[]>> = {
  bsonobjectid: numbered((n) => `5f43a1b2c3d4e5f6a7b8${n.toString(16).padStart(4, '0')}`),
  byte: ['ZXhhbXBsZQ==', ...numbered((n) => btoa(`example-${n + 1}`))],
  cidr: numbered((n) => `192.0.2.${n * 4 - 4}/30`),
  creditcard: ['4111111111111111', '5555555555554444', '4012888888881881'],
  date: numbered((n) => `20${digits(n + 25, 2)}-01-01`),
  datetime: numbered((n) => `20${digits(n + 25, 2)}-01-01T00:00:00Z`),
  duration: ['30s', ...numbered((n) => `${n}m`)],
  email: ['someone@example.com', ...numbered((n) => `someone-${n + 1}@example.com`)],
  hexcolor: numbered((n) => `#3366${digits(n, 2)}`),
  hostname: ['www.example.com', ...numbered((n) => `www-${n + 1}.example.com`)],
  ipv4: numbered((n) => `192.0.2.${n}`),
  ipv6: numbered((n) => `2001:db8::${n.toString(16)}`),
  isbn: ['0306406152', '9780306406157', '0198526636'],
  isbn10: ['0306406152', '0198526636', '0131103628'],
  isbn13: ['9780306406157', '9780198526636', '9780131103627'],
  k8slongname: ['example.com', ...numbered((n) => `example-${n + 1}.com`)],
  k8sshortname: ['example', ...numbered((n) => `example-${n + 1}`)],
  mac: numbered((n) => `00:00:5e:00:53:${n.toString(16).padStart(2, '0')}`),
  rgbcolor: numbered((n) => `rgb(${n},102,153)`),
  ssn: numbered((n) => `078-05-${digits(n, 4)}`),
  uri: ['https://example.com/', ...numbered((n) => `https://example.com/${n + 1}`)],
  uuid: numbered((n) => `123e4567-e89b-42d3-a456-4266141740${digits(n, 2)}`),
  uuid3: numbered((n) => `123e4567-e89b-32d3-a456-4266141740${digits(n, 2)}`),
  uuid4: numbered((n) => `123e4567-e89b-42d3-a456-4266141740${digits(n, 2)}`),
  uuid5: numbered((n) => `123e4567-e89b-52d3-a456-4266141740${digits(n, 2)}`),
};

export function* textsFor(schema: JSONSchemaProps): Generator<string> {
  const { minLength = 0, maxLength = Infinity, pattern } = schema;
  const format = schema.format?.replaceAll('-', '');
  if (format !== undefined && Object.hasOwn(formats, format)) yield* formats[format]!;
  if (pattern === undefined || new RegExp('^\\^?\\.[*+]\\$?$').test(pattern)) {
    yield* ['example', ...numbered((n) => `example-${n + 1}`)].map((text) =>
      fitted(text, minLength, maxLength),
    );
    // For texts that are too short for a number at the end.
    yield* [...'abcdefghijklmnopqrstuvwxyz'].map((letter) => fitted(letter, minLength, maxLength));
  } else {
    let empty = false;
    for (const text of generateMatchingTexts(pattern, minLength)) {
      if (text === '') empty = true;
      else yield text;
    }
    if (empty) yield '';
    yield* ['example', 'example.com', '1', 'a', '/'];
  }
}

function fitted(text: string, minLength: number, maxLength: number): string {
  if (text.length > maxLength) return text.slice(0, maxLength);
  return text.length < minLength ? text.padEnd(Math.min(minLength, 1_000_000), 'x') : text;
}
