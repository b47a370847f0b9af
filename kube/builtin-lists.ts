import { listKeys } from './openapi/list-keys.ts';

/** A field that identifies the items of a list. */
export interface ListKey {
  readonly name: string;
  /** The value of an item without the field; undefined if there is none. */
  readonly default?: unknown;
}

/** Types and fields, each with its keys; parsed on first use. */
let lists: ReadonlyMap<string, readonly ListKey[]> | undefined;

/**
 * Returns the keys by which server-side apply identifies the items of a list, for a field of a type of Kubernetes (as
 * in `builtinFields`): `ServiceSpec` and `ports` give `port` and `protocol`. The result is empty for a set, whose items
 * identify themselves. It is undefined for a list that is replaced as a whole, and for a field that is not a list.
 */
export function builtinListKeys(type: string, field: string): readonly ListKey[] | undefined {
  lists ??= new Map(listKeys.trim().split('\n').map(listOf));
  return lists.get(`${type} ${field}`);
}

function listOf(line: string): [string, readonly ListKey[]] {
  const [type, field, ...keys] = line.split(' ');
  return [`${type} ${field}`, keys[0] === '*' ? [] : keys.map(keyOf)];
}

function keyOf(written: string): ListKey {
  const equals = written.indexOf('=');
  if (equals < 0) return { name: written };
  return { name: written.slice(0, equals), default: JSON.parse(written.slice(equals + 1)) };
}
