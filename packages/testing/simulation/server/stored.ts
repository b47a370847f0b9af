import type { Kind, Live } from '@tenantry/runtime/kinds/kind';
import { isMapping } from '@tenantry/kube/mapping';

/** A JSON object, before its fields are checked. */
export type Fields = Readonly<Record<string, unknown>>;

/** A stored object. It is deeply frozen, so that all readers share one copy. */
export type StoredObject = Live & Fields;

/** The result of a write. */
export interface StoredChange {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  /** `deployments.apps`. */
  readonly resource: string;
  /** The new state; for a deletion the last state, with the version of the deletion. */
  readonly object: StoredObject;
  /** The state before. */
  readonly old: StoredObject | undefined;
  readonly version: number;
  /** The user that wrote it. */
  readonly who: string;
}

/** Returns the same object with the type of its kind. */
export function asLive<K extends Kind>(_kind: K, object: StoredObject): Live<K> {
  return object as Live as Live<K>;
}

/** Converts an object to JSON as the server reads it, without undefined fields. */
export function toJson(object: object): Fields {
  return JSON.parse(JSON.stringify(object)) as Fields;
}

/** Applies a JSON merge patch to a value (RFC 7386). */
export function applyMergePatch(value: unknown, patch: unknown): unknown {
  if (!isMapping(patch)) return patch;
  const result: Record<string, unknown> = isMapping(value) ? { ...value } : {};
  for (const [name, part] of Object.entries(patch)) {
    if (part === null) delete result[name];
    else result[name] = applyMergePatch(result[name], part);
  }
  return result;
}
