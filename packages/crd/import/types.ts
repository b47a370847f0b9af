import type { JSONSchemaProps } from '../schema/json-schema.ts';
import { comment, WIDTH } from './comment.ts';
import { propertyName, quoted } from './identifiers-and-literals.ts';
import { TypeNames } from './naming.ts';
import type { Finding } from '@tenantry/kube/finding';
import { Structures, type Field, type Structure, type Type } from './structure.ts';

/** The types of one version of a kind, as TypeScript. */
export interface VersionTypes {
  /** The declarations; the types of the whole object come first. */
  readonly text: string;
  /** The names of the whole object's types, as a person writes it and with defaults filled in. */
  readonly input: string;
  readonly stored: string;
  readonly fallbacks: readonly Finding[];
}

/**
 * Renders the types of the schema of a whole object.
 * @param kind the prefix of the names
 * @param taken names that are already in use at the place of the text
 * @param indentation the prefix of every line
 */
export function renderTypes(
  kind: string,
  schema: JSONSchemaProps,
  taken: Iterable<string>,
  indentation: string,
): VersionTypes {
  const structures = new Structures();
  const fields = structures.root(schema, []);
  const open = schema['x-kubernetes-preserve-unknown-fields'] === true;
  const input = `${kind}Input`;
  const names = new TypeNames(kind, structures.all, [...taken, input, `${kind}Stored`]);
  const writer = new TypeWriter(names, indentation);
  const hasDefaults =
    fields.some(({ written, stored }) => written !== stored) ||
    structures.all.some((one) => one.hasDefaults);
  const stored = hasDefaults ? `${kind}Stored` : input;
  const named = structures.all
    .map((structure): [string, Structure] => [names.nameOf(structure), structure])
    .toSorted(
      ([a], [b]) => Number(b.startsWith(kind)) - Number(a.startsWith(kind)) || (a < b ? -1 : 1),
    );
  const what = hasDefaults ? ', as it is written' : '';
  const about = `The fields of a ${kind}${what}, without apiVersion, kind and metadata.`;
  return {
    text: [
      writer.interface(input, { fields, open, stored: false, notes: [about] }),
      ...(hasDefaults
        ? [writer.interface(stored, { fields, open, stored: true, notes: storedNotes(input) })]
        : []),
      ...named.flatMap(([name, structure]) => writer.structure(name, structure)),
    ].join('\n'),
    input,
    stored,
    fallbacks: structures.fallbacks,
  };
}

const storedNotes = (name: string): string[] => [`\`${name}\` with defaults filled in.`];

/** The contents of an interface. */
interface InterfaceProps {
  readonly fields: readonly Field[];
  /** Whether it has further fields of any type. */
  readonly open: boolean;
  /** Whether defaults are filled in. */
  readonly stored: boolean;
  readonly notes: readonly string[];
  /** ` extends ...`. @default - nothing */
  readonly base?: string;
}

class TypeWriter {
  readonly #names: TypeNames;
  readonly #indentation: string;

  constructor(names: TypeNames, indentation: string) {
    this.#names = names;
    this.#indentation = indentation;
  }

  structure(name: string, structure: Structure): string[] {
    const { fields, open, words, hasDefaults } = structure;
    const notes = commonNotes(structure);
    if (words) return [this.#words(name, words, notes)];
    const written = this.interface(name, { fields, open, stored: false, notes });
    if (!hasDefaults) return [written];
    const filled = fields.filter((field) => this.#differs(field));
    const whole = { fields, open, stored: true, notes: storedNotes(name) };
    // With an index signature, Omit would keep only the index signature.
    if (open || filled.length === fields.length) {
      return [written, this.interface(`${name}Stored`, whole)];
    }
    const base = this.#omitting(name, filled, this.#indentation);
    const bare = filled.map((field) => ({ ...field, notes: [] }));
    return [written, this.interface(`${name}Stored`, { ...whole, fields: bare, base })];
  }

  /** Renders ` extends Omit<...>` for an interface that redeclares these fields. */
  #omitting(name: string, fields: readonly Field[], outer: string): string {
    const words = fields.map((field) => quoted(field.name));
    const line = ` extends Omit<${name}, ${words.join(' | ')}>`;
    if (`${outer}export interface ${name}Stored${line} {`.length <= WIDTH) return line;
    const inner = `${outer}  `;
    const union = `${inner}${words.join(' | ')}`;
    const fits = union.length <= WIDTH;
    const keys = fits ? union : words.map((word) => `${inner}| ${word}`).join('\n');
    return ` extends Omit<\n${inner}${name},\n${keys}\n${outer}>`;
  }

  interface(name: string, { fields, open, stored, notes, base = '' }: InterfaceProps): string {
    const outer = this.#indentation;
    const inner = `${outer}  `;
    const lines = fields.map((field) => {
      const optional = (stored ? field.stored : field.written) ? '' : '?';
      const type = this.#type(field.type, stored);
      const head = `${inner}readonly ${propertyName(field.name)}${optional}: `;
      const map = /^\{ (?<entry>.*) \}$/.exec(type)?.groups?.['entry'];
      const fits = map === undefined || head.length + type.length < WIDTH;
      const property = fits ? type : `{\n${inner}  ${map};\n${inner}}`;
      return `${comment(field.notes, inner)}${head}${property};\n`;
    });
    if (open) lines.push(`${inner}readonly [field: string]: unknown;\n`);
    const body = lines.length === 0 ? '{}' : `{\n${lines.join('')}${outer}}`;
    return `${comment(notes, outer)}${outer}export interface ${name}${base} ${body}\n`;
  }

  #words(name: string, words: readonly string[], notes: readonly string[]): string {
    const outer = this.#indentation;
    const head = `${outer}export type ${name} =`;
    return `${comment(notes, outer)}${head}${formatUnion(words, outer, head)};\n`;
  }

  #type(type: Type, stored: boolean): string {
    switch (type.is) {
      case 'text':
        return type.text;
      case 'named':
        return stored && type.structure.hasDefaults
          ? this.#names.storedNameOf(type.structure)
          : this.#names.nameOf(type.structure);
      case 'nullable':
        return `${this.#type(type.of, stored)} | null`;
      case 'map':
        return `{ readonly [key: string]: ${this.#type(type.of, stored)} }`;
      default: {
        const item = this.#type(type.of, stored);
        return isSimple(type.of) ? `readonly ${item}[]` : `readonly (${item})[]`;
      }
    }
  }

  #differs(field: Field): boolean {
    return (
      field.written !== field.stored ||
      this.#type(field.type, false) !== this.#type(field.type, true)
    );
  }
}

/** Renders a union after `=`: on the same line, on the next, or with one line per member. */
function formatUnion(words: readonly string[], outer: string, head: string): string {
  const union = ` ${words.join(' | ')}`;
  if (head.length + union.length < WIDTH) return union;
  const next = `\n${outer} ${union}`;
  if (next.length <= WIDTH) return next;
  return words.map((word) => `\n${outer}  | ${word}`).join('');
}

/** Returns the notes that are the same in every place where a structure is used. */
function commonNotes({ uses }: Structure): string[] {
  const [first, ...others] = uses.map(({ notes }) => notes.filter((note) => !note.startsWith('@')));
  const isCommon = others.every((notes) => notes.join('\n') === first!.join('\n'));
  return first && isCommon ? first : [];
}

/** Returns whether the type can precede brackets without parentheses. */
function isSimple(type: Type): boolean {
  return type.is === 'text' ? !type.text.includes(' | ') : type.is === 'map' || type.is === 'named';
}
