import { listKeys } from './openapi/list-keys.ts';

/** A field by which the items of a list are told apart. */
export interface ListKey {
  readonly name: string;
  /** What counts where an item leaves it out; undefined where nothing does. */
  readonly default?: unknown;
}

/** Types and fields, each with its keys; read when the first is asked for. */
let lists: ReadonlyMap<string, readonly ListKey[]> | undefined;

/**
 * The keys by which server-side apply tells the items of a list apart, of a field of a type of Kubernetes
 * (as `builtinFields` names it): `ServiceSpec` and `ports` give `port` and `protocol`. None for a list
 * whose items stand for themselves, a set; undefined for one that is replaced whole, and for what is no list.
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
