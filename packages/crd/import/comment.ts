import type { JSONSchemaProps } from '../schema/json-schema.ts';
import { show } from '@tenantry/kube/problem';
import type { Json } from '@tenantry/kube/object';

/** Columns per line, including comment marks. */
export const WIDTH = 100;
/** The maximum length of a description in characters. A longer one is cut at a sentence or a word. */
const MAX_DESCRIPTION_LENGTH = 320;
const MAX_PATTERN_LENGTH = 80;
const MAX_RULES = 3;

/** Collects the notes on a value: the beginning of its description, bounds, rules, default. */
export function listNotes(schema: JSONSchemaProps): string[] {
  const { description, default: value } = schema;
  return [
    ...paragraphs(description),
    ...bounds(schema),
    ...alternatives(schema),
    ...rules(schema),
    ...deprecation(description),
    ...(value === undefined ? [] : [`@default ${formatDefault(value)}`]),
  ];
}

/** Renders a comment with a line break at its end; an empty text if there are no notes. */
export function comment(notes: readonly string[], indentation: string): string {
  if (notes.length === 0) return '';
  const width = WIDTH - indentation.length - 3;
  const lines = notes.flatMap((note) => wrapped(safe(note), width));
  const [only] = lines;
  if (lines.length === 1 && only!.length <= width - 3) return `${indentation}/** ${only} */\n`;
  return `${indentation}/**\n${lines.map((line) => `${indentation} * ${line}`.trimEnd()).join('\n')}\n${indentation} */\n`;
}

/** Escapes text that could end the comment or begin a tag. */
function safe(note: string): string {
  const text = note.replaceAll('*/', '*\\/');
  return /^@(?:default|deprecated) /.test(text) ? text : text.replaceAll(/(^|\s)@(?=\w)/g, '$1\\@');
}

function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}

/** Returns the first paragraph with content, on one line. */
function paragraphs(description = ''): string[] {
  for (const paragraph of description.split(/\n\s*\n/)) {
    const text = paragraph.replaceAll(/[\s\p{Cc}\u2028\u2029]+/gu, ' ').trim();
    const isMeaningful = text !== '' && !/^(?:-{3,}$|\+\S+$|deprecated\b)/i.test(text);
    if (isMeaningful) return [shortened(text)];
  }
  return [];
}

function shortened(text: string): string {
  if (text.length <= MAX_DESCRIPTION_LENGTH) return text;
  const head = text.slice(0, MAX_DESCRIPTION_LENGTH);
  const sentence = /^.*[.!?](?=\s[\p{Lu}`'"(])/su.exec(head)?.[0];
  if (sentence !== undefined && sentence.length > MAX_DESCRIPTION_LENGTH / 4) return sentence;
  const cut = head.replace(/\s+\S*$/, '');
  return `${cut.toWellFormed()} ...`;
}

function bounds(schema: JSONSchemaProps): string[] {
  const { minimum, maximum, pattern, format } = schema;
  const sentences = [
    range(minimum, maximum, schema.exclusiveMinimum, schema.exclusiveMaximum),
    formatCount(schema.minLength, schema.maxLength, 'character'),
    formatCount(schema.minItems, schema.maxItems, 'item'),
    formatCount(schema.minProperties, schema.maxProperties, 'entry'),
    schema.multipleOf === undefined ? '' : `A multiple of ${schema.multipleOf}.`,
    format === undefined ? '' : `Format: ${format}.`,
    formatKeys(schema),
  ].filter(Boolean);
  const isShort = pattern !== undefined && pattern.length <= MAX_PATTERN_LENGTH;
  if (isShort && !/[`\p{Cc}]/u.test(pattern)) sentences.push(`Pattern: \`${pattern}\``);
  return sentences.length === 0 ? [] : [sentences.join(' ')];
}

function range(
  minimum: number | undefined,
  maximum: number | undefined,
  above: boolean | undefined,
  below: boolean | undefined,
): string {
  if (minimum === undefined && maximum === undefined) return '';
  if (minimum !== undefined && maximum !== undefined && !above && !below) {
    return `${minimum} to ${maximum}.`;
  }
  const from = minimum === undefined ? '' : above ? `above ${minimum}` : `at least ${minimum}`;
  const to = maximum === undefined ? '' : below ? `below ${maximum}` : `at most ${maximum}`;
  const text = [from, to].filter(Boolean).join(' and ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

function formatCount(
  least = 0,
  most: number | undefined,
  noun: 'character' | 'item' | 'entry',
): string {
  const nouns = (number: number): string =>
    number === 1 ? noun : noun === 'entry' ? 'entries' : `${noun}s`;
  if (least > 0 && most !== undefined) {
    return least === most ? `${most} ${nouns(most)}.` : `${least} to ${most} ${nouns(most)}.`;
  }
  if (most !== undefined) return `At most ${most} ${nouns(most)}.`;
  return least > 0 ? `At least ${least} ${nouns(least)}.` : '';
}

function formatKeys(schema: JSONSchemaProps): string {
  if (schema['x-kubernetes-list-type'] === 'set') return 'No item twice.';
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  return keys.length === 0 ? '' : `Unique by ${keys.join(', ')}.`;
}

/** Describes what a type cannot express: which fields belong together. */
function alternatives(schema: JSONSchemaProps): string[] {
  const { oneOf, anyOf, allOf, not } = schema;
  const sentences: string[] = [];
  const exact = requiredNames(oneOf);
  const [none, ...others] = oneOf ?? [];
  const optional = requiredNames(none?.not?.anyOf) && requiredNames(others);
  if (exact) sentences.push(`Exactly one of: ${exact.join(', ')}.`);
  else if (optional) sentences.push(`At most one of: ${optional.join(', ')}.`);
  else if (oneOf) sentences.push('The type does not express all checks (oneOf).');
  const least = requiredNames(anyOf);
  if (least) sentences.push(`At least one of: ${least.join(', ')}.`);
  else if (anyOf && !schema['x-kubernetes-int-or-string']) {
    sentences.push('The type does not express all checks (anyOf).');
  }
  if (allOf && !schema['x-kubernetes-int-or-string']) {
    sentences.push('The type does not express all checks (allOf).');
  }
  if (not) sentences.push('The type does not express all checks (not).');
  return sentences;
}

/** Returns the fields of schemas that only require one field each. */
function requiredNames(schemas: readonly JSONSchemaProps[] | undefined): string[] | undefined {
  if (!schemas || schemas.length === 0) return undefined;
  const names = schemas.map((one) =>
    Object.keys(one).length === 1 && one.required?.length === 1 ? one.required[0] : undefined,
  );
  return names.every((name) => name !== undefined) ? names : undefined;
}

function rules(schema: JSONSchemaProps): string[] {
  const messages = (schema['x-kubernetes-validations'] ?? []).flatMap(({ message, rule }) => {
    const text = (message ?? '').replaceAll(/[\s\p{Cc}]+/gu, ' ').trim();
    if (text !== '') return [shortened(text)];
    return rule.length <= MAX_PATTERN_LENGTH && !/[`\p{Cc}]/u.test(rule) ? [`\`${rule}\``] : [];
  });
  const lines = messages.slice(0, MAX_RULES).map((message) => `Rule: ${message}`);
  const more = messages.length - lines.length;
  return more > 0 ? [...lines, `${more} more ${more === 1 ? 'rule' : 'rules'}.`] : lines;
}

function deprecation(description = ''): string[] {
  const match = /(?:^|\n)\s*deprecated\b[:.,]?\s*(?<why>[^\n]*)/i.exec(description);
  if (!match) return [];
  const why = match.groups!['why']!.replaceAll(/[\s\p{Cc}\u2028\u2029]+/gu, ' ').trim();
  return [`@deprecated ${why === '' ? 'by its authors' : shortened(why)}`];
}

function formatDefault(value: Json): string {
  const text = JSON.stringify(value);
  return typeof value === 'object' && text.length > MAX_PATTERN_LENGTH
    ? show(value)
    : text.slice(0, MAX_DESCRIPTION_LENGTH).toWellFormed();
}
