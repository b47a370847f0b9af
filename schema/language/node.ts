import type { JSONSchemaProps } from '../json-schema.ts';
import { words } from '../words.ts';
import type { Options } from './options.ts';

/**
 * Applies the options of a schema. Texts for people and rules are stored at their own places; everything else belongs
 * to the API server's schema.
 */
export function applyOptions<S extends JSONSchemaProps>(
  schema: S,
  options: Options<unknown> = {},
): S {
  const { must, absent, rules, ...rest } = options;
  return {
    ...schema,
    ...rest,
    ...(rules && rules.length > 0 && { 'x-kubernetes-validations': rules }),
    ...((must ?? absent) !== undefined && {
      [words]: { ...(must !== undefined && { must }), ...(absent !== undefined && { absent }) },
    }),
  };
}
