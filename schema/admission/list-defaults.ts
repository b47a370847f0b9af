import { isMapping } from '../../kube/mapping.ts';
import type { JSONSchemaProps } from '../json-schema.ts';
import { applyDefaults, setField } from './defaulting.ts';
import { normalizeEmbeddedObjects } from './embedded.ts';
import { dropNulls } from './pruning.ts';

/**
 * Normalizes a value so that a server-side apply of it reads back unchanged. Fills in the API server's defaults within
 * lists and atomic mappings, drops or replaces nulls as the API server does, and writes the metadata of embedded
 * objects as it is stored. Everything else stays as it is; the value is never changed.
 *
 * A list or an atomic mapping belongs as a whole to the manager that applies it, and so does each field that the
 * manager sets. A tool that compares without the API server would otherwise report what the server fills in, drops or
 * reads there as a permanent difference.
 *
 * Source: https://kubernetes.io/docs/reference/using-api/server-side-apply/#merge-strategy
 */
export function applyDefaultsInLists(schema: JSONSchemaProps, value: unknown): unknown {
  return filledIn(schema, normalizeEmbeddedObjects(schema, dropNulls(schema, value)));
}

function filledIn(schema: JSONSchemaProps, value: unknown): unknown {
  if (Array.isArray(value) || schema['x-kubernetes-map-type'] === 'atomic') {
    return applyDefaults(schema, value);
  }
  if (!isMapping(value)) return value;
  const { properties = {}, additionalProperties } = schema;
  let copy: Record<string, unknown> | undefined;
  for (const [key, inner] of Object.entries(value)) {
    const field = Object.hasOwn(properties, key) ? properties[key] : additionalProperties;
    if (typeof field !== 'object') continue;
    // The API server replaces the null by the default, which no manager owns here.
    if (inner === null && field.nullable !== true) {
      copy ??= { ...value };
      delete copy[key];
      continue;
    }
    const filled = filledIn(field, inner);
    if (filled === inner) continue;
    copy ??= { ...value };
    setField(copy, key, filled);
  }
  return copy ?? value;
}
