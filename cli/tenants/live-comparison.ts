import type { Platform } from '../../model/declaration.ts';
import {
  toDeclaredVersion,
  otherKind,
  findOtherKind,
  type OtherKind,
} from '../../operator/cluster/other-kinds.ts';
import { Comparer, computeDriftKey } from '../../operator/drift/tenant-drift.ts';
import { KnownClasses, listClaimedNamespaces } from '../../operator/fleet/declarations.ts';
import { resolveIntent } from '../../operator/heal/policy.ts';
import { compareTenant } from '../../operator/tenant/compare.ts';
import { buildStatus } from '../../operator/tenant/status.ts';
import { listPages, type Client } from '@tenantry/runtime/client/client';
import { byObject, type TenantDrift } from './tenant-drift.ts';
import type { LiveTenant } from './tenant-summary.ts';
import { TENANT_LABEL } from '@tenantry/kube/cascade-root';
import { identityOf, type KubeObject } from '@tenantry/kube/object';
import {
  Tenant,
  TenantClass,
  namespacedKinds,
  namespaces,
  type ObservedKind,
} from '../../operator/cluster/kinds.ts';
import { createLiveReader, type ReadLive } from '../../operator/drift/object-drift.ts';
import type { CachedSelection } from '@tenantry/runtime/cache/cached';
import type { CacheView } from '@tenantry/runtime/controller/caches';
import {
  findProjection,
  resourceOf,
  type Kind,
  type Live,
  type ObjectName,
} from '@tenantry/runtime/kinds/kind';
import { ApiError } from '@tenantry/runtime/errors/api-error';
import { ifGone } from '@tenantry/runtime/errors/reaction';

/** The result of a comparison on this machine. */
interface Compared {
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
  const { cache, read, classes } = await readSnapshot(client, tenant, others);
  const fleet = new KnownClasses(platform).buildFleet(classes, { tenant, now });
  const observation = await compareTenant(tenant, {
    cluster,
    fleet,
    cache,
    others,
    comparer: new Comparer(platform),
    read,
    isFollowing: () => false,
    ...resolveIntent(tenant, fleet, platform.driftPolicy),
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

/** The current objects of one tenant in a cluster, as the operator reads them. */
interface Snapshot {
  readonly cache: CacheView<ObservedKind | OtherKind | typeof Tenant>;
  readonly read: ReadLive;
  readonly classes: readonly Live<typeof TenantClass>[];
}

/** Reads all Tenants and classes, the objects with the tenant's label, and the content of its namespaces. */
async function readSnapshot(
  client: Client,
  tenant: LiveTenant,
  others: readonly OtherKind[],
): Promise<Snapshot> {
  const [tenants, classes, spaces, ...rest] = await Promise.all([
    listAll(client, Tenant),
    listAll(client, TenantClass),
    readNamespaces(client, tenant),
    ...namespacedKinds.map((kind) => readObjects(client, kind, tenant)),
  ]);
  const whole = new Map(
    [spaces, ...rest].flat().map((one) => [identityOf(one as KubeObject), one]),
  );
  const kept = new Map<string, readonly Live[]>([
    [resourceOf(Tenant), tenants],
    [resourceOf(namespaces), spaces.map(projected(namespaces))],
    ...namespacedKinds.map((kind, at): [string, readonly Live[]] => [
      resourceOf(kind),
      (rest[at] ?? []).map(projected(kind)),
    ]),
  ]);
  await Promise.all(
    others.map(async (kind) => {
      const found = await readOtherObjects(client, kind, tenant);
      if (found) kept.set(resourceOf(kind), found);
    }),
  );
  const read = createLiveReader(async (object) => {
    const { name, namespace } = object.metadata;
    const other = findOtherKind(object, others);
    if (!other) return whole.get(identityOf(object));
    return client.get(toDeclaredVersion(other, object), { name, namespace });
  }, new AbortController().signal);
  return { cache: createCacheView(kept), read, classes };
}

function projected(kind: Kind): (object: Live) => Live {
  return findProjection(kind) ?? ((object) => object);
}

async function readNamespaces(client: Client, tenant: LiveTenant): Promise<readonly Live[]> {
  const labelSelector = `${TENANT_LABEL}=${tenant.metadata.name}`;
  const named = listClaimedNamespaces(tenant).map((name) =>
    client.get(namespaces, { name }).catch(ifGone),
  );
  const [labelled, ...own] = await Promise.all([
    listAll(client, namespaces, { labelSelector }),
    ...named,
  ]);
  return deduplicate([...labelled, ...own.filter((one) => one !== undefined)]);
}

async function readObjects(
  client: Client,
  kind: ObservedKind,
  tenant: LiveTenant,
): Promise<readonly Live[]> {
  const labelSelector = `${TENANT_LABEL}=${tenant.metadata.name}`;
  const lists = await Promise.all([
    listAll(client, kind, { labelSelector }),
    ...listClaimedNamespaces(tenant).map((namespace) => listAll(client, kind, { namespace })),
  ]);
  return deduplicate(lists.flat());
}

/** Returns the objects of a kind; undefined if the cluster lacks the kind or refuses access. */
async function readOtherObjects(
  client: Client,
  kind: OtherKind,
  { metadata: { name } }: LiveTenant,
): Promise<readonly Live[] | undefined> {
  try {
    const labelSelector = `${TENANT_LABEL}=${name}`;
    return (await listAll(client, kind, { labelSelector })).map(projected(kind));
  } catch (error) {
    if (error instanceof ApiError && [403, 404].includes(error.status)) return undefined;
    throw error;
  }
}

/** Removes duplicates: an object may have the label and be in a namespace of the tenant. */
function deduplicate(objects: readonly Live[]): readonly Live[] {
  return [...new Map(objects.map((one) => [one.metadata.uid, one])).values()];
}

async function listAll<K extends Kind>(
  client: Client,
  kind: K,
  selection: { readonly namespace?: string; readonly labelSelector?: string } = {},
): Promise<readonly Live<K>[]> {
  const objects: Live<K>[] = [];
  for await (const { items } of listPages(client, kind, selection)) objects.push(...items);
  return objects;
}

/** Types the map by kind: each name holds objects of its kind. */
function createCacheView(kept: ReadonlyMap<string, readonly Live[]>): Snapshot['cache'] {
  const all = <K extends Kind>(kind: K) => (kept.get(resourceOf(kind)) ?? []) as readonly Live<K>[];
  return {
    get: (kind, { name, namespace }: ObjectName) =>
      all(kind).find(({ metadata }) => metadata.name === name && metadata.namespace === namespace),
    list: <K extends Kind>(kind: K, { index }: CachedSelection<Live<K>> = {}) =>
      all(kind).filter((one) => index === undefined || index.by(one).includes(index.is)),
    isRead: (kind) => kept.has(resourceOf(kind)),
    outageOf: () => undefined,
    // A list with an unreadable object has failed already.
    unreadableOf: () => [],
  };
}
