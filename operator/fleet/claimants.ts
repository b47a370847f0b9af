import { extractDeclaredMetadata } from '../../constructs/tenant/declared-objects.ts';
import type { TenantDeclaration } from '../../constructs/tenant/declaration.ts';
import { buildClaim } from '../../constructs/tenant/claims.ts';
import type { Live } from '../../runtime/kinds/kind.ts';
import type { Tenant } from '../cluster/kinds.ts';

type LiveTenant = Live<typeof Tenant>;

/**
 * Returns the declaration in a Tenant of the cluster, without the metadata that the cluster and its field managers
 * keep.
 */
export function declarationOf({ metadata, spec = {} }: LiveTenant): TenantDeclaration {
  return { name: metadata.name, ...extractDeclaredMetadata(metadata), spec };
}

/** Returns the namespaces that a Tenant claims, as an index of the cache. */
export function claimedNamespacesOf(tenant: LiveTenant): readonly string[] {
  return buildClaim(declarationOf(tenant)).namespaces;
}

/**
 * Returns which of several Tenants owns a namespace that they claim. It is the one whose label the namespace carries,
 * so that nobody can take over another tenant's namespace by naming it. Without such a label it is the oldest Tenant.
 * @param label the value of the namespace's label, if it has one
 */
export function resolveClaimant(
  claimants: readonly LiveTenant[],
  label: string | undefined,
): LiveTenant | undefined {
  return claimants.find(({ metadata }) => metadata.name === label) ?? claimants.toSorted(byAge)[0];
}

function byAge({ metadata: a }: LiveTenant, { metadata: b }: LiveTenant): number {
  if (a.creationTimestamp !== b.creationTimestamp) {
    return a.creationTimestamp < b.creationTimestamp ? -1 : 1;
  }
  return a.name < b.name ? -1 : 1;
}
