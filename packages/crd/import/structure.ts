import { warningAt, type Finding } from '@tenantry/kube/finding';
import type { Json } from '@tenantry/kube/object';
import type { Path } from '@tenantry/kube/problem';
import type { JSONSchemaProps } from '../schema/json-schema.ts';
import { listNotes } from './comment.ts';
import { quoted } from './identifiers-and-literals.ts';

export type Type =
  | { readonly is: 'text'; readonly text: string }
  | { readonly is: 'list' | 'map' | 'nullable'; readonly of: Type }
  | { readonly is: 'named'; readonly structure: Structure };

export interface Field {
  readonly name: string;
  readonly type: Type;
  /** Whether the field is required before defaults are filled in, and after. */
  readonly written: boolean;
  readonly stored: boolean;
  readonly notes: readonly string[];
}

/** A use of a structure: as a field of another one, or as a field of the object itself. */
export interface Use {
  readonly parent: Structure | undefined;
  readonly field: string;
  /** Whether it is an item of a list or a value of a map. */
  readonly repeated: boolean;
  readonly notes: readonly string[];
}

/** A type with a name: an object with fields, or a union of many literals. */
export interface Structure {
  readonly fields: readonly Field[];
  /** Whether undeclared fields are kept. */
  readonly open: boolean;
  /** The literals, if it is not an object. */
  readonly words?: readonly string[];
  /** Whether defaults are filled in anywhere in it. */
  readonly hasDefaults: boolean;
  /** One more than the height of the highest structure in it. */
  readonly height: number;
  readonly uses: Use[];
}

/** The maximum width of a union of literals without a name. */
const INLINE = 60;

/** The fields whose type is not up to the schema; it may only restrict them further. */
const metaFields = ['apiVersion', 'kind', 'metadata'];

const unknown: Type = { is: 'text', text: 'unknown' };

/** The types of one version of a kind. Equal objects with equal descriptions are one structure. */
export class Structures {
  readonly all: Structure[] = [];
  /** Places where the type is wider than the schema intended. */
  readonly fallbacks: Finding[] = [];
  readonly #byKey = new Map<string, Structure>();
  readonly #keys = new Map<Structure, number>();

  /** Returns the fields of the whole object without those that every object has, sorted by name. */
  root(schema: JSONSchemaProps, path: Path): Field[] {
    const fields = this.#fields(schema, path, metaFields);
    for (const field of fields) use(field, undefined);
    return fields;
  }

  /** Returns the fields of a schema, without those in `but`. */
  #fields(schema: JSONSchemaProps, path: Path, but: readonly string[] = []): Field[] {
    const { properties = {}, required = [] } = schema;
    const names = Object.keys(properties)
      .filter((name) => !but.includes(name))
      .toSorted();
    const mandatory = new Set(required);
    return names.map((name) => {
      const property = properties[name]!;
      const hasDefault = property.default !== undefined;
      return {
        name,
        type: this.#type(property, [...path, 'properties', name]),
        written: mandatory.has(name) && !hasDefault,
        stored: mandatory.has(name) || hasDefault,
        notes: listNotes(property),
      };
    });
  }

  #type(schema: JSONSchemaProps, path: Path): Type {
    const type = this.#value(schema, path);
    return schema.nullable && !isUnknown(type) ? { is: 'nullable', of: type } : type;
  }

  #value(schema: JSONSchemaProps, path: Path): Type {
    if (schema['x-kubernetes-int-or-string']) return { is: 'text', text: 'number | string' };
    if (schema.enum) {
      const type = this.#words(schema.enum, schema.type);
      if (type) return type;
    }
    switch (schema.type) {
      case 'string':
      case 'boolean':
        return { is: 'text', text: schema.type };
      case 'integer':
      case 'number':
        return { is: 'text', text: 'number' };
      case 'array':
        if (schema.items) return { is: 'list', of: this.#type(schema.items, [...path, 'items']) };
        this.#fellBack(path, 'a list of unknown items, because the schema does not describe them');
        return { is: 'list', of: unknown };
      case 'object':
        return this.#object(schema, path);
      default:
        return this.#untyped(schema, path);
    }
  }

  #untyped(schema: JSONSchemaProps, path: Path): Type {
    if (schema['x-kubernetes-preserve-unknown-fields'] && !schema.properties) return unknown;
    const got =
      schema.type === undefined ? 'names no type' : `has the unknown type '${schema.type}'`;
    if (schema.type === undefined && schema.properties) {
      this.#fellBack(path, `an object, because the schema has properties and ${got}`);
      return this.#object(schema, path);
    }
    this.#fellBack(path, `unknown, because the schema ${got}`);
    return unknown;
  }

  #object(schema: JSONSchemaProps, path: Path): Type {
    const { properties, additionalProperties } = schema;
    const open = schema['x-kubernetes-preserve-unknown-fields'] === true;
    if (schema['x-kubernetes-embedded-resource']) return this.#embedded(schema, path, open);
    if (properties && Object.keys(properties).length > 0) {
      if (additionalProperties !== undefined && additionalProperties !== false) {
        const why = 'because the schema has properties and additionalProperties';
        this.#fellBack([...path, 'additionalProperties'], `fields of unknown type, ${why}`);
        return this.#structure(this.#fields(schema, path), true);
      }
      return this.#structure(this.#fields(schema, path), open);
    }
    if (typeof additionalProperties === 'object') {
      const values = this.#type(additionalProperties, [...path, 'additionalProperties']);
      return { is: 'map', of: values };
    }
    if (open || additionalProperties === true) return { is: 'map', of: unknown };
    return { is: 'map', of: { is: 'text', text: 'never' } };
  }

  /** Returns the type of an embedded Kubernetes object, which requires apiVersion and kind. */
  #embedded(schema: JSONSchemaProps, path: Path, open: boolean): Type {
    const text: Type = { is: 'text', text: 'string' };
    const others = this.#fields(schema, path, metaFields);
    const metadata: Type = { is: 'map', of: unknown };
    const implied: Field[] = [
      { name: 'apiVersion', type: text, written: true, stored: true, notes: [] },
      { name: 'kind', type: text, written: true, stored: true, notes: [] },
      { name: 'metadata', type: metadata, written: false, stored: false, notes: [] },
    ];
    const fields = [...implied, ...others].toSorted((a, b) => (a.name < b.name ? -1 : 1));
    return this.#structure(fields, open);
  }

  /** Returns undefined if the values are not scalars of the type. */
  #words(values: readonly Json[], type: string | undefined): Type | undefined {
    const fits = (value: Json): boolean =>
      value === null || (type === 'integer' ? typeof value === 'number' : typeof value === type);
    if (values.length === 0 || !values.every(fits)) return undefined;
    const words = [...new Set(values)].filter((value) => value !== null).map(literal);
    if (words.length === 0) return undefined;
    const text = words.join(' | ');
    if (text.length <= INLINE) return { is: 'text', text };
    return this.#keep(`words ${text}`, { fields: [], open: false, words });
  }

  #structure(fields: readonly Field[], open: boolean): Type {
    const parts = fields.map(({ name, type, written, stored, notes }) => [
      name,
      this.#keyOf(type),
      written,
      stored,
      notes,
    ]);
    return this.#keep(JSON.stringify([open, parts]), { fields, open });
  }

  #keep(key: string, made: Pick<Structure, 'fields' | 'open' | 'words'>): Type {
    const known = this.#byKey.get(key);
    if (known) return { is: 'named', structure: known };
    const inner = made.fields.flatMap(({ type }) => structureIn(type) ?? []);
    const structure: Structure = {
      ...made,
      hasDefaults:
        inner.some(({ hasDefaults }) => hasDefaults) ||
        made.fields.some(({ written, stored }) => written !== stored),
      height: 1 + Math.max(0, ...inner.map(({ height }) => height)),
      uses: [],
    };
    this.#byKey.set(key, structure);
    this.#keys.set(structure, this.all.length);
    this.all.push(structure);
    for (const field of made.fields) use(field, structure);
    return { is: 'named', structure };
  }

  #keyOf(type: Type): string {
    if (type.is === 'text') return type.text;
    if (type.is === 'named') return `#${this.#keys.get(type.structure)}`;
    return `${type.is} ${this.#keyOf(type.of)}`;
  }

  #fellBack(path: Path, what: string): void {
    this.fallbacks.push(warningAt(path, `is imported as ${what}`, 'import-fallback'));
  }
}

/** Returns the structure that a type names, itself or in its items. */
function structureIn(type: Type): Structure | undefined {
  if (type.is === 'named') return type.structure;
  return type.is === 'text' ? undefined : structureIn(type.of);
}

function use({ name, type, notes }: Field, parent: Structure | undefined): void {
  structureIn(type)?.uses.push({ parent, field: name, repeated: isRepeated(type), notes });
}

function isRepeated(type: Type): boolean {
  if (type.is === 'nullable') return isRepeated(type.of);
  return type.is === 'list' || type.is === 'map';
}

function isUnknown(type: Type): boolean {
  return type.is === 'text' && type.text === 'unknown';
}

function literal(value: Json): string {
  return typeof value === 'string' ? quoted(value) : JSON.stringify(value);
}
