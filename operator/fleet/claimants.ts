import { extractDeclaredMetadata } from '../../constructs/tenant/declared-objects.ts';
import type { TenantDeclaration } from '../../constructs/tenant/declaration.ts';
import { buildClaim } from '../../constructs/tenant/claims.ts';
import type { Live } from '../../runtime/kinds/kind.ts';
import type { Tenant } from '../cluster/kinds.ts';

type LiveTenant = Live<typeof Tenant>;

/** A Tenant of the cluster as it was declared: what the cluster and whoever applied it keep about it is left out. */
export function declarationOf({ metadata, spec = {} }: LiveTenant): TenantDeclaration {
  return { name: metadata.name, ...extractDeclaredMetadata(metadata), spec };
}

/** The namespaces that a Tenant claims: an index of the cache. */
export function claimedNamespacesOf(tenant: LiveTenant): readonly string[] {
  return buildClaim(declarationOf(tenant)).namespaces;
}

/**
 * Whose a namespace is that several Tenants claim: of the one whose label it carries, so that nobody can take
 * over what is another's by naming it; where it carries none of theirs, the oldest one's.
 * @param label the value of its label, where it is there
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
