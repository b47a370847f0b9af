import type { JSONSchemaProps } from '../../schema/json-schema.ts';
import type { Schema } from '../../schema/language.ts';
import type { TypesByName } from './types-by-name.ts';

/** Under it stands the name of the type of a schema's values. */
const typeName = Symbol('typeName');
/** Under it stands what that type is, where its schemas say so each in other words. */
const typeWords = Symbol('typeWords');

type Named = { readonly [typeName]?: string; readonly [typeWords]?: string };

/** Nothing more to ask where a type allows no more than another, and names no field besides. */
type Within<T, Whole> = [T, keyof T] extends [Whole, keyof Whole] ? unknown : never;

/**
 * What names the type of a schema's values, for the types of a module. `npm run gen` writes the type to
 * types.ts beside it, with what the schema says of each field; here the compiler holds it to be the
 * type that the schema has.
 */
export function naming<Types>() {
  /** @param what the type is. @default - what the schema describes itself as */
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

/** Names the type of the values of a schema of our kinds. */
export const named = naming<TypesByName>();

/** The name of the type of a schema's values, and what it is; undefined where it has no name. */
export function nameOf(
  schema: JSONSchemaProps & Named,
): { readonly name: string; readonly what: string } | undefined {
  const { [typeName]: name, [typeWords]: what = schema.description ?? '' } = schema;
  return name === undefined ? undefined : { name, what };
}
