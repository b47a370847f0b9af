import type { KubeObject } from '@tenantry/kube/object';
import type { SystemObject } from '../system-object.ts';
import type { SystemSource, TenancySystem } from '../tenancy-system.ts';
import type { Translation } from '../translation.ts';
import {
  explainOwnBindings,
  translateBindings,
  translatePromotions,
  type Accounts,
} from './bindings.ts';
import { readConfiguration, type Configuration } from './configuration.ts';
import { DerivedObjects, SourceIndex } from './derived-objects.ts';
import { CAPSULE, objectLabels, OWNER_PROMOTION, PROMOTION } from './keys.ts';
import { capsuleKinds } from './kinds.ts';
import { recordLeftFields } from './left-fields.ts';
import { translateLimits } from './limits.ts';
import { isMade } from './made.ts';
import { findTenants, type CapsuleTenant } from './members.ts';
import { translateMetadata } from './namespace-metadata.ts';
import { recordOtherKinds } from './other-kinds.ts';
import type { GlobalQuotaContent, OwnerContent, ReplicationContent } from './other-schemas.ts';
import { bindOwner, isSelected, translateOwners } from './owners.ts';
import { translatePolicies } from './policies.ts';
import { translateGlobalQuotas, translateQuotas } from './quotas.ts';
import { Replications } from './replicas.ts';
import { translateGlobalTenantResource, translateTenantResource } from './replications.ts';
import { translatePools } from './resource-pools.ts';
import { findSelectedKeys } from './selected-keys.ts';
import { Totals } from './totals.ts';

/**
 * Capsule: its Tenants own namespaces, and its controllers make RoleBindings, quotas, bounds, network policies and
 * metadata in them. What its webhooks refuse has mostly no counterpart, and is left with the reason.
 *
 * Source: github.com/projectcapsule/capsule, api/v1beta2 and internal/controllers (0.14)
 */
export const capsule: TenancySystem = {
  name: CAPSULE,
  kinds: capsuleKinds,
  isMade,
  translate(source, translation) {
    const configuration = readConfiguration(source);
    const all = findTenants(source, translation);
    recordOtherKinds(source, all);
    const tenants = all.filter(isTranslated);
    const index = new SourceIndex(source);
    const derived = new DerivedObjects(translation);
    translateReplications(source, tenants, index, derived);
    translatePools(source, tenants, index, derived, translation);
    translateTenants(source, tenants, configuration, index, derived, translation);
    dropObjectLabels(source, tenants, translation);
  },
};

/** Leaves out the labels that Capsule's webhook puts on all objects of tenants. */
function dropObjectLabels(
  { objects }: SystemSource,
  tenants: readonly CapsuleTenant[],
  translation: Translation,
): void {
  const own = new Set(tenants.flatMap(({ members }) => members.map(({ name }) => name)));
  for (const found of objects) {
    const { namespace } = found.object.metadata;
    if (namespace === undefined || !own.has(namespace)) continue;
    translation.dropObjectKeys(CAPSULE, namespace, found, (key) => objectLabels.includes(key));
  }
}

/** Leaves a Tenant of which nothing can be declared. */
function isTranslated({ one, members }: CapsuleTenant): boolean {
  if (one.found.object.apiVersion.endsWith('/v1beta1')) {
    one.leave(
      ['spec'],
      'only v1beta2 is translated: export it with `kubectl get tenants.v1beta2.capsule.clastix.io -o yaml`',
    );
    return false;
  }
  if (members.length > 0) return true;
  one.leave(['spec'], 'no namespace of the source belongs to it: declare a Tenant when it has one');
  return false;
}

function translateTenants(
  source: SystemSource,
  tenants: readonly CapsuleTenant[],
  { roles, administrators, one: configuration }: Configuration,
  index: SourceIndex,
  derived: DerivedObjects,
  translation: Translation,
): void {
  const kept = findSelectedKeys(source, tenants, translation);
  const owners = source.objectsOf<OwnerContent>('TenantOwner');
  const accounts = findPromotedAccounts(source);
  const totals = new Totals();
  for (const tenant of tenants) {
    translateMetadata(tenant, kept, translation);
    translateOwners(tenant, owners, roles, translation);
    for (const administrator of administrators) {
      if (!configuration) break;
      bindOwner(configuration, administrator, ['spec', 'rbac'], tenant, roles, translation);
    }
    translateBindings(tenant, translation);
    explainOwnBindings(tenant, roles, index, translation);
    translatePromotions(tenant, accounts, roles, translation);
    translateLimits(tenant, derived, index, translation);
    translatePolicies(tenant, derived);
    translateQuotas(tenant, totals, derived, index, translation);
    recordLeftFields(tenant);
  }
  const quotas = source.objectsOf<GlobalQuotaContent>('GlobalResourceQuota');
  translateGlobalQuotas(quotas, tenants, source.namespaces, totals);
  totals.translate(index, derived, translation);
  recordOwners(owners, tenants);
}

function translateReplications(
  source: SystemSource,
  tenants: readonly CapsuleTenant[],
  index: SourceIndex,
  derived: DerivedObjects,
): void {
  const replications = new Replications(index, derived);
  const byNamespace = new Map(
    tenants.flatMap((tenant) => tenant.members.map(({ name }) => [name, tenant] as const)),
  );
  for (const one of source.objectsOf<ReplicationContent>('TenantResource')) {
    const { namespace } = one.found.object.metadata;
    translateTenantResource(one, byNamespace.get(namespace ?? ''), replications);
  }
  for (const one of source.objectsOf<ReplicationContent>('GlobalTenantResource')) {
    translateGlobalTenantResource(one, tenants, replications);
  }
}

function recordOwners(
  owners: readonly SystemObject<OwnerContent>[],
  tenants: readonly CapsuleTenant[],
): void {
  for (const owner of owners) {
    if (tenants.some((tenant) => isSelected(owner, tenant))) {
      owner.take(['spec', 'aggregate'], 'nothing: it goes with Capsule');
    } else owner.leave(['spec'], 'no Tenant of the source that has namespaces selects it');
  }
}

/** Finds the ServiceAccounts with a label by which Capsule gives them rights. */
function findPromotedAccounts({ objects }: SystemSource): Accounts {
  const promoted = objects.flatMap(({ object }): KubeObject[] => {
    const { labels = {}, namespace } = object.metadata;
    const isPromoted = labels[OWNER_PROMOTION] === 'true' || labels[PROMOTION] === 'true';
    const isAccount = object.apiVersion === 'v1' && object.kind === 'ServiceAccount';
    return isAccount && isPromoted && namespace !== undefined ? [object] : [];
  });
  return Map.groupBy(promoted, ({ metadata }) => metadata.namespace!);
}
