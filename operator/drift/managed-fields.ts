import { entryOf, isMapping } from '@tenantry/kube/mapping';
import type { ManagedFields, ObjectMeta } from '@tenantry/runtime/kinds/kind';
import type { PathStep } from './difference.ts';

/** The field manager of a field, according to the API server. */
export interface FieldManager {
  readonly manager: string;
  readonly operation: 'Apply' | 'Update';
  /** RFC 3339. When that manager last changed any of its fields. */
  readonly time?: string;
}

/**
 * Returns the manager of a field; the last one to write if several own it.
 * @param isThere false for a value that does not exist any more. The API server knows who removed it only if it was in
 * a list that is written as a whole
 * @returns undefined if the API server does not know
 */
export function findFieldManager(
  managed: readonly ManagedFields[] | undefined,
  path: readonly PathStep[],
  { isThere } = { isThere: true },
): FieldManager | undefined {
  const reached = writersIn(managed).map((entry) => ({ entry, depth: depthIn(entry, path) }));
  const deepest = Math.max(0, ...reached.map(({ depth }) => depth));
  const isWhole = deepest < path.length && typeof path[deepest] !== 'string';
  if (deepest === 0 || (!isThere && !isWhole)) return undefined;
  const owners = reached.filter(({ depth }) => depth === deepest).map(({ entry }) => entry);
  return toFieldManager(owners.toSorted(byTime).at(-1));
}

/**
 * Returns the creator of an object: the manager that wrote it at its creation and not since, or else the earliest known
 * one.
 */
export function maker({ managedFields, creationTimestamp }: Written): FieldManager | undefined {
  const writers = writersIn(managedFields).toSorted(byTime);
  return toFieldManager(writers.find(({ time }) => time === creationTimestamp) ?? writers.at(0));
}

type Written = Pick<ObjectMeta, 'managedFields'> & Partial<Pick<ObjectMeta, 'creationTimestamp'>>;

/** Returns the managers that write objects themselves. Writers of the status are left out. */
function writersIn(managed: readonly ManagedFields[] | undefined): readonly ManagedFields[] {
  return (managed ?? []).filter(({ subresource = '' }) => subresource === '');
}

function byTime({ time: a = '' }: ManagedFields, { time: b = '' }: ManagedFields): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function toFieldManager(entry: ManagedFields | undefined): FieldManager | undefined {
  if (entry?.manager === undefined || entry.operation === undefined) return undefined;
  const { manager, operation, time } = entry;
  return { manager, operation, ...(time !== undefined && { time }) };
}

/**
 * Returns the number of steps of a path that a manager owns: all of them for its own field, 0 if it owns nothing of it.
 * It is fewer if the manager owns a parent as one value, such as a list without keys.
 * Source: https://kubernetes.io/docs/reference/using-api/server-side-apply/#field-management
 */
function depthIn({ fieldsV1 }: ManagedFields, path: readonly PathStep[]): number {
  let at: unknown = fieldsV1;
  for (const [depth, step] of path.entries()) {
    if (!isMapping(at)) return 0;
    const name = Object.keys(at).find((one) => isStep(one, step));
    if (name === undefined) return Object.keys(at).every((one) => one === '.') ? depth : 0;
    at = at[name];
  }
  return path.length;
}

function isStep(name: string, step: PathStep): boolean {
  if (typeof step === 'string') return name === `f:${step}`;
  if (typeof step === 'number' || !name.startsWith('k:')) return false;
  const key = Object.entries(keyIn(name));
  return key.length > 0 && key.every(([field, is]) => entryOf(step.by, field) === is);
}

/** How the API server merges a list: entries by key (`keyed`), unique values (`set`), or one value as a `whole`. */
type ListType =
  | { readonly type: 'keyed'; readonly keys: readonly string[] }
  | { readonly type: 'set' }
  | { readonly type: 'whole' };

/**
 * The managed fields of one part of an object, over all field managers. They reveal the type of a list without a
 * schema: the API server records map entries by their keys and set values by themselves.
 * Source: https://kubernetes.io/docs/reference/using-api/server-side-apply/#field-management
 */
export class ManagedFieldsNode {
  readonly #parts: readonly Readonly<Record<string, unknown>>[];

  private constructor(parts: readonly unknown[]) {
    this.#parts = parts.filter(isMapping);
  }

  static from(managed: readonly ManagedFields[] | undefined): ManagedFieldsNode {
    return new ManagedFieldsNode((managed ?? []).map(({ fieldsV1 }) => fieldsV1));
  }

  field(name: string): ManagedFieldsNode {
    return new ManagedFieldsNode(this.#parts.map((part) => entryOf(part, `f:${name}`)));
  }

  /** Returns the node of a list entry, found by its keys. */
  entry(value: unknown): ManagedFieldsNode {
    if (!isMapping(value)) return new ManagedFieldsNode([]);
    return new ManagedFieldsNode(
      this.#parts.flatMap((part) =>
        Object.entries(part)
          .filter(([name]) => name.startsWith('k:'))
          .filter(([name]) => Object.entries(keyIn(name)).every(([key, is]) => value[key] === is))
          .map(([, inside]) => inside),
      ),
    );
  }

  /** The type of the list. A list that no manager mentions counts as one value. */
  get listType(): ListType {
    const names = this.#parts.flatMap((part) => Object.keys(part));
    const keyed = names.find((name) => name.startsWith('k:'));
    if (keyed !== undefined) return { type: 'keyed', keys: Object.keys(keyIn(keyed)) };
    return { type: names.some((name) => name.startsWith('v:')) ? 'set' : 'whole' };
  }
}

/** Parses the keys of an entry, as in `k:{"name":"web"}`; empty if the text contains none. */
function keyIn(name: string): Readonly<Record<string, unknown>> {
  try {
    const key: unknown = JSON.parse(name.slice(2));
    return isMapping(key) ? key : {};
  } catch {
    return {};
  }
}
