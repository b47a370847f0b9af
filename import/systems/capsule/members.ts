import { groupOf, type KubeObject } from '@tenantry/kube/object';
import type { FoundObject } from '../../manifests.ts';
import type { SystemObject } from '../system-object.ts';
import type { SystemSource } from '../tenancy-system.ts';
import type { Translation } from '../translation.ts';
import { computeMetadata, type ComputedMetadata } from './computed-metadata.ts';
import { CAPSULE_GROUP, TENANT_LABEL } from './keys.ts';
import type { TenantContent, TenantSpec } from './tenant-schema.ts';

/** A namespace of a Tenant of Capsule, as Capsule leaves it. */
export interface Member extends ComputedMetadata {
  readonly found: FoundObject;
  readonly name: string;
}

/** A Tenant of Capsule with its namespaces in the source. */
export interface CapsuleTenant {
  readonly name: string;
  readonly one: SystemObject<TenantContent>;
  readonly spec: TenantSpec;
  /** The labels by which others select it. */
  readonly labels: Readonly<Record<string, string>>;
  readonly members: readonly Member[];
}

interface OwnerReference {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly name?: string;
}

/** Returns the Tenant that an object belongs to by its owner references. */
export function findOwningTenant({ metadata }: KubeObject): string | undefined {
  const { ownerReferences } = metadata as { readonly ownerReferences?: unknown };
  if (!Array.isArray(ownerReferences)) return undefined;
  const owner = (ownerReferences as readonly (OwnerReference | null)[]).find(
    (one) => one?.kind === 'Tenant' && groupOf(one.apiVersion ?? '') === CAPSULE_GROUP,
  );
  return typeof owner?.name === 'string' ? owner.name : undefined;
}

/**
 * Finds the namespaces of each Tenant: by owner reference as Capsule does, else by the label from which Capsule makes
 * the reference, else by the status of the Tenant. What they say differently is reported.
 *
 * Source: internal/controllers/tenant/namespaces.go, internal/webhook/namespace/mutation/assignment.go
 */
export function findTenants(source: SystemSource, translation: Translation): CapsuleTenant[] {
  const tenants = findLatest(source.objectsOf<TenantContent>('Tenant'));
  const byStatus = listStatusNamespaces(tenants);
  const found = new Map<string, FoundObject[]>();
  for (const namespace of source.namespaces) {
    const { name, labels } = namespace.object.metadata;
    const claims = [findOwningTenant(namespace.object), labels?.[TENANT_LABEL]].filter(
      (claim): claim is string => typeof claim === 'string' && claim !== '',
    );
    if (claims.length === 0) claims.push(...(byStatus.get(name) ?? []));
    for (const claim of claims) translation.assignTenant(name, claim);
    const [tenant] = claims;
    if (tenant === undefined) continue;
    const members = found.get(tenant) ?? [];
    found.set(tenant, members);
    members.push(namespace);
  }
  return [...tenants.values()].map((one): CapsuleTenant => {
    const spec = one.content.spec ?? {};
    return {
      name: one.name,
      one,
      spec,
      labels: { ...one.found.object.metadata.labels, 'kubernetes.io/metadata.name': one.name },
      members: (found.get(one.name) ?? []).map((namespace) => {
        const { metadata } = namespace.object;
        return { found: namespace, name: metadata.name, ...computeMetadata(one, metadata) };
      }),
    };
  });
}

/** Of several objects of a name, `kubectl apply` leaves the last one. */
function findLatest(
  all: readonly SystemObject<TenantContent>[],
): ReadonlyMap<string, SystemObject<TenantContent>> {
  const byName = new Map<string, SystemObject<TenantContent>>();
  for (const one of all) {
    byName.get(one.name)?.leave(['spec'], 'a later Tenant of this name overwrites it');
    byName.set(one.name, one);
  }
  return byName;
}

function listStatusNamespaces(
  tenants: ReadonlyMap<string, SystemObject<TenantContent>>,
): ReadonlyMap<string, readonly string[]> {
  const byNamespace = new Map<string, string[]>();
  for (const { name, content } of tenants.values()) {
    const { namespaces = [], spaces = [] } = content.status ?? {};
    for (const namespace of new Set([...namespaces, ...spaces.map((space) => space.name)])) {
      byNamespace.set(namespace, [...(byNamespace.get(namespace) ?? []), name]);
    }
  }
  return byNamespace;
}
