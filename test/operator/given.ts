import type { Platform } from '../../model/declaration.ts';
import { Fleet } from '../../model/fleet.ts';
import { resolvePlatform } from '../../model/platform.ts';
import type { TenantStatus } from '../../crds/tenant-status.ts';
import type { TenantClassSpec, TenantSpec } from '../../crds/types.ts';
import type { KubeObject } from '@tenantry/kube/object';
import type { Tenant, TenantClass } from '../../operator/cluster/kinds.ts';
import type { ComparedTenant } from '../../operator/tenant/observation.ts';
import type { Live } from '@tenantry/runtime/kinds/kind';

export const platform: Platform = resolvePlatform({
  clusters: [{ name: 'eu' }],
  defaultClass: 'standard',
});

/** Returns a Tenant as a cluster does. */
export function liveTenant(
  spec: TenantSpec,
  { status, ...metadata }: Partial<Live['metadata']> & { readonly status?: TenantStatus } = {},
): Live<typeof Tenant> {
  return {
    apiVersion: 'tenantry.dev/v1alpha1',
    kind: 'Tenant',
    metadata: {
      name: 'acme',
      uid: 'u1',
      resourceVersion: '1',
      generation: 1,
      creationTimestamp: '2026-01-01T00:00:00Z',
      ...metadata,
    },
    spec,
    ...(status && { status }),
  };
}

/** Returns a TenantClass as a cluster does. */
export function liveClass(
  name: string,
  spec: TenantClassSpec,
  resourceVersion = '1',
): Live<typeof TenantClass> {
  return {
    apiVersion: 'tenantry.dev/v1alpha1',
    kind: 'TenantClass',
    metadata: { name, uid: name, resourceVersion, creationTimestamp: '2026-01-01T00:00:00Z' },
    spec,
  } as Live<typeof TenantClass>;
}

/** Returns a fleet with the class `standard`. */
export function fleetOf(standard: TenantClassSpec = {}): Fleet {
  const fleet = new Fleet(platform);
  fleet.classes.add({ name: 'standard', spec: standard });
  return fleet;
}

/** Returns the declared object of the kind in the only namespace of a tenant. */
export function declaredOf(fleet: Fleet, spec: TenantSpec, kind: string): KubeObject {
  const found = fleet
    .desired({ name: 'acme', spec })
    .namespaces.flatMap(({ objects }) => objects)
    .find((one) => one.kind === kind);
  if (!found) throw new Error(`there is no ${kind}`);
  return found;
}

/** Returns an observation of a compared tenant that is well, except for the given fields. */
export function compared(
  but: Partial<ComparedTenant> = {},
): ComparedTenant & { readonly type: 'compared' } {
  return {
    type: 'compared',
    drift: [],
    undeclared: [],
    notCompared: [],
    following: 0,
    namespaces: 1,
    objects: 9,
    declaredDigest: 'as-declared',
    terminating: [],
    unobserved: [],
    unread: [],
    pressure: [],
    policy: 'Observe',
    requested: 'Observe',
    healed: [],
    problems: [],
    fights: [],
    ...but,
  };
}

/** Returns a difference in the quota of the namespace. */
export const changed = (namespace: string, field = 'spec.hard.pods') =>
  ({ type: 'Changed', kind: 'ResourceQuota', namespace, name: 'tenant-quota', field }) as const;
