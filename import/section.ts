import { groupOf, type KubeObject } from '@tenantry/kube/object';
import type { Path } from '@tenantry/kube/problem';
import type { FoundObject } from './manifests.ts';

/** The place in a spec that an object of the source became. */
export interface Origin {
  readonly path: Path;
  readonly found: FoundObject;
}

/** Objects without a field, and why. */
export interface Unplaced {
  readonly found: FoundObject;
  readonly reason: string;
}

/** A part of a spec, and the objects of which it was made. */
export interface Section<T> {
  readonly value: T;
  /** The paths begin at the part. */
  readonly origins: readonly Origin[];
  readonly unplaced: readonly Unplaced[];
}

/** Selects the objects of one kind, with the type that the caller expects. */
export function selectKind<T extends KubeObject>(
  objects: readonly FoundObject[],
  apiGroup: string,
  kind: string,
): (FoundObject & { readonly object: T })[] {
  return objects.filter((one): one is FoundObject & { readonly object: T } => {
    const { object } = one;
    return object.kind === kind && groupOf(object.apiVersion) === apiGroup;
  });
}

/** Prefixes the places of a section that becomes a field. */
export function prefixOrigins(field: string, origins: readonly Origin[]): Origin[] {
  return origins.map(({ path, found }) => ({ path: [field, ...path], found }));
}
