import { parseTime } from '../../kube/time.ts';
import { parseVersion } from '../../kube/semver.ts';
import { parseOlmVersion } from '../semver/tolerant.ts';

/** A type without fields: the description of its values, and the check of a value. */
interface ScalarType {
  readonly must: string;
  readonly takes: (value: unknown) => boolean;
}

/** A quantity. It may be a sign, a point or a suffix without a digit: all of these are 0. */
const QUANTITY = /^[+-]?[0-9]*([.][0-9]*)?([KMGTPE]i|[numkMGTPE]|[eE][+-]?[0-9]+)?$/;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** The types without fields, as Go decodes them from JSON, including strings with their own decoder. */
export const scalarTypes: Readonly<Record<string, ScalarType>> = {
  string: { must: 'a string', takes: (value) => typeof value === 'string' },
  'string?': { must: 'a string', takes: (value) => typeof value === 'string' },
  boolean: { must: 'true or false', takes: (value) => typeof value === 'boolean' },
  int32: { must: 'a whole number of 32 bits', takes: (value) => isWhole(value, 2 ** 31) },
  int64: { must: 'a whole number of 64 bits', takes: (value) => isWhole(value, 2 ** 63) },
  number: { must: 'a number', takes: (value) => typeof value === 'number' },
  any: { must: 'a value', takes: () => true },
  bytes: { must: 'base64', takes: isBytes },
  time: { must: "a time such as '2026-01-31T12:00:00Z'", takes: isTime },
  quantity: { must: "a quantity such as '500m', '2Gi' or 10", takes: isQuantity },
  'int-or-string': {
    must: 'a whole number or a string',
    takes: (value) => typeof value === 'string' || isWhole(value, 2 ** 31),
  },
  version: {
    must: "a version such as '1.2.3', in quotes",
    takes: (value) => typeof value === 'string' && parseOlmVersion(value) !== undefined,
  },
  release: {
    must: "identifiers such as '1' or '1.rc', with '.' between, without zeros before a number",
    takes: (value) => typeof value === 'string' && isReleaseText(value),
  },
};

/** The types for which null is an invalid value, not absence. */
export const typesWithoutNull: ReadonlySet<string> = new Set(['version', 'release']);

function isWhole(value: unknown, bound: number): boolean {
  return Number.isInteger(value) && -bound <= Number(value) && Number(value) < bound;
}

function isBytes(value: unknown): boolean {
  if (Array.isArray(value)) return value.every((item) => item === null || isWhole(item, 256));
  return typeof value === 'string' && BASE64.test(value.replaceAll(/[\r\n]/g, ''));
}

function isTime(value: unknown): boolean {
  return typeof value === 'string' && parseTime(value)?.isZoned === true;
}

function isQuantity(value: unknown): boolean {
  if (typeof value === 'number') return true;
  const text = typeof value === 'string' ? value.trim() : '';
  return text !== '' && QUANTITY.test(text);
}

/** Whether a text is a release, of any length: the API server checks the length. */
function isReleaseText(text: string): boolean {
  return !text.includes('+') && parseVersion(`0.0.0-${text}`) !== undefined;
}
