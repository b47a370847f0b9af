import { matchesLabels, type LabelSelector } from '@tenantry/kube/label-selector';
import { omitUndefined } from '@tenantry/kube/mapping';
import type { KubeObject } from '@tenantry/kube/object';
import type { Path } from '@tenantry/kube/problem';
import type { FoundObject } from '../../manifests.ts';
import type { SystemObject } from '../system-object.ts';
import type { Translation } from '../translation.ts';
import { selectMembers } from './bindings.ts';
import { findFault, type DerivedObjects, type SourceIndex } from './derived-objects.ts';
import { findOwningTenant, type CapsuleTenant, type Member } from './members.ts';
import type { GlobalQuotaContent } from './other-schemas.ts';
import type { Quota } from './shared-schemas.ts';
import type { Totals } from './totals.ts';

const SCOPED =
  'a total is for all pods, and this quota is for some: declare `quota.scoped` in each namespace, with a part of it';

const SOME =
  'it is shared by some namespaces of a tenant: divide it by hand over `quota.hard` of these';

/** Whether a quota is for all pods. */
const isForAll = ({ scopes = [], scopeSelector }: Quota): boolean =>
  scopes.length === 0 && (scopeSelector?.matchExpressions ?? []).length === 0;

/**
 * Translates the quotas of a tenant: a shared one is a part of its total, and one for each namespace becomes a
 * ResourceQuota there.
 *
 * Source: internal/controllers/tenant/resourcequotas.go, globalresourcequotas.go
 */
export function translateQuotas(
  tenant: CapsuleTenant,
  totals: Totals,
  derived: DerivedObjects,
  index: SourceIndex,
  translation: Translation,
): void {
  const { one, spec } = tenant;
  const { scope = 'Tenant', items = [] } = spec.resourceQuotas ?? {};
  one.take(['spec', 'resourceQuotas', 'scope'], '`quota`');
  const whole = items.findIndex(isForAll);
  for (const [i, item] of items.entries()) {
    const path = ['spec', 'resourceQuotas', 'items', i];
    if (scope === 'Tenant') addTotal(tenant, item, path, totals);
    else addQuotas(tenant, item, i === whole ? '' : `-${i}`, path, derived);
  }
  if (scope === 'Tenant') explainCopies(tenant, items.length, index, translation);
  for (const [i, rule] of (spec.rules ?? []).entries()) {
    const selected = selectMembers(tenant, rule.namespaceSelector as LabelSelector | undefined);
    for (const [j, item] of (rule.quota ?? []).entries()) {
      const path = ['spec', 'rules', i, 'quota', j];
      one.take([...path, 'name'], 'a part of names only');
      if (selected.length === tenant.members.length) addTotal(tenant, item, path, totals);
      else {
        for (const field of ['hard', 'scopes', 'scopeSelector']) one.leave([...path, field], SOME);
      }
    }
  }
}

function addTotal(tenant: CapsuleTenant, quota: Quota, path: Path, totals: Totals): void {
  if (!isForAll(quota)) {
    for (const field of ['hard', 'scopes', 'scopeSelector']) {
      tenant.one.leave([...path, field], SCOPED);
    }
  } else totals.add(tenant, quota.hard ?? {}, tenant.one, [...path, 'hard']);
}

function addQuotas(
  { one, members }: CapsuleTenant,
  quota: Quota,
  suffix: string,
  path: Path,
  derived: DerivedObjects,
): void {
  const object = buildQuota(`tenant-quota${suffix}`, quota);
  const fault = findFault(object);
  if (fault !== undefined) {
    one.leave(path, fault);
    return;
  }
  for (const member of members) derived.add(member.name, object, one);
  one.take(path, '`quota` of the namespaces');
}

/** Builds a ResourceQuota. */
export function buildQuota(name: string, { hard = {}, scopes, scopeSelector }: Quota): KubeObject {
  const spec = omitUndefined<Quota>({ hard, scopes, scopeSelector });
  return { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name }, spec };
}

/** The copies of a shared quota are named after its position. What they allow at a moment is no declaration. */
function explainCopies(
  { name, members }: CapsuleTenant,
  count: number,
  index: SourceIndex,
  translation: Translation,
): void {
  const copies = new Set(Array.from({ length: count }, (_none, i) => `capsule-${name}-${i}`));
  for (const member of members) {
    for (const found of index.listMade('', 'ResourceQuota', member.name)) {
      if (copies.has(found.object.metadata.name) && findOwningTenant(found.object) === name) {
        translation.explainMade(found, 'Capsule makes it to share the quota of the Tenant');
      }
    }
  }
}

/** Translates GlobalResourceQuotas: one for exactly the namespaces of one tenant is a part of its total. */
export function translateGlobalQuotas(
  quotas: readonly SystemObject<GlobalQuotaContent>[],
  tenants: readonly CapsuleTenant[],
  namespaces: readonly FoundObject[],
  totals: Totals,
): void {
  const members = new Map<string, readonly [CapsuleTenant, Member]>(
    tenants.flatMap((tenant) => tenant.members.map((one) => [one.name, [tenant, one]] as const)),
  );
  const known = new Set(tenants.map(({ name }) => name));
  for (const one of quotas) {
    const owner = findOwningTenant(one.found.object);
    if (owner !== undefined && known.has(owner)) {
      one.take(['spec'], `nothing: Capsule makes it of the rules of Tenant ${owner}`);
      continue;
    }
    const { namespaceSelectors = [], quota } = one.content.spec;
    const path = ['spec', 'quota'];
    const selected = namespaces.filter(({ object: { metadata } }) => {
      const labels = members.get(metadata.name)?.[1].labels ?? metadata.labels ?? {};
      return namespaceSelectors.some((selector) =>
        matchesLabels(selector as LabelSelector, labels),
      );
    });
    const owners = new Set(selected.map(({ object }) => members.get(object.metadata.name)?.[0]));
    const [tenant] = owners;
    const isWhole = owners.size === 1 && tenant?.members.length === selected.length;
    if (!tenant || !isWhole) {
      const reason =
        selected.length === 0
          ? 'it selects no namespace of the source'
          : 'it is shared by other namespaces than those of one tenant: divide it by hand over `quota` of the tenants';
      one.leave(['spec'], reason);
      continue;
    }
    one.take(['spec', 'namespaceSelectors'], `the namespaces of the tenant ${tenant.name}`);
    if (isForAll(quota)) totals.add(tenant, quota.hard ?? {}, one, [...path, 'hard']);
    else one.leave(path, SCOPED);
  }
}
