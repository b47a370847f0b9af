import type { Json } from '@tenantry/kube/object';
import type { JSONSchemaProps } from '../json-schema.ts';
import { generateMatchingTexts } from './pattern.ts';

const strings = /r?"((?:[^"\\]|\\.)*)"|r?'((?:[^'\\]|\\.)*)'/g;
const numbers = /(?<![\w.])-?\d+(?:\.\d+)?/g;
const names = /[A-Za-z_][A-Za-z0-9_]*/g;

/** Names that CEL can only express with escapes. Source: KEP-2876, escaping of field names. */
const escapes: readonly (readonly [string, string])[] = [
  ['__dash__', '-'],
  ['__dot__', '.'],
  ['__slash__', '/'],
  ['__underscores__', '__'],
];

/** Texts that CEL functions accept. */
const understood: Readonly<Record<string, readonly string[]>> = {
  cidr: ['192.0.2.0/24', '2001:db8::/64'],
  duration: ['30s', '1m'],
  ip: ['192.0.2.1', '2001:db8::1'],
  isCIDR: ['192.0.2.0/24', '2001:db8::/64'],
  isIP: ['192.0.2.1', '2001:db8::1'],
  isQuantity: ['1', '1Gi'],
  isSemver: ['1.2.3'],
  isURL: ['https://example.com/'],
  quantity: ['1', '1Gi'],
  semver: ['1.2.3'],
  timestamp: ['2026-01-01T00:00:00Z'],
  url: ['https://example.com/'],
};

/**
 * The hints in the conditions of a schema (its rules, anyOf, oneOf, not and allOf): the fields that they depend on, and
 * values that most likely satisfy them.
 */
export class Hints {
  /** Texts that rules compare with, and texts that match their patterns. */
  readonly texts: readonly string[];
  /** Numbers at and next to those that rules compare with. */
  readonly numbers: readonly number[];
  readonly #names = new Set<string>();

  constructor(schema: JSONSchemaProps) {
    const texts = new Set<string>();
    const found = new Set<number>();
    for (const { rule } of schema['x-kubernetes-validations'] ?? []) {
      for (const [, double, single] of rule.matchAll(strings)) {
        const raw = double ?? single ?? '';
        const text = raw.replaceAll(/\\(.)/g, '$1');
        this.#names.add(text);
        texts.add(text);
        // A text by which a rule splits.
        if (/^\W{1,3}$/.test(text)) texts.add(`1${text}1`).add(`a${text}b`);
        // A pattern in a literal or in a raw literal.
        for (const pattern of new Set([text, raw])) {
          for (const like of generateMatchingTexts(pattern).take(3)) texts.add(like);
        }
      }
      const code = rule.replaceAll(strings, ' ');
      for (const [number] of code.matchAll(numbers)) {
        [0, 1, -1].forEach((by) => found.add(Number(number) + by));
      }
      for (const [name] of code.matchAll(names)) {
        this.#names.add(unescaped(name));
        if (Object.hasOwn(understood, name)) understood[name]!.forEach((text) => texts.add(text));
      }
    }
    const { allOf = [], anyOf = [], oneOf = [], not } = schema;
    for (const part of [...allOf, ...anyOf, ...oneOf, ...(not ? [not] : [])]) this.#readPart(part);
    this.texts = [...texts].slice(0, 40);
    this.numbers = [...found].slice(0, 20);
  }

  /** Whether a field of this name may be relevant. */
  mentions(name: string): boolean {
    return this.#names.size === 0 || this.#names.has(name);
  }

  /** Returns the literals of the type of a scalar. */
  literalsFor(schema: JSONSchemaProps): readonly Json[] {
    if (schema.type === 'string') return this.texts;
    if (schema.type === 'integer' || schema.type === 'number') return this.numbers;
    return schema['x-kubernetes-int-or-string'] ? [...this.numbers, ...this.texts] : [];
  }

  #readPart(part: JSONSchemaProps): void {
    for (const name of part.required ?? []) this.#names.add(name);
    for (const [name, field] of Object.entries(part.properties ?? {})) {
      this.#names.add(name);
      this.#readPart(field);
    }
    const { allOf = [], anyOf = [], oneOf = [], not, items } = part;
    const inner = [...allOf, ...anyOf, ...oneOf, ...(not ? [not] : []), ...(items ? [items] : [])];
    for (const one of inner) this.#readPart(one);
  }
}

function unescaped(name: string): string {
  const keyword = /^__([a-z]+)__$/.exec(name)?.[1];
  const plain = escapes.reduce((text, [from, to]) => text.replaceAll(from, to), name);
  return keyword !== undefined && plain === name ? keyword : plain;
}
