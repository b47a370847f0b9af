import { isMapping } from '../../kube/mapping.ts';
import type { JSONSchemaProps } from '../json-schema.ts';
import { applyDefaults, setField } from './defaulting.ts';
import { normalizeEmbeddedObjects } from './embedded.ts';
import { dropNulls } from './pruning.ts';

/**
 * The value as whoever applies it server-side must write it to find it as it was written: with what the API server fills
 * in within lists and atomic mappings, without the nulls that it drops or fills in, and with the metadata of embedded
 * objects as it is stored. All else is as it was, and the value is never changed.
 *
 * A list or an atomic mapping belongs to its applier as a whole, and so does each field that it says. A tool that compares
 * without asking the API server takes what is filled in, dropped or read there for a difference, for ever.
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
    // It has a default, which is nobody's here.
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
