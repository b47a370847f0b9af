import type { JSONSchemaProps } from '../../schema/jsonschema.ts';
import type { Schema } from '../../schema/language.ts';
import type { TypesByName } from './typesbyname.ts';

/** Under it stands the name of the type of a schema's values. */
const typeName = Symbol('typeName');
/** Under it stands what that type is, where its schemas say so each in other words. */
const typeWords = Symbol('typeWords');

type Named = { readonly [typeName]?: string; readonly [typeWords]?: string };

/** Nothing more to ask where a type allows no more than another, and names no field besides. */
type Within<T, Whole> = [T, keyof T] extends [Whole, keyof Whole] ? unknown : never;

/**
 * Names the type of a schema's values. `npm run gen` writes the type to types.ts, with what the schema
 * says of each field; here the compiler holds it to be the type that the schema has.
 * @param what the type is. @default - what the schema describes itself as
 */
export function named<N extends keyof TypesByName, T extends TypesByName[N]>(
  name: N,
  schema: Schema<T> & Within<TypesByName[N], T>,
  what?: string,
): Schema<TypesByName[N]> {
  return { ...schema, [typeName]: name, ...(what !== undefined && { [typeWords]: what }) };
}

/** The name of the type of a schema's values, and what it is; undefined where it has no name. */
export function nameOf(
  schema: JSONSchemaProps & Named,
): { readonly name: string; readonly what: string } | undefined {
  const { [typeName]: name, [typeWords]: what = schema.description ?? '' } = schema;
  return name === undefined ? undefined : { name, what };
}
