import { byteLength } from '@tenantry/kube/names';
import { parseJson } from '@tenantry/kube/json';
import type { Json, KubeObject } from '@tenantry/kube/object';
import { isMapping } from '@tenantry/kube/mapping';
import type { KeptField, Step } from './kept-fields.ts';

/** The annotation that keeps what the other versions of an object cannot represent. */
export const KEPT_ANNOTATION = 'tenantry.dev/conversion-data';

/** The kept fields, by the version to which they belong. */
export type KeptByVersion = Readonly<Record<string, readonly KeptField[]>>;

/**
 * Reads what an object has kept of other versions. Everybody who may write the object may write the
 * annotation. Invalid content is therefore ignored: an error would fail every list that contains
 * the object.
 */
export function readKept(object: KubeObject): KeptByVersion {
  const text = object.metadata.annotations?.[KEPT_ANNOTATION];
  if (typeof text !== 'string') return {};
  let value: unknown;
  try {
    value = parseJson(text);
  } catch {
    return {};
  }
  if (!isMapping(value)) return {};
  const entries = Object.entries(value).map(([version, kept]): [string, readonly KeptField[]] => [
    version,
    Array.isArray(kept) ? kept.filter(isKept) : [],
  ]);
  return Object.fromEntries(entries);
}

const untouchable: ReadonlySet<unknown> = new Set(['apiVersion', 'kind', 'metadata']);

function isKept(value: unknown): value is KeptField {
  if (!isMapping(value) || !Array.isArray(value['path'])) return false;
  const path: readonly unknown[] = value['path'];
  const { at = 0 } = value;
  return (
    path.every(isStep) &&
    typeof path[0] === 'string' &&
    !untouchable.has(path[0]) &&
    Number.isSafeInteger(at) &&
    (at as number) >= 0
  );
}

function isStep(value: unknown): value is Step {
  return typeof value === 'string' || isMapping(value);
}

/** The object without the annotation, which is no business of conversions. */
export function removeKeptAnnotation(object: KubeObject): KubeObject {
  const { annotations, ...metadata } = object.metadata;
  if (!annotations || !Object.hasOwn(annotations, KEPT_ANNOTATION)) return object;
  const { [KEPT_ANNOTATION]: _, ...others } = annotations;
  const left = Object.keys(others).length > 0 ? { annotations: others } : {};
  return { ...object, metadata: { ...metadata, ...left } };
}

/** The object with the annotation, or as it is where nothing was kept. */
export function addKeptAnnotation(object: KubeObject, kept: KeptByVersion): KubeObject {
  if (Object.keys(kept).length === 0) return object;
  const annotations = { ...object.metadata.annotations, [KEPT_ANNOTATION]: JSON.stringify(kept) };
  return { ...object, metadata: { ...object.metadata, annotations } };
}

/** Returns the size of all annotations with their names, in bytes as the API server counts them. */
export function sizeOfAnnotations({ metadata }: KubeObject): number {
  const texts = Object.entries(metadata.annotations ?? {}).flat();
  return texts.reduce((sum, text) => sum + byteLength(text), 0);
}

/** `spec.containers[name=web].image`. */
export function formatKeptPath(path: readonly Step[]): string {
  return path
    .map((step, i) => {
      if (typeof step === 'string') return i === 0 ? step : `.${step}`;
      const keys = Object.entries(step).map(
        ([key, value]: [string, Json]) => `${key}=${String(value)}`,
      );
      return `[${keys.join(',')}]`;
    })
    .join('');
}
