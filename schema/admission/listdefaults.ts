import { isMapping } from '../../kube/mapping.ts';
import type { JSONSchemaProps } from '../jsonschema.ts';
import { applyDefaults, define } from './defaulting.ts';
import { dropNulls } from './pruning.ts';

/**
 * The value with what the API server fills in within lists and atomic mappings, and without the nulls that it drops
 * there; all else is as it was, and the value is never changed.
 *
 * Whoever applies server-side owns such a list or mapping as a whole. A tool that compares without asking the API server
 * takes what is filled in there for a difference, for ever: it is in no item that was applied.
 *
 * Source: https://kubernetes.io/docs/reference/using-api/server-side-apply/#merge-strategy
 */
export function applyDefaultsInLists(schema: JSONSchemaProps, value: unknown): unknown {
  if (Array.isArray(value) || schema['x-kubernetes-map-type'] === 'atomic') {
    return applyDefaults(schema, dropNulls(schema, value));
  }
  if (!isMapping(value)) return value;
  const { properties = {}, additionalProperties } = schema;
  let copy: Record<string, unknown> | undefined;
  for (const [key, inner] of Object.entries(value)) {
    const field = Object.hasOwn(properties, key) ? properties[key] : additionalProperties;
    if (typeof field !== 'object') continue;
    const filled = applyDefaultsInLists(field, inner);
    if (filled === inner) continue;
    copy ??= { ...value };
    define(copy, key, filled);
  }
  return copy ?? value;
}
