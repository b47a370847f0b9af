import { formatPath, show } from '../problem.ts';

/** The maximum depth of nested collections; the deepest schema of Kubernetes has about 50. */
export const MAX_DEPTH = 500;

/** Whether a value is a mapping: an object without a class, from any realm. */
export function isPlainObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === null || prototype === Object.prototype) return true;
  return typeof prototype === 'object' && Object.getPrototypeOf(prototype) === null;
}

/**
 * Explains why a value is not plain JSON data and where, `objects[2].spec.replicas must be a finite number, got NaN`;
 * undefined if it is.
 */
export function validatePlainData(value: unknown): string | undefined {
  return validateValue(value, ['objects'], new Set());
}

function validateValue(
  value: unknown,
  path: readonly (string | number)[],
  ancestors: Set<object>,
): string | undefined {
  const must = validateScalar(value);
  if (must !== undefined) return `${formatPath(path)} ${must}`;
  if (typeof value !== 'object' || value === null) return undefined;
  if (ancestors.has(value)) return `${formatPath(path)} must not contain itself`;
  if (ancestors.size > MAX_DEPTH) {
    return `${formatPath(path)} must be nested at most ${MAX_DEPTH} deep, got more`;
  }
  if (!Array.isArray(value) && !isPlainObject(value)) {
    const name = (value.constructor as { name?: string } | undefined)?.name ?? 'unknown';
    return `${formatPath(path)} must be plain data, got an object of class ${name}`;
  }
  ancestors.add(value);
  const found = Array.isArray(value)
    ? validateList(value, path, ancestors)
    : validateMapping(value, path, ancestors);
  ancestors.delete(value);
  return found;
}

function validateList(
  list: readonly unknown[],
  path: readonly (string | number)[],
  ancestors: Set<object>,
): string | undefined {
  for (const [index, item] of list.entries()) {
    const at = [...path, index];
    if (item === undefined) return `${formatPath(at)} must be a value, got nothing`;
    if (path.length === 1 && (typeof item !== 'object' || item === null || Array.isArray(item))) {
      return `${formatPath(at)} must be a mapping, got ${show(item)}`;
    }
    const found = validateValue(item, at, ancestors);
    if (found !== undefined) return found;
  }
  return undefined;
}

function validateMapping(
  mapping: object,
  path: readonly (string | number)[],
  ancestors: Set<object>,
): string | undefined {
  for (const [key, item] of Object.entries(mapping)) {
    const at = [...path, key];
    if (!key.isWellFormed()) return `${formatPath(at)} must be a key of whole characters`;
    const found = validateValue(item, at, ancestors);
    if (found !== undefined) return found;
  }
  return undefined;
}

function validateScalar(value: unknown): string | undefined {
  switch (typeof value) {
    case 'string':
      return value.isWellFormed()
        ? undefined
        : `must be text of whole characters, got half of a surrogate pair`;
    case 'number':
      return Number.isFinite(value) ? undefined : `must be a finite number, got ${value}`;
    case 'bigint':
      return `must be a number, got the bigint ${value}`;
    case 'function':
    case 'symbol':
      return `must be plain data, got a ${typeof value}`;
    default:
      return undefined;
  }
}
