/** Writes readable TypeScript types of schemas. */
import { format, resolveConfig } from 'prettier';
import { join } from 'node:path';
import { comment } from '@tenantry/crd/import/comment';
import { propertyName, quoted } from '@tenantry/crd/import/identifiers-and-literals';
import { nameOf } from '@tenantry/crd/type-name';
import { isDeepEqual } from '@tenantry/kube/json';
import type { JSONSchemaProps } from '@tenantry/crd/schema/json-schema';
import { condition, labelSelector } from '@tenantry/crd/schema/language';
import { readWords } from '@tenantry/crd/schema/words';
import { root } from './steps.ts';

const selector = labelSelector();
const foundCondition = condition();

/** Types with more detail than the schema has, such as the known values of a string. */
export type KnownTypes = Readonly<Record<string, readonly [what: string, text: string]>>;

export const union = (words: Iterable<string>): string =>
  [...new Set(words)].map(quoted).join(' | ');

/** A type that completes in an editor, and accepts any other string too. */
export const open = (words: Iterable<string>): string => `${union(words)} | (string & {})`;

/** Formats lines of TypeScript. */
export async function formatted(lines: readonly string[]): Promise<string> {
  const options = await resolveConfig(join(root, 'package.json'));
  return format(lines.join('\n'), { ...options, parser: 'typescript' });
}

/** Collects the types of schemas. */
export class TypeWriter {
  /** The declarations by name, in the order of their first use. */
  readonly declarations = new Map<string, string>();
  readonly #known: KnownTypes;
  /** Types that others extend. */
  readonly #bases: readonly JSONSchemaProps[];

  constructor(known: KnownTypes, bases: readonly JSONSchemaProps[]) {
    this.#known = known;
    this.#bases = bases;
  }

  /** Returns the TypeScript type of a schema. */
  formatType(schema: JSONSchemaProps): string {
    const found = nameOf(schema);
    if (found === undefined) return this.#plain(schema);
    const { name, what } = found;
    const before = this.declarations.get(name);
    // Reserves its place before the types that it consists of.
    if (before === undefined) this.declarations.set(name, '');
    const text = this.#declaration(name, what, schema);
    if (before !== undefined && before !== '' && before !== text) {
      throw new Error(`${name} must name one type, got\n${before}and\n${text}`);
    }
    this.declarations.set(name, text);
    return name;
  }

  #declaration(name: string, what: string, schema: JSONSchemaProps): string {
    const words = this.#known[name];
    if (words) return `${comment([words[0]], '')}export type ${name} = ${words[1]};\n`;
    const head = comment([what], '');
    if (!schema.properties) return `${head}export type ${name} = ${this.#plain(schema)};\n`;
    const mandatory = new Set(schema.required);
    const base = this.#bases.find((one) => one !== schema && holdsAll(schema, one));
    const inherited = base === undefined ? {} : base.properties!;
    const own = Object.entries(schema.properties).filter(([field]) => !(field in inherited));
    const fields = own.map(([field, inner]) => {
      const sign = mandatory.has(field) ? '' : '?';
      return `${comment(listNotes(inner), '  ')}  readonly ${propertyName(field)}${sign}: ${this.formatType(inner)};\n`;
    });
    const heritage = base === undefined ? '' : ` extends ${this.formatType(base)}`;
    return `${head}export interface ${name}${heritage} {\n${fields.join('')}}\n`;
  }

  #plain(schema: JSONSchemaProps): string {
    if (isLabelSelector(schema)) return 'LabelSelector';
    if (isCondition(schema)) return 'Condition';
    if (schema['x-kubernetes-embedded-resource']) return 'KubeObject';
    if (schema['x-kubernetes-int-or-string']) return 'number | string';
    if (schema.enum) return union(schema.enum.map(String));
    if (schema.items) {
      const item = this.formatType(schema.items);
      return item.includes(' | ') ? `readonly (${item})[]` : `readonly ${item}[]`;
    }
    if (typeof schema.additionalProperties === 'object') {
      return `Readonly<Record<string, ${this.formatType(schema.additionalProperties)}>>`;
    }
    if (schema['x-kubernetes-preserve-unknown-fields']) {
      return schema.type === 'object' ? 'Readonly<Record<string, unknown>>' : 'unknown';
    }
    switch (schema.type) {
      case 'string':
      case 'boolean':
        return schema.type;
      case 'integer':
        return 'number';
      default:
        throw new Error(`an object must have a name, got none for '${schema.description ?? ''}'`);
    }
  }
}

/** Whether a schema is `metav1.LabelSelector`. */
export function isLabelSelector({ properties }: JSONSchemaProps): boolean {
  return properties !== undefined && isDeepEqual(properties, selector.properties);
}

/** Whether a schema is `metav1.Condition`, with any descriptions. */
export function isCondition({ properties = {}, required = [] }: JSONSchemaProps): boolean {
  return (
    isDeepEqual(properties, foundCondition.properties) &&
    required.length === foundCondition.required?.length
  );
}

/** Whether a schema has all fields of another, unchanged. */
function holdsAll(schema: JSONSchemaProps, base: JSONSchemaProps): boolean {
  return Object.entries(base.properties!).every(
    ([name, field]) => schema.properties?.[name] === field,
  );
}

/** Returns the doc comment of a field. */
function listNotes(schema: JSONSchemaProps): string[] {
  const { must, absent } = readWords(schema);
  const { must: mustOfEach } = readWords(schema.items ?? {});
  const sentences = [
    schema.description ?? '',
    must === undefined ? '' : `Must be ${must}.`,
    mustOfEach === undefined ? '' : `Each must be ${mustOfEach}.`,
  ];
  return [
    sentences.filter(Boolean).join(' '),
    ...(absent === undefined ? [] : [`@default - ${absent}`]),
  ].filter(Boolean);
}
