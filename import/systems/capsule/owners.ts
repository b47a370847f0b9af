import { matchesLabels, type LabelSelector } from '@tenantry/kube/label-selector';
import type { Path } from '@tenantry/kube/problem';
import type { SystemObject } from '../system-object.ts';
import type { Translation } from '../translation.ts';
import type { CapsuleRoles } from './configuration.ts';
import { OBJECT_TENANT_LABEL } from './keys.ts';
import type { CapsuleTenant } from './members.ts';
import type { OwnerContent } from './other-schemas.ts';
import { toSubject, USERNAME, type OwnerFields } from './subjects.ts';

const ACCESS = '`access` of the tenant';

/**
 * Binds an owner to its ClusterRoles in all namespaces of a tenant, and records it.
 * @param path the owner
 * Source: internal/controllers/tenant/rolebindings.go, pkg/tenant/owners.go
 */
export function bindOwner(
  one: SystemObject,
  owner: OwnerFields,
  path: Path,
  tenant: CapsuleTenant,
  roles: CapsuleRoles,
  translation: Translation,
): void {
  const subject = toSubject(owner);
  if (!subject) {
    one.leave(
      path,
      `the name of a ServiceAccount must be ${USERNAME}<namespace>:<name>, and Capsule refuses it`,
    );
    return;
  }
  const wanted = owner.clusterRoles ?? roles.ownerDefaults;
  for (const [i, name] of wanted.entries()) {
    const at = [...path, 'clusterRoles', i];
    if (roles.own.has(name)) {
      one.leave(at, ownRoleReason(name));
      continue;
    }
    for (const member of tenant.members) {
      translation.bind(member.name, { kind: 'ClusterRole', name }, [subject], one);
    }
    one.take(at, ACCESS);
  }
  const lost = owner.clusterRoles ? [] : wanted.filter((name) => roles.own.has(name));
  one.take([...path, 'kind'], ACCESS);
  if (lost.length === 0) one.take([...path, 'name'], ACCESS);
  else one.change([...path, 'name'], ACCESS, lost.map(ownRoleReason).join('; '));
}

/** ClusterRoles that Capsule makes go with it. */
const ownRoleReason = (name: string): string =>
  `the ClusterRole ${name} goes with Capsule: namespaces come and go through Git, and owners no longer delete them`;

/** Binds the owners of a tenant: those that it names, and those that it selects. */
export function translateOwners(
  tenant: CapsuleTenant,
  owners: readonly SystemObject<OwnerContent>[],
  roles: CapsuleRoles,
  translation: Translation,
): void {
  const { one, spec } = tenant;
  for (const [i, owner] of (spec.owners ?? []).entries()) {
    const path = ['spec', 'owners', i];
    bindOwner(one, owner, path, tenant, roles, translation);
    for (const part of ['labels', 'annotations']) {
      one.leave([...path, part], 'RoleBindings of Tenantry have no metadata of their own');
    }
    one.leave(
      [...path, 'proxySettings'],
      'capsule-proxy is not a part of Tenantry: a ClusterRole of the platform can let the owner list these objects',
    );
  }
  for (const i of (spec.permissions?.matchOwners ?? []).keys()) {
    one.take(['spec', 'permissions', 'matchOwners', i], ACCESS);
  }
  for (const owner of owners) {
    if (isSelected(owner, tenant)) {
      bindOwner(owner, owner.content.spec, ['spec'], tenant, roles, translation);
    }
  }
}

/** Whether a TenantOwner is an owner of a tenant: by a label with its name, or by its selectors. */
export function isSelected(owner: SystemObject<OwnerContent>, tenant: CapsuleTenant): boolean {
  const { labels = {} } = owner.found.object.metadata;
  const selectors = tenant.spec.permissions?.matchOwners ?? [];
  return (
    labels[OBJECT_TENANT_LABEL] === tenant.name ||
    selectors.some((selector) => matchesLabels(selector as LabelSelector, labels))
  );
}
