import type { Path } from '@tenantry/kube/problem';
import { setField } from './defaulting.ts';
import { schemaOfField, type JSONSchemaProps } from '../json-schema.ts';
import { isMapping } from '@tenantry/kube/mapping';

/** Options of `pruneValue`. */
export interface PruneOptions {
  /**
   * Whether the value is a whole Kubernetes object: its apiVersion, kind and metadata stay, and nothing within them is
   * pruned. @default false
   */
  readonly root?: boolean;
}

/** A value without its undeclared fields. */
export interface Pruned {
  /** The pruned value; the same object as before if nothing was pruned. */
  readonly value: unknown;
  /** The paths of the pruned fields, in the order of the document. */
  readonly pruned: readonly Path[];
}

/**
 * Drops every field that the schema does not declare, as the API server does before it stores an object, and lists the
 * dropped fields. Never changes the value.
 *
 * Source: https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#field-pruning
 *
 * @example
 * ```ts
 * import { integer, object, pruneValue } from '@tenantry/crd/schema';
 *
 * const schema = object('A box.', { size: integer('How big.') });
 * console.log(pruneValue(schema, { size: 1, color: 'red' }).value); // { size: 1 }
 * ```
 */
export function pruneValue(
  schema: JSONSchemaProps,
  value: unknown,
  { root = false }: PruneOptions = {},
): Pruned {
  const pruned: Path[] = [];
  return {
    value: pruneWithin({ schema, isObject: root, keeps: false }, value, [], pruned),
    pruned,
  };
}

const metaFields: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

interface PruneContext {
  /** Undefined below the last declared field. */
  readonly schema: JSONSchemaProps | undefined;
  /** The value is a Kubernetes object, regardless of the schema. */
  readonly isObject: boolean;
  /** Undeclared fields stay, regardless of the schema. */
  readonly keeps: boolean;
}

function pruneWithin(place: PruneContext, value: unknown, path: Path, pruned: Path[]): unknown {
  if (Array.isArray(value)) {
    const { schema } = place;
    const inner = {
      schema: schema?.items,
      isObject: false,
      keeps: keepsAll(place),
    };
    // If undeclared fields are kept and items have no schema, nothing can be pruned below.
    if (inner.keeps && !inner.schema) return value;
    const items = value.map((item, i) => pruneWithin(inner, item, [...path, i], pruned));
    return items.some((item, i) => item !== value[i]) ? items : value;
  }
  return isMapping(value) ? pruneObject(place, value, path, pruned) : value;
}

function keepsAll({ schema, keeps }: PruneContext): boolean {
  return keeps || schema?.['x-kubernetes-preserve-unknown-fields'] === true;
}

function pruneObject(
  place: PruneContext,
  object: Record<string, unknown>,
  path: Path,
  pruned: Path[],
): unknown {
  const { properties = {}, additionalProperties } = place.schema ?? {};
  const isObject = place.isObject || place.schema?.['x-kubernetes-embedded-resource'] === true;
  const keeps = keepsAll(place);
  let copy: Record<string, unknown> | undefined;
  for (const [key, value] of Object.entries(object)) {
    if (isObject && metaFields.has(key)) continue;
    const isDeclared = Object.hasOwn(properties, key);
    if (!isDeclared && additionalProperties === undefined && !keeps) {
      pruned.push([...path, key]);
      copy ??= { ...object };
      delete copy[key];
      continue;
    }
    if (!isDeclared && additionalProperties === undefined) continue;
    if (typeof value !== 'object') continue;
    const field = isDeclared ? properties[key] : additionalProperties;
    const schema = typeof field === 'object' ? field : undefined;
    const place = { schema, isObject: false, keeps: false };
    const inner = pruneWithin(place, value, [...path, key], pruned);
    if (inner !== value) setField((copy ??= { ...object }), key, inner);
  }
  return copy ?? object;
}

/**
 * Drops every null of a declared field that is neither nullable nor has a default. Nulls in lists stay. Never changes
 * the value.
 *
 * Source: https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#defaulting-and-nullable
 */
export function dropNulls(schema: JSONSchemaProps, value: unknown): unknown {
  if (Array.isArray(value)) {
    const { items } = schema;
    if (!items) return value;
    const list = value.map((item) => dropNulls(items, item));
    return list.some((item, i) => item !== value[i]) ? list : value;
  }
  if (!isMapping(value)) return value;
  let copy: Record<string, unknown> | undefined;
  for (const [key, field] of Object.entries(value)) {
    if (typeof field !== 'object') continue;
    const declared = schemaOfField(schema, key);
    const isStray = field === null && declared && declared.nullable !== true;
    if (isStray && (declared.default === undefined || declared.default === null)) {
      copy ??= { ...value };
      delete copy[key];
      continue;
    }
    const inner = declared ? dropNulls(declared, field) : field;
    if (inner !== field) setField((copy ??= { ...value }), key, inner);
  }
  return copy ?? value;
}
