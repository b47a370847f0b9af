import type { DecodedVersion } from '../fields/decoded-definition.ts';

/** Which parts all versions have alike. The API server keeps such a part once, and checks it once. */
export interface Shared {
  readonly schema: boolean;
  readonly subresources: boolean;
  readonly columns: boolean;
  readonly selectableFields: boolean;
}

export function sharedParts(versions: readonly DecodedVersion[]): Shared {
  const alike = (part: keyof DecodedVersion): boolean =>
    versions.every((version) => equal(version[part], versions[0]?.[part], part));
  return {
    schema: alike('schema'),
    subresources: alike('subresources'),
    columns: alike('additionalPrinterColumns'),
    selectableFields: alike('selectableFields'),
  };
}

/** Fields that are mappings from names: without any, they are as good as absent. */
const mappings = new Set(['properties', 'patternProperties', 'definitions', 'dependencies']);

/** Returns whether two API values are equivalent; an empty list counts as absent. */
export function equal(a: unknown, b: unknown, field = ''): boolean {
  if (isVoid(a, field) && isVoid(b, field)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const [left, right] = [a as Record<string, unknown>, b as Record<string, unknown>];
  const names = new Set([...Object.keys(left), ...Object.keys(right)]);
  const named = mappings.has(field);
  return [...names].every((name) => {
    if (named && Object.hasOwn(left, name) !== Object.hasOwn(right, name)) return false;
    return equal(left[name], right[name], named || Array.isArray(a) ? '' : name);
  });
}

function isVoid(value: unknown, field: string): boolean {
  if (value === undefined) return true;
  if (Array.isArray(value)) return value.length === 0;
  return mappings.has(field) && typeof value === 'object' && Object.keys(value ?? {}).length === 0;
}
