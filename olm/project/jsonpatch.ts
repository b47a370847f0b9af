import { same } from '../../kube/equality.ts';
import { isMapping } from '../../kube/mapping.ts';
import { show } from '../../kube/problem.ts';
import type { Editable } from './tree.ts';

/** An operation cannot be done; the message says why. */
export class PatchFailed extends Error {
  override readonly name = 'PatchFailed';
}

/**
 * Does the operations of a JSON patch; `copy` is none of them, as several would double what there is.
 *
 * Source: RFC 6902
 * @throws {PatchFailed} where one is none, or finds nothing
 */
export function applyJsonPatch(target: Editable, operations: readonly unknown[]): void {
  for (const operation of operations) {
    if (!isMapping(operation))
      throw new PatchFailed(`must be an operation, got ${show(operation)}`);
    const { op, path, from, value } = operation;
    switch (op) {
      case 'add':
        add(target, keysOf(path), structuredClone(value));
        break;
      case 'remove':
        remove(target, keysOf(path));
        break;
      case 'replace':
        replace(target, keysOf(path), structuredClone(value));
        break;
      case 'move':
        add(target, keysOf(path), remove(target, keysOf(from)));
        break;
      case 'test':
        if (!same(valueAt(target, keysOf(path)), value)) {
          throw new PatchFailed(`must find ${show(value)} at ${show(path)}`);
        }
        break;
      default:
        throw new PatchFailed(`must be an operation of a JSON patch, got ${show(op)}`);
    }
  }
}

function keysOf(path: unknown): readonly string[] {
  if (typeof path !== 'string' || !path.startsWith('/')) {
    throw new PatchFailed(`must have a path such as '/spec/replicas', got ${show(path)}`);
  }
  return path
    .slice(1)
    .split('/')
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function valueAt(target: unknown, keys: readonly string[]): unknown {
  let found = target;
  for (const key of keys) {
    if (Array.isArray(found)) found = found[indexIn(found, key)] as unknown;
    else if (isMapping(found) && Object.hasOwn(found, key)) found = found[key];
    else throw nothing(keys);
  }
  return found;
}

function add(target: unknown, keys: readonly string[], value: unknown): void {
  const holder = valueAt(target, keys.slice(0, -1));
  const key = keys.at(-1)!;
  if (Array.isArray(holder)) {
    const at = key === '-' ? holder.length : Number(key);
    if (!Number.isInteger(at) || at < 0 || at > holder.length) throw nothing(keys);
    holder.splice(at, 0, value);
  } else if (isMapping(holder)) (holder as Editable)[key] = value;
  else throw nothing(keys);
}

function remove(target: unknown, keys: readonly string[]): unknown {
  const value = valueAt(target, keys);
  const holder = valueAt(target, keys.slice(0, -1));
  const key = keys.at(-1)!;
  if (Array.isArray(holder)) holder.splice(indexIn(holder, key), 1);
  else delete (holder as Editable)[key];
  return value;
}

/** As kustomize does: a field of an object that is not there is set. */
function replace(target: unknown, keys: readonly string[], value: unknown): void {
  const holder = valueAt(target, keys.slice(0, -1));
  if (!isMapping(holder)) remove(target, keys);
  add(target, keys, value);
}

function indexIn(list: readonly unknown[], key: string): number {
  const at = /^\d+$/.test(key) ? Number(key) : list.length;
  if (at >= list.length) throw new PatchFailed(`must be the place of an item, got ${show(key)}`);
  return at;
}

function nothing(keys: readonly string[]): PatchFailed {
  return new PatchFailed(`must find something at ${show(`/${keys.join('/')}`)}, got nothing`);
}
