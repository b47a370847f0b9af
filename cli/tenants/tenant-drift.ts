import type { DriftEntry, UndeclaredEntry } from '../../crds/tenant-status.ts';
import type { LiveTenant } from './tenant-summary.ts';
import { formatObjectName } from '../../operator/drift/object-drift.ts';

export { describeUndeclared } from '../../operator/drift/undeclared-objects.ts';

type Undated<T> = Omit<T, 'since'> & { readonly since?: string };

/** A field that differs. If the operator has not observed it, its time is unknown. */
export type FieldDrift = Undated<DriftEntry>;
/** An undeclared object, or an undeclared key of a Namespace. */
export type UndeclaredItem = Undated<UndeclaredEntry>;

/** The differences of one object. */
export interface DriftedObject {
  /** `RoleBinding pay-prod/edit`. */
  readonly object: string;
  readonly differences: readonly FieldDrift[];
}

/** The differences between a tenant and its declaration. */
export interface TenantDrift {
  readonly tenant: string;
  readonly objects: readonly DriftedObject[];
  /** The number of differing fields that are not listed. */
  readonly more: number;
  readonly undeclared: readonly UndeclaredItem[];
  /** The number of undeclared objects and keys that are not listed. */
  readonly moreUndeclared: number;
}

/** Reads the differences that the status of a Tenant lists. */
export function readDrift({ metadata, status }: LiveTenant): TenantDrift {
  const undeclared = status?.undeclared ?? [];
  return {
    tenant: metadata.name,
    objects: byObject(status?.drift ?? []),
    more: status?.moreDrift ?? 0,
    undeclared,
    moreUndeclared: Math.max(0, (status?.counts?.undeclared ?? 0) - undeclared.length),
  };
}

/** Groups differences by object, in the order of the first difference of each. */
export function byObject(drift: readonly FieldDrift[]): readonly DriftedObject[] {
  const objects = new Map<string, { object: string; differences: FieldDrift[] }>();
  for (const one of drift) {
    const key = JSON.stringify([one.group, one.kind, one.namespace, one.name]);
    const known = objects.get(key);
    if (known) known.differences.push(one);
    else objects.set(key, { object: formatObjectName(one), differences: [one] });
  }
  return [...objects.values()];
}

/** Formats a field manager: `kubectl-edit (Update)`; undefined if the API server does not know it. */
export function formatFieldManager({
  manager,
  operation,
}: Pick<DriftEntry, 'manager' | 'operation'>): string | undefined {
  if (manager === undefined) return undefined;
  return operation === undefined ? manager : `${manager} (${operation})`;
}
