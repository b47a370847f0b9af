import type { Platform } from '../../constructs/tenant/declaration.ts';
import { otherKind } from '../../operator/cluster/other-kinds.ts';
import { Comparer, computeDriftKey } from '../../operator/drift/tenant-drift.ts';
import { KnownClasses } from '../../operator/fleet/declarations.ts';
import { intentOf } from '../../operator/heal/policy.ts';
import { compareTenant } from '../../operator/tenant/compare.ts';
import { buildStatus } from '../../operator/tenant/status.ts';
import type { Client } from '../../runtime/client/client.ts';
import { byObject, type TenantDrift } from './differences.ts';
import { snapshotOf } from './snapshot.ts';
import type { LiveTenant } from './standing.ts';

/** The result of a comparison on this machine. */
export interface Compared {
  /** The tenant with the status that the operator would write now. */
  readonly tenant: LiveTenant;
  /** All differences. Only those that the operator has observed have a time. */
  readonly differences: TenantDrift;
}

/**
 * Compares a tenant with the cluster like the operator, on this machine, and writes nothing. A
 * change that the cluster has not followed yet is a difference here.
 * @param cluster the name of the cluster in the platform
 */
export async function compareLive(
  client: Client,
  tenant: LiveTenant,
  { platform, cluster }: { readonly platform: Platform; readonly cluster: string },
  now: Date,
): Promise<Compared> {
  const others = platform.comparedKinds.map(otherKind);
  const { cache, read, classes } = await snapshotOf(client, tenant, others);
  const fleet = new KnownClasses(platform).fleetOf(classes);
  const observation = await compareTenant(tenant, {
    cluster,
    fleet,
    cache,
    others,
    comparer: new Comparer(platform),
    read,
    isFollowing: () => false,
    ...intentOf(tenant, fleet, platform.driftPolicy),
  });
  const { generation = 0, name } = tenant.metadata;
  const status = buildStatus(tenant.status, observation, generation, now);
  const isCompared = observation.type === 'compared';
  const [drift, undeclared] = isCompared ? [observation.drift, observation.undeclared] : [[], []];
  const { status: before } = tenant;
  const known = new Map(
    [...(before?.drift ?? []), ...(before?.undeclared ?? [])].map((one) => [
      computeDriftKey(one),
      one.since,
    ]),
  );
  const dated = <T extends Parameters<typeof computeDriftKey>[0]>(
    one: T,
  ): T & { since?: string } => {
    const since = known.get(computeDriftKey(one));
    return { ...one, ...(since !== undefined && { since }) };
  };
  return {
    tenant: { ...tenant, status },
    differences: {
      tenant: name,
      objects: byObject(drift.map(dated)),
      more: 0,
      undeclared: undeclared.map(dated),
      moreUndeclared: 0,
    },
  };
}
