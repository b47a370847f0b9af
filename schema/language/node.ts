import type { JSONSchemaProps } from '../json-schema.ts';
import { words } from '../words.ts';
import type { Options } from './options.ts';

/** Words and rules go where they belong; everything else is the API server's own. */
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
