import { isMapping } from '@tenantry/kube/mapping';
import type { Shape } from './shape.ts';

/**
 * The separator between elements of a path. Elements are written as in managedFields: `f:spec`,
 * `k:{"name":"redis"}`, `v:"a"`.
 */
const separator = '\n';

export const splitPath = (path: string): string[] => path.split(separator);
export const joinPath = (elements: readonly string[]): string => elements.join(separator);

/** Whether a path is below another one. */
export const isWithin = (path: string, outer: string): boolean =>
  path.startsWith(outer) && path[outer.length] === separator;

/** Defaults of keys: an absent protocol is TCP. */
const keyDefaults: Readonly<Record<string, unknown>> = { protocol: 'TCP' };

/** Computes the key of an item. */
function computeItemKey(item: unknown, keys: readonly string[]): string {
  const fields = keys.flatMap((name) => {
    const value = (isMapping(item) ? item[name] : undefined) ?? keyDefaults[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return `k:${JSON.stringify(Object.fromEntries(fields))}`;
}

/** Lists what a field manager can own of a value: its smallest parts by their paths, and list items. */
export function listLeaves(value: unknown, shape: Shape): Map<string, unknown> {
  const found = new Map<string, unknown>();
  collect(value, shape, '', found);
  return found;
}

const appendElement = (at: string, element: string): string =>
  at === '' ? element : `${at}${separator}${element}`;

function collect(value: unknown, shape: Shape, at: string, found: Map<string, unknown>): void {
  if (isMapping(value) && !shape.isAtomicMap && Object.keys(value).length > 0) {
    for (const [name, part] of Object.entries(value)) {
      if (part !== undefined)
        collect(part, shape.field(name), appendElement(at, `f:${name}`), found);
    }
  } else if (Array.isArray(value) && shape.keys && value.length > 0) {
    for (const item of value as unknown[]) {
      const place = appendElement(at, computeItemKey(item, shape.keys));
      found.set(place, true);
      collect(item, shape.item(), place, found);
    }
  } else if (Array.isArray(value) && shape.isSet && value.length > 0) {
    for (const item of value as unknown[]) {
      found.set(appendElement(at, `v:${JSON.stringify(item)}`), true);
    }
  } else if (at !== '') {
    found.set(at, value);
  }
}

/** Merges an applied configuration into an object, before fields that it no longer has are removed. */
export function mergeApplied(there: unknown, applied: unknown, shape: Shape): unknown {
  if (isMapping(there) && isMapping(applied) && !shape.isAtomicMap) {
    const result = { ...there };
    for (const [name, value] of Object.entries(applied)) {
      result[name] = mergeApplied(there[name], value, shape.field(name));
    }
    return result;
  }
  if (!Array.isArray(there) || !Array.isArray(applied)) return applied;
  if (shape.isSet) return [...new Set([...(there as unknown[]), ...(applied as unknown[])])];
  return shape.keys ? mergeItems(there, applied, shape, shape.keys) : applied;
}

function mergeItems(
  there: readonly unknown[],
  applied: readonly unknown[],
  shape: Shape,
  keys: readonly string[],
): unknown[] {
  const known = new Map(there.map((item) => [computeItemKey(item, keys), item]));
  for (const item of applied) {
    const key = computeItemKey(item, keys);
    known.set(key, known.has(key) ? mergeApplied(known.get(key), item, shape.item()) : item);
  }
  return [...known.values()];
}

/** Returns the value without the field at a path, and without parents that become empty. */
export function removePath(value: unknown, elements: readonly string[], shape: Shape): unknown {
  const [first = '', ...rest] = elements;
  const isLast = rest.length === 0;
  if (isMapping(value)) {
    const name = first.slice(2);
    if (!Object.hasOwn(value, name)) return value;
    const { [name]: part, ...others } = value;
    const left = isLast ? undefined : removePath(part, rest, shape.field(name));
    return left === undefined || isEmpty(left) ? others : { ...value, [name]: left };
  }
  if (!Array.isArray(value)) return value;
  return (value as unknown[]).flatMap((item) => {
    const key = shape.keys ? computeItemKey(item, shape.keys) : `v:${JSON.stringify(item)}`;
    if (key !== first) return [item];
    return isLast ? [] : [removePath(item, rest, shape.item())];
  });
}

const isEmpty = (value: unknown): boolean =>
  (isMapping(value) && Object.keys(value).length === 0) ||
  (Array.isArray(value) && value.length === 0);

/** Returns the shape of the value that contains the last element of a path. */
export function shapeAt(elements: readonly string[], shape: Shape): Shape {
  let at = shape;
  for (const element of elements) {
    at = element.startsWith('f:') ? at.field(element.slice(2)) : at.item();
  }
  return at;
}
