import { builtinFields } from '../../kube/builtin-fields.ts';
import { embeddedFields, fieldTable } from './field-table.ts';

/** A type that has fields. */
export interface FieldsOfType {
  /** Their types, by their names. */
  readonly types: ReadonlyMap<string, string>;
  /** The name that a key means, whatever its case. */
  named(key: string): string | undefined;
  /** Whether what is written in a field stays what it is, where a string is wanted. */
  isEmbedded(field: string): boolean;
}

let lines: ReadonlyMap<string, string> | undefined;
const known = new Map<string, FieldsOfType | undefined>();

/** The fields of a type, or undefined for one that has none of its own, such as `string`. */
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

/** As Go compares keys: the long s and the sign of Kelvin are letters like others. */
function foldCase(text: string): string {
  return text.replaceAll('\u017f', 's').replaceAll('\u212a', 'k').toLowerCase();
}
