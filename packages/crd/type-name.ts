import type { JSONSchemaProps } from './schema/json-schema.ts';
import type { Schema } from './schema/language.ts';

/** The key for the name of the type of a schema's values. */
const typeName = Symbol('typeName');
/** The key for the description of that type, for a type whose schemas have different descriptions. */
const typeWords = Symbol('typeWords');

type Named = { readonly [typeName]?: string; readonly [typeWords]?: string };

/** Accepts a type that is assignable to another one and has no further fields. */
type Within<T, Whole> = [T, keyof T] extends [Whole, keyof Whole] ? unknown : never;

/**
 * Returns a function that names the type of a schema's values, for the types of a module. `npm run
 * gen` writes the type to types.ts in the same folder, with the schema's descriptions. The compiler
 * checks that the generated type is the type of the schema.
 */
export function naming<Types>() {
  /** @param what describes the type. @default - the description of the schema */
  return <N extends keyof Types & string, T extends Types[N]>(
    name: N,
    schema: Schema<T> & Within<Types[N], T>,
    what?: string,
  ): Schema<Types[N]> => ({
    ...schema,
    [typeName]: name,
    ...(what !== undefined && { [typeWords]: what }),
  });
}

/** Returns the name and the description of the type of a schema's values; undefined if it has no name. */
export function nameOf(
  schema: JSONSchemaProps & Named,
): { readonly name: string; readonly what: string } | undefined {
  const { [typeName]: name, [typeWords]: what = schema.description ?? '' } = schema;
  return name === undefined ? undefined : { name, what };
}
