import { apiVersionOf, type Kind, type Live } from '../kinds/kind.ts';
import type { Cached } from './cached.ts';
import { StringInterner } from './shared-texts.ts';

/** Returns what is kept of an object. */
export type CacheTransform<K extends Kind, O extends Cached> = (object: Live<K>) => O;

/**
 * Builds the transform of a cache. It keeps everything but managedFields, which are half of many objects and which no
 * controller reads; `project` can reduce that. Texts that many objects contain are shared. The object is copied,
 * because deleting a field would make it slower and larger than one that never had it.
 */
export function buildCacheTransform<K extends Kind, O extends Cached>(
  kind: K,
  project: (object: Live<K>) => O,
  freeze: boolean,
): CacheTransform<K, O> {
  // Shared by all objects instead of one text each.
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
