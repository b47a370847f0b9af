import { matchesLabels, type LabelSelector } from '@tenantry/kube/label-selector';
import { formatQuantity, parseQuantity, shareUnits } from '@tenantry/kube/quantity';
import type { FoundObject } from '../../manifests.ts';
import type { SystemObject } from '../system-object.ts';
import type { SystemSource } from '../tenancy-system.ts';
import type { Translation } from '../translation.ts';
import type { DerivedObjects, SourceIndex } from './derived-objects.ts';
import type { CapsuleTenant } from './members.ts';
import type { ClaimContent, PoolContent } from './other-schemas.ts';
import { buildQuota } from './quotas.ts';

type Pool = SystemObject<PoolContent>;
type Claim = SystemObject<ClaimContent>;
type Amounts = Readonly<Record<string, string | number>>;

const FIXED =
  'what is claimed today is the quota of the namespace: a further claim is a change of `quota.hard` in Git';

/**
 * Translates ResourcePools: each namespace has a ResourceQuota of what it claims and the defaults of the pool.
 *
 * Source: internal/controllers/resourcepools/pool_controller.go, api/v1beta2/resourcepool_func.go
 */
export function translatePools(
  source: SystemSource,
  tenants: readonly CapsuleTenant[],
  index: SourceIndex,
  derived: DerivedObjects,
  translation: Translation,
): void {
  const labels = new Map(
    tenants.flatMap(({ members }) => members.map((one) => [one.name, one.labels] as const)),
  );
  const claims = source.objectsOf<ClaimContent>('ResourcePoolClaim');
  const byPool = Map.groupBy(claims, findPool);
  const pools = source.objectsOf<PoolContent>('ResourcePool');
  for (const pool of pools) {
    const namespaces = selectNamespaces(pool, source.namespaces, labels);
    translatePool(pool, byPool.get(pool.name) ?? [], namespaces, index, derived, translation);
  }
  const known = new Set(pools.map(({ name }) => name));
  for (const claim of claims) {
    const name = findPool(claim);
    if (name !== undefined && known.has(name)) continue;
    claim.leave(['spec'], name ? `the source has no ResourcePool ${name}` : 'it has no pool');
  }
}

/** The status names the pool of a claim that names none. */
function findPool({ content, found }: Claim): string | undefined {
  const status = found.object['status'] as
    { readonly pool?: { readonly name?: unknown } } | undefined;
  const name = content.spec.pool || status?.pool?.name;
  return typeof name === 'string' && name !== '' ? name : undefined;
}

function selectNamespaces(
  pool: Pool,
  namespaces: readonly FoundObject[],
  byTenant: ReadonlyMap<string, Readonly<Record<string, string>>>,
): string[] {
  const { selectors = [] } = pool.content.spec;
  return namespaces
    .filter(({ object: { metadata } }) => {
      const labels = byTenant.get(metadata.name) ?? metadata.labels ?? {};
      return selectors.some((selector) => matchesLabels(selector as LabelSelector, labels));
    })
    .map(({ object }) => object.metadata.name);
}

function translatePool(
  pool: Pool,
  claims: readonly Claim[],
  namespaces: readonly string[],
  index: SourceIndex,
  derived: DerivedObjects,
  translation: Translation,
): void {
  const { quota, defaults = {}, config = {} } = pool.content.spec;
  recordConfig(pool);
  if (namespaces.length === 0) {
    for (const field of ['selectors', 'quota', 'defaults']) {
      pool.leave(['spec', field], 'it selects no namespace of the source');
    }
    for (const claim of claims) claim.leave(['spec'], 'its pool does not select its namespace');
    return;
  }
  const counted = sortClaims(pool, claims, new Set(namespaces));
  const hard = quota.hard ?? {};
  const reason = findReason(hard, [defaults, ...counted.map(({ content }) => content.spec.claim)]);
  if (reason !== undefined) {
    for (const field of ['selectors', 'quota', 'defaults']) pool.leave(['spec', field], reason);
    for (const claim of counted) claim.leave(['spec'], reason);
    return;
  }
  const zeros = config.defaultsZero
    ? Object.fromEntries(Object.keys(hard).map((key) => [key, 0]))
    : {};
  const byNamespace = Map.groupBy(counted, ({ found }) => found.object.metadata.namespace!);
  for (const namespace of namespaces) {
    const own = (byNamespace.get(namespace) ?? []).map(({ content }) => content.spec.claim);
    const amounts = sum([...own, { ...zeros, ...defaults }]);
    if (Object.keys(amounts).length > 0) {
      const object = buildQuota(`tenant-pool-${pool.name}`, { ...quota, hard: amounts });
      derived.add(namespace, object, pool);
    }
    for (const found of index.listMade('', 'ResourceQuota', namespace)) {
      if (found.object.metadata.name === `capsule-pool-${pool.name}`) {
        translation.explainMade(found, `Capsule makes it of the ResourcePool ${pool.name}`);
      }
    }
  }
  pool.take(['spec', 'selectors'], 'the namespaces that it selects today');
  pool.take(['spec', 'defaults'], '`quota` of the namespaces');
  pool.change(['spec', 'quota'], '`quota` of the namespaces', FIXED);
  for (const claim of counted) claim.take(['spec'], '`quota` of its namespace');
}

/** Returns why it is not known what a pool gave: its defaults, and all that is claimed. */
function findReason(
  hard: Amounts,
  [defaults = {}, ...claims]: readonly Amounts[],
): string | undefined {
  const amounts = [hard, defaults, ...claims].flatMap((one) => Object.entries(one));
  const invalid = amounts.find(([, amount]) => parseQuantity(amount) === undefined);
  if (invalid) return `the amount of ${invalid[0]} is no quantity, and Capsule refuses it`;
  const excess = Object.entries(sum(claims)).find(([key, amount]) => isMore(amount, hard[key]));
  return (
    excess &&
    `more ${excess[0]} is claimed than the pool has, so some claims wait: export the pool with its status`
  );
}

function recordConfig(pool: Pool): void {
  const { orderedQueue, deleteBoundResources } = pool.content.spec.config ?? {};
  const at = ['spec', 'config'];
  pool.take([...at, 'defaultsZero'], '`quota` of the namespaces');
  if (orderedQueue) pool.leave([...at, 'orderedQueue'], 'there are no claims that could wait');
  else pool.take([...at, 'orderedQueue'], 'what is so anyway');
  if (deleteBoundResources) {
    pool.leave([...at, 'deleteBoundResources'], 'deleting the pool deletes its claims: do it last');
  } else pool.take([...at, 'deleteBoundResources'], 'what is so anyway');
}

/** Returns the claims that the pool gave something: all, unless its status names them. */
function sortClaims(
  pool: Pool,
  claims: readonly Claim[],
  namespaces: ReadonlySet<string>,
): Claim[] {
  const given = pool.content.status?.claims;
  return claims.filter((claim) => {
    const namespace = claim.found.object.metadata.namespace ?? '';
    if (!namespaces.has(namespace)) {
      claim.leave(['spec'], 'its pool does not select its namespace');
      return false;
    }
    if (!given || given[namespace]?.some(({ name }) => name === claim.name)) return true;
    claim.leave(['spec'], 'the pool has not given it what it claims');
    return false;
  });
}

function isMore(amount: string | number, bound: string | number | undefined): boolean {
  return bound === undefined || parseQuantity(amount)! > parseQuantity(bound)!;
}

/** Returns the sum of amounts by key, in a unit that one of them has. */
function sum(all: readonly Amounts[]): Record<string, string | number> {
  const byKey = Map.groupBy(
    all.flatMap((one) => Object.entries(one)),
    ([key]) => key,
  );
  return Object.fromEntries(
    [...byKey].map(([key, entries]) => {
      const amounts = entries.map(([, amount]) => amount);
      if (amounts.length === 1) return [key, amounts[0]!];
      const total = amounts.reduce<bigint>((at, amount) => at + parseQuantity(amount)!, 0n);
      const units = amounts.map((amount) => shareUnits(key, amount));
      const exact = units.find((one) => total % one.at(-1)!.nano === 0n);
      return [key, formatQuantity(total, exact ?? units[0]!)];
    }),
  );
}
