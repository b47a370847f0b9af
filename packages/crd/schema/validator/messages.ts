import { errorAt, type Finding } from '@tenantry/kube/finding';
import { didYouMean, formatList, findNearest, show, type Path } from '@tenantry/kube/problem';
import { isMapping } from '@tenantry/kube/mapping';
import { enforcedFormat } from '../format.ts';
import type { JSONSchemaProps } from '../json-schema.ts';
import { readWords } from '../words.ts';
import { findContradiction, type Contradiction } from './contradiction.ts';
import { undeterminedPasses, never, type Kinds, type SchemaNode } from './schema-node.ts';
import { isNumeric } from './equality.ts';
import { listTypes } from './node.ts';
import { brokenNumberKeyword, acceptsNumber } from './numbers.ts';
import { brokenStringKeyword } from './strings.ts';

const known = new WeakMap<JSONSchemaProps, string>();

/**
 * Formats the beginning of the message about a wrong value, up to the actual value. It uses the schema's own words, or
 * words derived from the schema.
 */
export function formatMustBe(schema: JSONSchemaProps, value?: unknown): string {
  const bits = bitsExceeded(schema, value);
  if (bits !== undefined && !findContradiction(schema)) {
    return beginning(`a whole number of ${bits} bits`);
  }
  let text = known.get(schema);
  if (text === undefined) known.set(schema, (text = beginning(formatExpectation(schema))));
  return text;
}

/** Formats the end of the message about a value of an enum: the allowed value that was probably meant. */
export function suggestEnumValue({ enum: allowed }: JSONSchemaProps, value: unknown): string {
  if (allowed === undefined || typeof value !== 'string' || value.length < 2) return '';
  const texts = allowed.filter((one) => typeof one === 'string');
  return didYouMean(findNearest(value, texts) ?? texts.find((one) => isSpelledAlike(one, value)));
}

const isSpelledAlike = (a: string, b: string): boolean => spelling(a) === spelling(b);

const spelling = (text: string): string => text.toLowerCase().replaceAll(/[-_ ]/g, '');

function beginning(words: string): string {
  return `must be ${words}, got `;
}

/** Formats the expectation of a schema that contradicts itself, for any value. */
function formatContradiction({ why }: Contradiction): string {
  return `a value that cannot exist, because the schema contradicts itself (${why})`;
}

/** Formats the beginning of the message about a list or an object of a wrong size. */
export function formatMustHave(schema: JSONSchemaProps, bounds: string): string {
  const impossible = findContradiction(schema);
  return impossible ? `must be ${formatContradiction(impossible)}` : `must have ${bounds}`;
}

function formatExpectation(schema: JSONSchemaProps): string {
  const impossible = findContradiction(schema);
  if (impossible) return formatContradiction(impossible);
  const own = readWords(schema).must;
  if (own !== undefined) return own;
  if (schema.enum && schema.enum.length > 0) {
    return `one of ${schema.enum.map((value) => (typeof value === 'object' ? JSON.stringify(value) : String(value))).join(', ')}`;
  }
  if (schema['x-kubernetes-int-or-string']) return 'a whole number or a string';
  const { minimum, maximum, multipleOf, minLength, maxLength, pattern } = schema;
  const format = enforcedFormat(schema);
  const isNamed = format !== '' && !numberFormats.has(format);
  const bounds = [
    ofBoth(
      minimum === undefined
        ? ''
        : `${schema.exclusiveMinimum ? 'more than' : 'at least'} ${minimum}`,
      maximum === undefined
        ? ''
        : `${schema.exclusiveMaximum ? 'less than' : 'at most'} ${maximum}`,
    ),
    multipleOf === undefined ? '' : `that is a multiple of ${multipleOf}`,
    ofBoth(
      minLength ? `at least ${minLength}` : '',
      maxLength === undefined ? '' : `at most ${maxLength}`,
      maxLength === 1 || (maxLength === undefined && minLength === 1)
        ? ' character'
        : ' characters',
    ),
    isNamed ? `of format ${schema.format}` : '',
    pattern ? `that matches ${pattern}` : '',
  ].filter(Boolean);
  const noun = nouns[schema.type ?? ''] ?? 'a value';
  return [schema.nullable ? `null or ${noun}` : noun, ...bounds].join(' ');
}

/** Returns the number of bits of an integer format that a whole number exceeds. */
function bitsExceeded(schema: JSONSchemaProps, value: unknown): number | undefined {
  if (schema.type !== 'integer' || schema.enum || readWords(schema).must) return undefined;
  if (typeof value !== 'bigint' && !Number.isInteger(value)) return undefined;
  const bits = schema.format === 'int32' ? 32 : 64;
  const size = BigInt(value as bigint | number);
  return BigInt.asIntN(bits, size) === size ? undefined : bits;
}

function ofBoth(least: string, most: string, unit = ''): string {
  const bounds = [least, most].filter(Boolean).join(' and ');
  return bounds && `of ${bounds}${unit}`;
}

/** Formats the allowed number of items or entries. */
export function formatCountBounds(least: number, most: number, one: string, many: string): string {
  if (most === Infinity) return `at least ${least} ${least === 1 ? one : many}`;
  const units = most === 1 ? one : many;
  if (least === most) return `exactly ${most} ${units}`;
  return `${least === 0 ? 'at most' : `${least} to`} ${most} ${units}`;
}

const numberFormats = new Set(['int32', 'int64', 'float', 'double']);

const nouns: Readonly<Record<string, string>> = {
  object: 'a mapping',
  array: 'a list',
  string: 'a string',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
};

/** Formats the message for a value that fits none of the schemas of anyOf, or not exactly one of oneOf. */
export function formatChoice(word: 'anyOf' | 'oneOf', schemas: readonly JSONSchemaProps[]): string {
  const howMany = word === 'anyOf' ? 'at least one' : 'exactly one';
  const fields = schemas.map(requiredAlone);
  if (fields.every((field) => field !== undefined))
    return `must have ${howMany} of ${fields.join(', ')}`;
  return `must fit ${howMany} of the ${schemas.length} schemas of ${word}`;
}

/** Returns the required fields of a schema that has no other keyword. */
function requiredAlone({ required, ...rest }: JSONSchemaProps): string | undefined {
  return Object.keys(rest).length === 0 ? required?.join(' and ') : undefined;
}

/** The maximum number of fields in the message. A longer list does not help. */
const MAX_NAMED = 20;

/**
 * Builds the error for an undeclared field.
 * @param known the declared fields beside it; undefined if they are unknown
 */
export function buildUnknownFieldError(path: Path, known: readonly string[] | undefined): Finding {
  const key = String(path.at(-1));
  const [meantField, hint] = findMeantField(key, known);
  const message = `must be a known field, got ${show(key)}${hint}`;
  return {
    ...errorAt(path, message, UNKNOWN_FIELD),
    atKey: true,
    ...(meantField !== undefined && { about: { meantField } }),
  };
}

/** Returns the declared field that was probably meant, and the end of the message. */
function findMeantField(
  key: string,
  known: readonly string[] | undefined,
): [meant: string | undefined, hint: string] {
  if (known === undefined) return [undefined, ''];
  // YAML reads `{name:a}` as a key without a value.
  const beforeColon = known.find((name) => key.startsWith(`${name}:`));
  if (beforeColon !== undefined) return [beforeColon, `; write a space after '${beforeColon}:'`];
  const nearest = findNearest(key, known) ?? findOnlyLonger(key, known);
  return [nearest, nearest === undefined ? othersThan(known) : didYouMean(nearest)];
}

/** Returns the only field that begins with a key, such as `className` for `class`. */
function findOnlyLonger(key: string, known: readonly string[]): string | undefined {
  const longer = known.filter((name) => name.toLowerCase().startsWith(key.toLowerCase()));
  return key.length > 2 && longer.length === 1 ? longer[0] : undefined;
}

function othersThan(known: readonly string[]): string {
  if (known.length === 0) return '; none is known here';
  return `; known: ${known.length > MAX_NAMED ? formatList(known) : known.join(', ')}`;
}

/** The rule of undeclared fields, which is not a keyword of the schema. */
export const UNKNOWN_FIELD = 'unknown-field';

/** Returns the first keyword of the schema, as it is spelled, that an invalid value breaks. */
export function brokenKeyword(node: SchemaNode, value: unknown): string {
  const { schema, kinds } = node;
  const ofType = schema['x-kubernetes-int-or-string'] ? 'x-kubernetes-int-or-string' : 'type';
  if (!isPossible(kinds, value)) {
    const isEnum = value === null && (schema.nullable === true || listTypes(schema).length === 0);
    return isEnum ? 'enum' : ofType;
  }
  if (isNumeric(value)) {
    const broken = brokenByNumber(node, value);
    return broken === 'type' ? ofType : broken;
  }
  return typeof value === 'string' ? brokenStringKeyword(schema, value) : 'enum';
}

function brokenByNumber({ schema, combinators }: SchemaNode, value: number | bigint): string {
  if (
    combinators?.isIntOrString &&
    !acceptsNumber({}, ['integer'], '', value, undeterminedPasses)
  ) {
    return 'type';
  }
  const [types, format] = [listTypes(schema), enforcedFormat(schema)];
  return brokenNumberKeyword(schema, types, format, value, undeterminedPasses) ?? 'enum';
}

/** Whether values of that kind may be valid; an allowed null is. */
function isPossible(kinds: Kinds, value: unknown): boolean {
  if (isNumeric(value)) return kinds.number !== never;
  if (typeof value === 'string') return kinds.string !== never;
  if (typeof value === 'boolean') return kinds.boolean !== never;
  if (Array.isArray(value)) return kinds.array !== never;
  return isMapping(value) && kinds.object !== never;
}
