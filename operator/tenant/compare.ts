import { parseAppObjects } from '../../model/app-objects.ts';
import type { DesiredNamespace, DesiredTenant } from '../../model/desired.ts';
import type { TenantRuleId } from '../../model/findings/tenant-rules.ts';
import type { Fleet } from '../../model/fleet.ts';
import type { PressureEntry } from '../../crds/tenant-status.ts';
import type { DriftPolicy } from '../../crds/types.ts';
import { formatFinding } from '@tenantry/kube/finding';
import { identityOf } from '@tenantry/kube/object';
import { omitUndefined } from '@tenantry/kube/mapping';
import type { CacheView } from '@tenantry/runtime/controller/caches';
import type { Live } from '@tenantry/runtime/kinds/kind';
import {
  namespaces,
  observedKinds,
  Tenant,
  TenantClass,
  type ObservedKind,
} from '../cluster/kinds.ts';
import { noGrants, type ActiveGrants } from '../break-glass/active-grants.ts';
import type { OtherKind } from '../cluster/other-kinds.ts';
import { findObservedKind, TenantObjects } from '../cluster/tenant-objects.ts';
import { findUnobservedKinds, findUnreadableObjects } from '../cluster/unobserved.ts';
import { declaredDigest, type IsRollingOut } from '../drift/expected.ts';
import type { ReadLive } from '../drift/object-drift.ts';
import type { Comparer, DeclaredState } from '../drift/tenant-drift.ts';
import { listClaimedNamespaces, toDeclaration, resolveClaimant } from '../fleet/declarations.ts';
import type { HealingResult } from '../heal/healer.ts';
import type { Observation, TakenNamespace, TerminatingNamespace } from './observation.ts';
import { findQuotaPressure } from './pressure.ts';

type LiveTenant = Live<typeof Tenant>;

/** The context of a comparison. */
export interface CompareContext {
  readonly cluster: string;
  readonly fleet: Fleet;
  readonly cache: CacheView<ObservedKind | OtherKind | typeof Tenant | typeof TenantClass>;
  /** Finds the grants of requested access in the tenant's namespaces. @default - there are none */
  readonly findGrants?: ((namespaces: readonly DesiredNamespace[]) => ActiveGrants) | undefined;
  /** Kinds of `resources` that are compared. @default - none */
  readonly others?: readonly OtherKind[];
  readonly comparer: Comparer;
  readonly read: ReadLive;
  readonly isFollowing: IsRollingOut;
  /** What the operator does about the tenant's drift. */
  readonly policy: DriftPolicy;
  /** The policy that the tenant requests. @default - the same */
  readonly requested?: DriftPolicy;
  /** Heals the tenant before its state is reported. @default - nothing */
  readonly heal?: (declared: DeclaredState, objects: TenantObjects) => Promise<HealingResult>;
}

/** Compares a tenant with the cluster, and heals it first if `heal` is given. */
export async function compareTenant(
  tenant: LiveTenant,
  context: CompareContext,
): Promise<Observation> {
  if (tenant.spec?.cordoned) return { type: 'cordoned' };
  const { fleet, cluster, cache, policy, requested = policy } = context;
  const objects = new TenantObjects(cache, context.others);
  const kinds = [...observedKinds, Tenant, TenantClass];
  const unobserved = findUnobservedKinds(kinds, cache);
  const spaces = unobserved.find(({ kind, isRead }) => kind === namespaces && !isRead);
  if (spaces) return { type: 'unknown', reason: 'NotObserved', message: spaces.message };
  const wanted = fleet.desired(toDeclaration(tenant));
  if (wanted.findings.some(({ severity }) => severity === 'error')) {
    return { type: 'refused', findings: wanted.findings };
  }
  const taken = findTakenNamespaces(tenant, context, objects);
  if (taken.length > 0) return { type: 'taken', taken };
  const here = wanted.namespaces.filter((one) => one.cluster === cluster);
  const names = here.map(({ name }) => name);
  const all = here.flatMap((one) => one.objects);
  const grants = context.findGrants?.(here) ?? noGrants;
  const declared = {
    tenant: tenant.metadata.name,
    namespaces: names,
    // Objects of kinds that were never read may exist, so they are not reported as missing.
    objects: all.filter((one) => objects.isRead(one)),
    appObjects: new Set([...parseAppObjects(tenant.metadata), ...grants.bindings]),
  };
  const { comparer, read, isFollowing } = context;
  const healing = await context.heal?.(declared, objects);
  const isRollingOut = excludeHealedObjects(isFollowing, policy, declared);
  const found = await comparer.compare(declared, objects, read, isRollingOut);
  return omitUndefined({
    type: 'compared',
    drift: found.drift,
    undeclared: found.undeclared,
    notCompared: found.notCompared,
    following: found.following,
    unread: found.unread,
    namespaces: names.length,
    objects: all.length,
    declaredDigest: declaredDigest(all),
    terminating: listTerminating(names, cache),
    unobserved: [
      ...unobserved.map(({ message }) => message),
      ...grants.unobserved,
      ...findUnreadableObjects(kinds, { tenant: tenant.metadata.name, namespaces: names }, cache),
    ],
    pressure: findPressure(tenant, names, objects),
    ended: listMessages(wanted, 'ended'),
    notices: [...listMessages(wanted, 'break-glass-absent'), ...grants.notes],
    policy,
    requested,
    healed: healing?.healed ?? [],
    problems: healing?.problems ?? [],
    fights: healing?.fights ?? [],
    retryAfter: findEarlier(healing?.retryAfter, grants.endsIn),
  });
}

function findPressure(
  { status }: LiveTenant,
  names: readonly string[],
  objects: TenantObjects,
): readonly PressureEntry[] {
  const quotas = names.flatMap((namespace) => objects.quotas(namespace));
  return findQuotaPressure(quotas, status?.quotaPressure);
}

/** Lists the findings of a rule, a sentence each. */
function listMessages({ findings }: DesiredTenant, id: TenantRuleId): readonly string[] {
  return findings.filter(({ rule }) => rule === id).map((one) => formatFinding(one));
}

function findEarlier(one = Infinity, other = Infinity): number | undefined {
  const first = Math.min(one, other);
  return first < Infinity ? first : undefined;
}

function listTerminating(
  names: readonly string[],
  cache: CompareContext['cache'],
): readonly TerminatingNamespace[] {
  return names.flatMap((name) => {
    const { phase, waitsFor } = cache.get(namespaces, { name }) ?? {};
    return phase === 'Terminating' ? [{ name, waitsFor }] : [];
  });
}

/** Excludes healed objects: there is no rollout to wait for, and what still differs after healing is drift. */
function excludeHealedObjects(
  isFollowing: IsRollingOut,
  policy: DriftPolicy,
  declared: DeclaredState,
): IsRollingOut {
  if (policy === 'Observe') return isFollowing;
  const own = new Set(declared.objects.filter(findObservedKind).map(identityOf));
  return (suspect) => {
    const isOwn = own.has(suspect.key) && (policy === 'Heal' || suspect.live === undefined);
    return !isOwn && isFollowing(suspect);
  };
}

/** Returns the namespaces that the tenant names and another Tenant has. */
function findTakenNamespaces(
  tenant: LiveTenant,
  { cache }: CompareContext,
  objects: TenantObjects,
): readonly TakenNamespace[] {
  return listClaimedNamespaces(tenant).flatMap((namespace) => {
    const claimants = cache.list(Tenant, { index: { by: listClaimedNamespaces, is: namespace } });
    const holder = resolveClaimant(claimants, objects.tenantOf(namespace));
    const { name } = tenant.metadata;
    if (!holder || holder.metadata.name === name) return [];
    return [{ namespace, tenant: holder.metadata.name }];
  });
}
