import { isMapping } from '../../kube/mapping.ts';

export type Mapping = Readonly<Record<string, unknown>>;

/** Fields of metadata that a cluster writes. */
const written = new Set([
  'creationTimestamp',
  'deletionTimestamp',
  'generation',
  'managedFields',
  'resourceVersion',
  'selfLink',
  'uid',
]);

/** An object without what a cluster writes into its metadata, and without empty lists and maps there. */
export function stripClusterFields(object: Mapping): Mapping {
  const { metadata } = object;
  if (!isMapping(metadata)) return object;
  const kept = Object.entries(metadata).filter(
    ([key, value]) => !written.has(key) && !isEmpty(value),
  );
  return { ...object, metadata: Object.fromEntries(kept) };
}

/** Whether a value says nothing: null, '', an empty list or an empty mapping. */
export function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true;
  if (Array.isArray(value)) return value.length === 0;
  return isMapping(value) && Object.keys(value).length === 0;
}

/** A mapping without the fields that say nothing. */
export function omitEmpty(mapping: Mapping): Mapping {
  return Object.fromEntries(Object.entries(mapping).filter(([, value]) => !isEmpty(value)));
}

/** The same value without the nulls in its mappings, which are read as if they were not there. */
export function omitNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(omitNulls);
  if (!isMapping(value)) return value;
  const fields = Object.entries(value).filter(([, field]) => field !== null);
  return Object.fromEntries(fields.map(([key, field]) => [key, omitNulls(field)]));
}
