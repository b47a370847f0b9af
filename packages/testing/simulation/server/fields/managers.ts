import { isDeepEqual } from '@tenantry/kube/json';
import { omitUndefined, isMapping } from '@tenantry/kube/mapping';
import type { ManagedFields } from '@tenantry/runtime/kinds/kind';
import { splitPath } from './leaves.ts';

/** A field manager and the fields that it owns. */
export interface FieldManager {
  readonly manager: string;
  readonly operation: 'Apply' | 'Update';
  readonly apiVersion: string;
  readonly subresource?: string | undefined;
  readonly paths: ReadonlySet<string>;
  /** The time of the last change; absent for a new manager. */
  readonly time?: string | undefined;
}

interface Tree {
  [element: string]: Tree;
}

const read = new WeakMap<object, ReadonlySet<string>>();

export function parseManagers(written: readonly ManagedFields[] = []): FieldManager[] {
  return written.map(({ manager = '', operation = 'Update', apiVersion = '', ...rest }) => ({
    manager,
    operation,
    apiVersion,
    subresource: rest.subresource,
    paths: parsePaths(rest.fieldsV1),
    time: rest.time,
  }));
}

/** Formats managers as `managedFields`. Unchanged managers keep their times. */
export function formatManagedFields(
  managers: readonly FieldManager[],
  now: string,
): ManagedFields[] {
  return managers
    .filter(({ paths }) => paths.size > 0)
    .map(({ manager, operation, apiVersion, subresource, paths, time }) =>
      omitUndefined({
        manager,
        operation,
        apiVersion,
        time: time ?? now,
        fieldsType: 'FieldsV1',
        fieldsV1: buildTree(paths),
        subresource,
      }),
    );
}

export function isSameManager(one: FieldManager, other: Omit<FieldManager, 'paths'>): boolean {
  return (
    one.manager === other.manager &&
    one.operation === other.operation &&
    one.apiVersion === other.apiVersion &&
    one.subresource === other.subresource
  );
}

/** Returns the manager with other paths; the same manager where they are equal. */
export function withPaths(one: FieldManager, paths: ReadonlySet<string>): FieldManager {
  return isSameSet(paths, one.paths) ? one : { ...one, paths, time: undefined };
}

/** Whether two lists are equal except for their times. */
export function isSameOwnership(
  one: readonly ManagedFields[] = [],
  other: readonly ManagedFields[] = [],
): boolean {
  const timeless = (list: readonly ManagedFields[]) =>
    list.map((entry) => ({ ...entry, time: '' }));
  return isDeepEqual(timeless(one), timeless(other));
}

function parsePaths(fieldsV1: unknown): ReadonlySet<string> {
  if (!isMapping(fieldsV1)) return new Set();
  const known = read.get(fieldsV1);
  if (known) return known;
  const paths = new Set<string>();
  const collect = (tree: Record<string, unknown>, at: string): void => {
    const names = Object.keys(tree);
    if (names.length === 0 && at !== '') paths.add(at);
    for (const name of names) {
      if (name === '.') paths.add(at);
      else {
        const inner = tree[name];
        collect(isMapping(inner) ? inner : {}, at === '' ? name : `${at}\n${name}`);
      }
    }
  };
  collect(fieldsV1, '');
  read.set(fieldsV1, paths);
  return paths;
}

function buildTree(paths: ReadonlySet<string>): Tree {
  const root: Tree = {};
  for (const path of paths) {
    let at = root;
    for (const element of splitPath(path)) at = at[element] ??= {};
  }
  // A value with parts can also be owned itself.
  for (const path of paths) {
    let at = root;
    for (const element of splitPath(path)) at = at[element] ?? {};
    if (Object.keys(at).length > 0) at['.'] = {};
  }
  read.set(root, new Set(paths));
  return root;
}

/** Returns the items of either set. */
export function union<T>(one: ReadonlySet<T>, other: ReadonlySet<T>): ReadonlySet<T> {
  return new Set([...one, ...other]);
}

/** Returns the items of the first set that the other one does not have. */
export function difference<T>(one: ReadonlySet<T>, other: ReadonlySet<T>): ReadonlySet<T> {
  return new Set([...one].filter((item) => !other.has(item)));
}

function isSameSet<T>(one: ReadonlySet<T>, other: ReadonlySet<T>): boolean {
  return one.size === other.size && [...one].every((item) => other.has(item));
}
