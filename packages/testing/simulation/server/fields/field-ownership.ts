import { isDeepEqual } from '@tenantry/kube/json';
import type { ManagedFields } from '@tenantry/runtime/kinds/kind';
import type { Fields } from '../object-store.ts';
import {
  splitPath,
  isWithin,
  listLeaves,
  mergeApplied,
  joinPath,
  shapeAt,
  removePath,
} from './leaves.ts';
import {
  isSameManager,
  parseManagers,
  withPaths,
  formatManagedFields,
  difference,
  union,
  type FieldManager,
} from './managers.ts';
import type { Shape } from './shape.ts';

/** A writer of fields, and the part of an object that this kind of write can change. */
export interface Writer {
  readonly manager: string;
  readonly apiVersion: string;
  readonly subresource?: string | undefined;
  /** Whether the write can change a path. */
  readonly reaches: (path: string) => boolean;
  readonly now: string;
}

/** Fields that the server itself sets, and that nobody owns. */
const serverFields = new Set(
  [
    'name',
    'namespace',
    'uid',
    'resourceVersion',
    'generation',
    'creationTimestamp',
    'deletionTimestamp',
    'deletionGracePeriodSeconds',
    'managedFields',
    'generateName',
  ].map((name) => joinPath(['f:metadata', `f:${name}`])),
);

/** Returns the fields of an object that a writer can own. */
function collectOwnable(object: Fields, shape: Shape, { reaches }: Writer): Map<string, unknown> {
  const { apiVersion: _, kind: __, ...rest } = object;
  const metadata = rest['metadata'] as Fields | undefined;
  const { managedFields: ___, ...ownable } = metadata ?? {};
  const leaves = listLeaves({ ...rest, metadata: ownable }, shape);
  for (const path of leaves.keys()) {
    if (serverFields.has(path) || path === 'f:metadata' || !reaches(path)) leaves.delete(path);
  }
  return leaves;
}

/** Computes the field managers after a write other than an apply. */
export function computeManagersAfterUpdate(
  old: Fields | undefined,
  now: Fields,
  managedFields: readonly ManagedFields[] | undefined,
  shape: Shape,
  writer: Writer,
): ManagedFields[] {
  const before = old ? collectOwnable(old, shape, writer) : new Map<string, unknown>();
  const after = collectOwnable(now, shape, writer);
  const changed = new Set(
    [...after].flatMap(([path, value]) =>
      before.has(path) && isDeepEqual(before.get(path), value) ? [] : [path],
    ),
  );
  const gone = new Set([...before.keys()].filter((path) => !after.has(path)));
  const own = ownEntry(writer, 'Update');
  const managers = parseManagers(managedFields).map((one) =>
    withPaths(
      one,
      isSameManager(one, own)
        ? union(difference(one.paths, gone), changed)
        : difference(difference(one.paths, gone), changed),
    ),
  );
  const isKnown = managers.some((one) => isSameManager(one, own));
  return formatManagedFields(
    isKnown ? managers : [...managers, { ...own, paths: changed }],
    writer.now,
  );
}

const ownEntry = (
  { manager, apiVersion, subresource }: Writer,
  operation: FieldManager['operation'],
): Omit<FieldManager, 'paths'> => ({ manager, apiVersion, subresource, operation });

interface Applied {
  readonly object: Fields;
  readonly managedFields: ManagedFields[];
  /** Fields of other managers that it changes, in their order. */
  readonly conflicts: readonly string[];
}

/**
 * Applies a configuration to an object, with force, and returns which fields it takes from other
 * managers.
 */
export function applyConfiguration(
  old: Fields | undefined,
  applied: Fields,
  managedFields: readonly ManagedFields[] | undefined,
  shape: Shape,
  writer: Writer,
): Applied {
  const appliedPaths = new Set(collectOwnable(applied, shape, writer).keys());
  const together = mergeApplied(old ?? {}, applied, shape) as Fields;
  const before = old ? collectOwnable(old, shape, writer) : new Map<string, unknown>();
  const after = collectOwnable(together, shape, writer);
  const managers = parseManagers(managedFields);
  const own = ownEntry(writer, 'Apply');
  const conflicts = new Set<string>();
  const others = managers.flatMap((one) => {
    if (isSameManager(one, own)) return [];
    const taken = [...one.paths].filter(
      (path) => appliedPaths.has(path) && !isDeepEqual(before.get(path), after.get(path)),
    );
    for (const path of taken) conflicts.add(path);
    return [withPaths(one, difference(one.paths, new Set(taken)))];
  });
  const mine = managers.find((one) => isSameManager(one, own));
  const object = pruneUnowned(together, mine?.paths, appliedPaths, others, shape);
  const entry = mine ? withPaths(mine, appliedPaths) : { ...own, paths: appliedPaths };
  const place = mine ? managers.indexOf(mine) : others.length;
  const all = others.toSpliced(place, 0, entry);
  return { object, managedFields: formatManagedFields(all, writer.now), conflicts: [...conflicts] };
}

/** Removes fields that the last apply had, that this one does not have, and that no other manager owns. */
function pruneUnowned(
  object: Fields,
  before: ReadonlySet<string> | undefined,
  appliedPaths: ReadonlySet<string>,
  others: readonly FieldManager[],
  shape: Shape,
): Fields {
  const owned = others.reduce((all, { paths }) => union(all, paths), appliedPaths);
  let left: unknown = object;
  for (const path of before ?? []) {
    if (owned.has(path)) continue;
    left = removePath(left, largestUnowned(splitPath(path), owned, shape), shape);
  }
  return left as Fields;
}

/** Returns the largest structure that has no owned field left; it is removed with its defaults. */
function largestUnowned(
  elements: readonly string[],
  owned: ReadonlySet<string>,
  shape: Shape,
): readonly string[] {
  let largest = elements;
  for (let length = elements.length - 1; length > 0; length -= 1) {
    const outer = elements.slice(0, length);
    const path = joinPath(outer);
    const isOwned = [...owned].some((one) => one === path || isWithin(one, path));
    if (isOwned || path === 'f:metadata') break;
    if (!shapeAt(outer, shape).isMap) largest = outer;
  }
  return largest;
}
