import { formatCanonicalJson } from '@tenantry/kube/json';
import { isMapping } from '@tenantry/kube/mapping';
import type { KubeObject } from '@tenantry/kube/object';
import type { Path } from '@tenantry/kube/problem';
import type { ClassException } from '../../crds/types.ts';
import { listExceptionParts } from '../../model/classes/exceptions.ts';

/** The fields of a class that bound its tenants. What is in the others shows in the objects of the tenants. */
export const BOUNDING: ReadonlySet<string> = new Set([
  'ceilings',
  'allow',
  'hardening',
  'selfService',
  'allowedTenants',
  'exceptions',
]);

/** A bound of a class, or what an exception sets instead. */
export interface Bound {
  readonly path: Path;
  /** The tenants that the exception is for; absent for a bound of the class itself. */
  readonly whom?: string;
  /** The value as text, or the entries of a list. An empty list differs from an absent one. */
  readonly value: string | ReadonlySet<string>;
}

/** Returns the bounds of a TenantClass by a key that is the same before and after a change. */
export function readBounds(object: KubeObject): ReadonlyMap<string, Bound> {
  const spec = isMapping(object['spec']) ? object['spec'] : {};
  const bounds = new Map<string, Bound>();
  const add = (bound: Bound): void => {
    const key = formatCanonicalJson([bound.whom ?? '', bound.path]);
    const [before, { value }] = [bounds.get(key)?.value, bound];
    const isMore = typeof before === 'object' && typeof value === 'object';
    bounds.set(key, isMore ? { ...bound, value: new Set([...before, ...value]) } : bound);
  };
  for (const [field, value] of Object.entries(spec)) {
    if (BOUNDING.has(field) && field !== 'exceptions') flatten(value, [field]).forEach(add);
  }
  const exceptions = Array.isArray(spec['exceptions']) ? spec['exceptions'].filter(isMapping) : [];
  (exceptions as unknown as ClassException[]).flatMap(readException).forEach(add);
  return bounds;
}

function flatten(value: unknown, path: Path): Bound[] {
  if (Array.isArray(value)) return [{ path, value: new Set(value.map(formatValue)) }];
  if (isMapping(value)) {
    return Object.entries(value).flatMap(([key, inner]) => flatten(inner, [...path, key]));
  }
  return [{ path, value: formatValue(value) }];
}

function readException(exception: ClassException): Bound[] {
  const { tenants = [], namespaces } = exception;
  const parts = listExceptionParts(exception).map(({ path, value }): Bound => {
    const text = formatValue(value);
    return typeof path.at(-1) === 'number'
      ? { path: path.slice(0, -1), value: new Set([text]) }
      : { path, value: text };
  });
  return tenants.flatMap((tenant) => {
    const whom = namespaces ? `${tenant} in ${namespaces.join(', ')}` : tenant;
    return parts.map((part) => ({ ...part, whom }));
  });
}

const formatValue = (value: unknown): string =>
  typeof value === 'object' ? formatCanonicalJson(value) : String(value === '' ? "''" : value);
