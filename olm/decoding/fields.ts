import { builtinFields } from '../../kube/builtin-fields.ts';
import { embeddedFields, fieldTable } from './field-table.ts';

/** A type with fields. */
export interface FieldsOfType {
  /** The types of the fields, by name. */
  readonly types: ReadonlyMap<string, string>;
  /** Returns the name of the field that a key matches, in any case. */
  named(key: string): string | undefined;
  /** Whether the values of a field are not converted to strings. */
  isEmbedded(field: string): boolean;
}

let lines: ReadonlyMap<string, string> | undefined;
const known = new Map<string, FieldsOfType | undefined>();

/** Returns the fields of a type; undefined for a type without fields, such as `string`. */
export function fieldsOf(type: string): FieldsOfType | undefined {
  if (!known.has(type)) known.set(type, makeFields(type));
  return known.get(type);
}

function makeFields(type: string): FieldsOfType | undefined {
  lines ??= new Map(
    fieldTable
      .trim()
      .split('\n')
      .map((line) => [line.split(' ')[0]!, line]),
  );
  const line = lines.get(type);
  const types =
    line === undefined ? builtinFields(type) : new Map(line.split(' ').slice(1).map(nameAndType));
  if (types === undefined) return undefined;
  const folded = new Map<string, string>();
  for (const name of types.keys()) {
    if (!folded.has(foldCase(name))) folded.set(foldCase(name), name);
  }
  const embedded = embeddedFields[type] ?? [];
  const isAllBut = embedded[0] === '*';
  return {
    types,
    named: (key) => (types.has(key) ? key : folded.get(foldCase(key))),
    isEmbedded: (field) => embedded.includes(field) !== isAllBut,
  };
}

function nameAndType(field: string): readonly [string, string] {
  const colon = field.lastIndexOf(':');
  return [field.slice(0, colon), field.slice(colon + 1)];
}

/** Folds case as Go does for keys: the long s and the Kelvin sign fold to ordinary letters. */
function foldCase(text: string): string {
  return text.replaceAll('\u017f', 's').replaceAll('\u212a', 'k').toLowerCase();
}
