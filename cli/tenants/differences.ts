import type { DriftEntry, UndeclaredEntry } from '../../crds/tenantry/tenant-status.ts';
import type { LiveTenant } from './standing.ts';
import { formatObjectName } from '../../operator/drift/object-drift.ts';

export { describeUndeclared } from '../../operator/drift/describe-undeclared.ts';

type Undated<T> = Omit<T, 'since'> & { readonly since?: string };

/** One difference; of one that the operator has not seen, it is not known since when. */
export type FieldDrift = Undated<DriftEntry>;
/** One object, or one key of a Namespace, that nobody declared. */
export type UndeclaredItem = Undated<UndeclaredEntry>;

/** What differs of one object. */
export interface DriftedObject {
  /** `RoleBinding pay-prod/edit`. */
  readonly object: string;
  readonly differences: readonly FieldDrift[];
}

/** How a tenant differs from what is declared. */
export interface TenantDrift {
  readonly tenant: string;
  readonly objects: readonly DriftedObject[];
  /** How many more fields differ than are listed. */
  readonly more: number;
  readonly undeclared: readonly UndeclaredItem[];
  /** How many more objects and keys nobody declared than are listed. */
  readonly moreUndeclared: number;
}

/** Those that the status of a Tenant lists. */
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

/** Gathered by their objects, in the order in which each object comes first. */
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

/** `kubectl-edit (Update)`; undefined where the API server does not know. */
export function formatFieldManager({
  manager,
  operation,
}: Pick<DriftEntry, 'manager' | 'operation'>): string | undefined {
  if (manager === undefined) return undefined;
  return operation === undefined ? manager : `${manager} (${operation})`;
}
