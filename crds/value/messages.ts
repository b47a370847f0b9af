import { nearest, show } from '../problem.ts';
import { enforcedFormat } from '../format/format.ts';
import type { JSONSchemaProps } from '../schema/jsonschema.ts';
import { wordsOf } from '../schema/schema.ts';

/** What a wrong value is told it must be: the schema's own words, or what they are derived from. */
export function must(schema: JSONSchemaProps): string {
  const own = wordsOf(schema).must;
  if (own !== undefined) return own;
  if (schema.enum && schema.enum.length > 0) {
    return `one of ${schema.enum.map((value) => (typeof value === 'object' ? JSON.stringify(value) : String(value))).join(', ')}`;
  }
  if (schema['x-kubernetes-int-or-string']) return 'a whole number or a string';
  const { minimum, maximum, multipleOf, minLength, maxLength, pattern } = schema;
  const format = enforcedFormat(schema);
  const isNamed = format !== '' && !numberFormats.has(format);
  const bounds = [
    minimum === undefined
      ? ''
      : `${schema.exclusiveMinimum ? 'of more than' : 'of at least'} ${minimum}`,
    maximum === undefined
      ? ''
      : `${schema.exclusiveMaximum ? 'of less than' : 'of at most'} ${maximum}`,
    multipleOf === undefined ? '' : `that is a multiple of ${multipleOf}`,
    minLength ? `of at least ${minLength} characters` : '',
    maxLength === undefined ? '' : `of at most ${maxLength} characters`,
    isNamed ? `of format ${schema.format}` : '',
    pattern ? `that matches ${pattern}` : '',
  ].filter(Boolean);
  const noun = nouns[schema.type ?? ''] ?? 'a value';
  return [schema.nullable ? `null or ${noun}` : noun, ...bounds].join(' ');
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

/** What a field is told that is not declared; the ones that are, are `known`. */
export function unknownField(key: string, known: readonly string[]): string {
  const meant = nearest(key, known);
  const others = known.length === 0 ? 'none is known here' : `known: ${known.join(', ')}`;
  const hint = meant ? `did you mean ${show(meant)}?` : others;
  return `must be a known field, got ${show(key)}; ${hint}`;
}

/** What a value is told that fits none of the schemas of anyOf, or not exactly one of oneOf. */
export function choice(word: 'anyOf' | 'oneOf', schemas: readonly JSONSchemaProps[]): string {
  const howMany = word === 'anyOf' ? 'at least one' : 'exactly one';
  const fields = schemas.map((schema) =>
    isRequiredAlone(schema) ? schema.required?.join(' and ') : undefined,
  );
  if (fields.every((field) => field !== undefined))
    return `must have ${howMany} of ${fields.join(', ')}`;
  return `must fit ${howMany} of the ${schemas.length} schemas of ${word}`;
}

function isRequiredAlone(schema: JSONSchemaProps): boolean {
  return Object.keys(schema).join() === 'required';
}
