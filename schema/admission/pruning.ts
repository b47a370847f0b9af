import type { Path } from '../../kube/problem.ts';
import { setField } from './defaulting.ts';
import type { JSONSchemaProps } from '../json-schema.ts';
import { isMapping } from '../../kube/mapping.ts';

/** What the value is. */
export interface PruneOptions {
  /**
   * The value is a whole object of Kubernetes: its apiVersion, kind and metadata stay, and nothing
   * within them is pruned. @default - false
   */
  readonly root?: boolean;
}

/** A value without what is not declared. */
export interface Pruned {
  /** Without what was pruned; the same object as before where that is nothing. */
  readonly value: unknown;
  /** What was pruned, in the order of the document. */
  readonly pruned: readonly Path[];
}

/**
 * Leaves out every field that the schema does not declare, as the API server does before it stores
 * an object, and says which. The value is never changed.
 *
 * Source: https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#field-pruning
 *
 * @example
 * ```ts
 * import { integer, object, pruneValue } from 'tenantry/schema';
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

export const metaFields: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

interface PruneContext {
  /** Undefined where nothing is declared any more. */
  readonly schema: JSONSchemaProps | undefined;
  /** The value is an object of Kubernetes, whatever the schema says. */
  readonly isObject: boolean;
  /** Fields that are not declared stay, whatever the schema says. */
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
    // Where all is kept and items are not described, there is nothing to look for.
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
 * Leaves out every null that the schema neither allows nor has a default for, of fields that it
 * declares; nulls in lists stay. The value is never changed.
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
  const { properties = {}, additionalProperties } = schema;
  let copy: Record<string, unknown> | undefined;
  for (const [key, field] of Object.entries(value)) {
    if (typeof field !== 'object') continue;
    const own = Object.hasOwn(properties, key) ? properties[key] : additionalProperties;
    const declared = typeof own === 'object' ? own : undefined;
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
