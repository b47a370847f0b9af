import type { Kind, Live } from '../../../runtime/kinds/kind.ts';

/** An object of JSON, before anything is known of its fields. */
export type Fields = Readonly<Record<string, unknown>>;

/** An object as it is stored: frozen, however deep, so that one copy does for all who read it. */
export type StoredObject = Live & Fields;

/** What a write came to. */
export interface StoredChange {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  /** `deployments.apps`. */
  readonly resource: string;
  /** Of what was deleted, the last state, under the version of its deletion. */
  readonly object: StoredObject;
  /** The state before. */
  readonly old: StoredObject | undefined;
  readonly version: number;
  /** Who wrote it. */
  readonly who: string;
}

/** The value, which nobody can change any more. */
export function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const part of Object.values(value)) deepFreeze(part);
  }
  return value;
}

/** The same, typed by the kind under which it lies. */
export function asLive<K extends Kind>(_kind: K, object: StoredObject): Live<K> {
  return object as Live as Live<K>;
}

/** What a program sends, as the server reads it: a value of JSON without what is undefined. */
export function toJson(object: object): Fields {
  return JSON.parse(JSON.stringify(object)) as Fields;
}
