import type { JSONSchemaProps } from '../jsonschema.ts';
import { identityOf } from './equality.ts';
import { isMapping } from '../../kube/mapping.ts';

/**
 * Finds the item of the list before that an item of the list now belongs to: by its keys, in a list
 * that has them; items of other lists belong to none.
 */
export function oldItems(
  schema: JSONSchemaProps,
  old: unknown,
): ((item: unknown) => unknown) | undefined {
  const keys = schema['x-kubernetes-list-map-keys'];
  if (schema['x-kubernetes-list-type'] !== 'map' || !keys || !Array.isArray(old)) return undefined;
  const identity = (item: unknown): string =>
    isMapping(item) ? identityOf(keys.map((key) => item[key] ?? null)) : '';
  const byKeys = new Map<string, unknown>(old.map((item) => [identity(item), item]));
  return (item) => byKeys.get(identity(item));
}
