import type { Finding } from '@tenantry/kube/finding';
import type { Path } from '@tenantry/kube/problem';
import { checkMetadata, checkType, embeddedNameRules } from './resource-names.ts';
import { readMetadata } from './metadata.ts';
import { setField } from './defaulting.ts';
import { schemaOfField, type JSONSchemaProps } from '../json-schema.ts';
import { isEqual } from '../validator/equality.ts';
import { isMapping } from '@tenantry/kube/mapping';

/** The result of reading the Kubernetes objects that are embedded in a value. */
interface EmbeddedObjectsResult {
  readonly value: unknown;
  /** Fields of metadata that Kubernetes does not know. */
  readonly pruned: readonly Path[];
  readonly errors: readonly Finding[];
}

/**
 * Reads the metadata of every object that a schema marks as embedded, as the API server does. Never changes the value.
 *
 * Source: https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#rawextension
 */
export function readEmbeddedObjects(
  schema: JSONSchemaProps,
  value: unknown,
): EmbeddedObjectsResult {
  const pruned: Path[] = [];
  const errors: Finding[] = [];
  const visit: Visit = (schema, value, path) => {
    if (!isMapping(value) || !isEmbedded(schema) || !Object.hasOwn(value, 'metadata')) return value;
    const read = readMetadata(value['metadata'], [...path, 'metadata']);
    pruned.push(...read.unknown);
    errors.push(...read.errors);
    return { ...value, metadata: read.value };
  };
  return { value: mapEmbeddedObjects(schema, value, [], visit), pruned, errors };
}

/**
 * Normalizes the metadata of embedded objects to what is stored: without empty fields, such as `creationTimestamp:
 * null` and `labels: {}`. Returns the value itself if the API server cannot read an embedded object, or if nothing is
 * left out.
 */
export function normalizeEmbeddedObjects<T>(schema: JSONSchemaProps, value: T): T {
  const { value: read, errors } = readEmbeddedObjects(schema, value);
  return errors.length > 0 || isEqual(read, value) ? value : (read as T);
}

/** Validates the apiVersion, kind and metadata of embedded objects. */
export function checkEmbeddedObjects(schema: JSONSchemaProps, value: unknown): Finding[] {
  const errors: Finding[] = [];
  mapEmbeddedObjects(schema, value, [], (schema, value, path) => {
    if (!isMapping(value) || !isEmbedded(schema)) return value;
    errors.push(...checkType(value, path));
    const { metadata } = value;
    if (isMapping(metadata)) {
      errors.push(...checkMetadata(metadata, [...path, 'metadata'], embeddedNameRules));
    }
    return value;
  });
  return errors;
}

type Visit = (schema: JSONSchemaProps, value: unknown, path: Path) => unknown;

function isEmbedded(schema: JSONSchemaProps): boolean {
  return schema['x-kubernetes-embedded-resource'] === true;
}

const known = new WeakMap<JSONSchemaProps, boolean>();

/** Whether there is an embedded object anywhere within the schema. */
function containsEmbeddedObjects(schema: JSONSchemaProps): boolean {
  const answer =
    known.get(schema) ?? (isEmbedded(schema) || listChildren(schema).some(containsEmbeddedObjects));
  known.set(schema, answer);
  return answer;
}

function listChildren({
  properties,
  additionalProperties,
  items,
}: JSONSchemaProps): JSONSchemaProps[] {
  const children = Object.values(properties ?? {});
  if (items) children.push(items);
  if (typeof additionalProperties === 'object') children.push(additionalProperties);
  return children;
}

function mapEmbeddedObjects(
  schema: JSONSchemaProps,
  given: unknown,
  path: Path,
  visit: Visit,
): unknown {
  if (!containsEmbeddedObjects(schema)) return given;
  const value = visit(schema, given, path);
  if (Array.isArray(value)) {
    const { items } = schema;
    if (!items) return value;
    const list = value.map((item, i) => mapEmbeddedObjects(items, item, [...path, i], visit));
    return list.some((item, i) => item !== value[i]) ? list : value;
  }
  if (!isMapping(value)) return value;
  let copy: Record<string, unknown> | undefined;
  for (const [key, field] of Object.entries(value)) {
    const own = schemaOfField(schema, key);
    if (!own) continue;
    const inner = mapEmbeddedObjects(own, field, [...path, key], visit);
    if (inner === field) continue;
    copy ??= { ...value };
    setField(copy, key, inner);
  }
  return copy ?? value;
}
