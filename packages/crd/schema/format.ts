import { isCidr, isEmail, isIPv4, isIPv6, isMac } from '@tenantry/kube/address';
import { isDate, isDateTime, isDuration } from '@tenantry/kube/time';
import { parseRequestUri } from '@tenantry/kube/url';
import type { JSONSchemaProps } from './json-schema.ts';
import { byteLength, isDnsLabel, isSubdomain } from '@tenantry/kube/names';
import { compilePattern } from './pattern.ts';

/** Whether a string has a format; undefined if that cannot be decided here. */
type FormatCheck = (value: string) => boolean | undefined;

/**
 * Returns the format that the API server enforces for a schema's values, without hyphens. Returns `''` if it enforces
 * none, which includes every format that it does not know.
 *
 * Source: https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#validation
 */
export function enforcedFormat(schema: JSONSchemaProps): string {
  const { format = '', type } = schema;
  if (format === '') return '';
  if (schema['x-kubernetes-int-or-string'] || type === undefined || type === 'string') {
    const name = format.replaceAll('-', '');
    return checks.has(name) ? name : '';
  }
  return numeric.get(type)?.has(format) ? format : '';
}

/** Returns the check of a string format, by the name that `enforcedFormat` returns. */
export function formatCheck(name: string): FormatCheck | undefined {
  return checks.get(name);
}

const numeric: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['integer', new Set(['int32', 'int64'])],
  ['number', new Set(['float', 'double'])],
]);

const matching =
  (pattern: RegExp): FormatCheck =>
  (value) =>
    pattern.test(value);

const uuidPattern = (third: string, fourth: string): RegExp =>
  new RegExp(
    `^[0-9a-f]{8}-?[0-9a-f]{4}-?${third}-?${fourth}-?[0-9a-f]{12}$`.replaceAll('X', '[0-9a-f]'),
    'i',
  );
const anyUuid = uuidPattern('XXXX', 'XXXX');

/** Whether a text is a UUID. Each of its hyphens can be left out. */
export function isUuid(value: string): boolean {
  return anyUuid.test(value);
}

const byte = '(?:0|[1-9][0-9]?|1[0-9][0-9]?|2[0-4][0-9]|25[0-5])';
const gap = '[\\t\\n\\f\\r ]*';
const rgb = [byte, byte, byte].join(`${gap},${gap}`);

/** The formats of Kubernetes 1.0, and the two formats of its own names from 1.34. */
const checks: ReadonlyMap<string, FormatCheck> = new Map<string, FormatCheck>([
  ['bsonobjectid', matching(/^[0-9a-fA-F]{24}$/)],
  ['uri', (value) => parseRequestUri(value) !== undefined],
  ['email', isEmail],
  ['hostname', isHostname],
  ['ipv4', isIPv4],
  ['ipv6', isIPv6],
  ['cidr', isCidr],
  ['mac', isMac],
  ['uuid', isUuid],
  ['uuid3', matching(uuidPattern('3XXX', 'XXXX'))],
  ['uuid4', matching(uuidPattern('4XXX', '[89ab]XXX'))],
  ['uuid5', matching(uuidPattern('5XXX', '[89ab]XXX'))],
  ['isbn', (value) => isIsbn10(value) || isIsbn13(value)],
  ['isbn10', isIsbn10],
  ['isbn13', isIsbn13],
  ['creditcard', isCreditCard],
  ['ssn', matching(/^(?=.{11}$)[0-9]{3}[- ]?[0-9]{2}[- ]?[0-9]{4}$/)],
  ['hexcolor', matching(/^#?(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/)],
  ['rgbcolor', matching(new RegExp(`^rgb\\(${gap}${rgb}${gap}\\)$`))],
  ['byte', isBase64],
  ['password', () => true],
  ['date', isDate],
  ['duration', isDuration],
  ['datetime', isDateTime],
  ['k8sshortname', isDnsLabel],
  ['k8slongname', isSubdomain],
]);

/** Go's pattern of host names. `C` is the characters of a label, `T` those of the last label. */
const HOSTNAME = '^([C]((-?[C]{0,62})?)|([C](([C-]{0,61}[C])?)(\\.)){1,}([T]){2,63})$';
const asciiHostname = new RegExp(
  HOSTNAME.replaceAll('C', 'a-zA-Z0-9$+<=>^`|~').replaceAll('T', 'a-zA-Z'),
);
const anyHostname = HOSTNAME.replaceAll('C', 'a-zA-Z0-9\\p{S}\\p{L}').replaceAll(
  'T',
  'a-zA-Z\\p{L}',
);

function isHostname(value: string): boolean {
  const isAscii = /^[\0-\x7f]*$/.test(value);
  if (isAscii ? !asciiHostname.test(value) : !compilePattern(anyHostname).test(value)) return false;
  return byteLength(value) <= 255 && value.split('.').every((label) => byteLength(label) <= 63);
}

/** Whether a text is padded base64. An empty text is not. */
export function isBase64(value: string): boolean {
  return value !== '' && value.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(value);
}

function isIsbn10(value: string): boolean {
  const digits = value.replaceAll(/[\t\n\f\r -]+/g, '');
  if (!/^[0-9]{9}[0-9X]$/.test(digits)) return false;
  const sum = [...digits].reduce((s, digit, i) => s + (i + 1) * (digit === 'X' ? 10 : +digit), 0);
  return sum % 11 === 0;
}

function isIsbn13(value: string): boolean {
  const digits = value.replaceAll(/[\t\n\f\r -]+/g, '');
  if (!/^[0-9]{13}$/.test(digits)) return false;
  return [...digits].reduce((s, digit, i) => s + (i % 2 === 0 ? 1 : 3) * +digit, 0) % 10 === 0;
}

const CARD =
  /^(?:4[0-9]{12}(?:[0-9]{3})?|5[1-5][0-9]{14}|6(?:011|5[0-9]{2})[0-9]{12}|3[47][0-9]{13}|3(?:0[0-5]|[68][0-9])[0-9]{11}|(?:2131|1800|35[0-9]{3})[0-9]{11})$/;

/** Whether a text is a known type of card with a valid Luhn sum. Ignores everything except digits. */
function isCreditCard(value: string): boolean {
  const digits = value.replaceAll(/[^0-9]+/g, '');
  if (!CARD.test(digits)) return false;
  const sum = [...digits].toReversed().reduce((s, digit, i) => {
    const n = i % 2 === 0 ? +digit : +digit * 2;
    return s + (n > 9 ? n - 9 : n);
  }, 0);
  return sum % 10 === 0;
}
