import { apiVersionOf, type Kind, type Live } from '../kinds/kind.ts';
import type { Cached } from './cached.ts';
import { StringInterner } from './shared-texts.ts';

/** What is kept of an object. */
export type CacheTransform<K extends Kind, O extends Cached> = (object: Live<K>) => O;

/**
 * Keeps all but managedFields, which are half of many objects and read by no controller; or of that
 * what `project` gives. Texts that many objects have are kept once. Copied: a field that is deleted
 * leaves the object slower and larger than one that was never there.
 */
export function buildCacheTransform<K extends Kind, O extends Cached>(
  kind: K,
  project: (object: Live<K>) => O,
  freeze: boolean,
): CacheTransform<K, O> {
  // One text for all objects, in place of one each.
  const named = { apiVersion: apiVersionOf(kind), kind: kind.kind };
  const texts = new StringInterner();
  return (object) => {
    const { managedFields: _, ...metadata } = object.metadata;
    const kept = project({ ...object, ...named, metadata });
    texts.internAll(kept);
    return freeze ? deepFreeze(kept) : kept;
  };
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const part of Object.values(value)) deepFreeze(part);
  }
  return value;
}
