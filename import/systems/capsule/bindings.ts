import { matchesLabels, type LabelSelector } from '@tenantry/kube/label-selector';
import type { KubeObject } from '@tenantry/kube/object';
import type { Path } from '@tenantry/kube/problem';
import { RBAC_GROUP } from '../../../model/layers/grants.ts';
import type { BindingObject, Subject } from '../../access.ts';
import type { SystemObject } from '../system-object.ts';
import type { Translation } from '../translation.ts';
import type { CapsuleRoles } from './configuration.ts';
import { OWNER_PROMOTION, PROMOTION } from './keys.ts';
import type { SourceIndex } from './derived-objects.ts';
import { findOwningTenant, type CapsuleTenant, type Member } from './members.ts';
import type { Binding } from './shared-schemas.ts';
import type { Rule } from './tenant-schema.ts';

/** The ServiceAccounts of namespaces. */
export type Accounts = ReadonlyMap<string, readonly KubeObject[]>;

/** Returns the namespaces that a selector selects among those of a tenant; all if there is none. */
export function selectMembers(
  { members }: CapsuleTenant,
  selector: LabelSelector | undefined,
): readonly Member[] {
  return selector ? members.filter(({ labels }) => matchesLabels(selector, labels)) : members;
}

/** Binds subjects to the ClusterRoles of `additionalRoleBindings` and of rules. */
export function translateBindings(tenant: CapsuleTenant, translation: Translation): void {
  const { one, spec, members } = tenant;
  for (const [i, binding] of (spec.additionalRoleBindings ?? []).entries()) {
    bindMembers(one, binding, ['spec', 'additionalRoleBindings', i], members, translation);
  }
  for (const [i, rule] of (spec.rules ?? []).entries()) {
    const selected = selectMembers(tenant, rule.namespaceSelector as LabelSelector | undefined);
    const path = ['spec', 'rules', i];
    for (const [j, binding] of (rule.permissions?.bindings ?? []).entries()) {
      bindMembers(one, binding, [...path, 'permissions', 'bindings', j], selected, translation);
    }
  }
}

function bindMembers(
  one: SystemObject,
  { clusterRoleName, subjects }: Binding,
  path: Path,
  members: readonly Member[],
  translation: Translation,
): void {
  if (members.length === 0) {
    one.leave(path, 'it selects no namespace of the source');
    return;
  }
  const become = `\`access\` of ${listNames(members)}`;
  one.take([...path, 'clusterRoleName'], become);
  for (const part of ['labels', 'annotations']) {
    one.leave([...path, part], 'RoleBindings of Tenantry have no metadata of their own');
  }
  const valid: Subject[] = [];
  for (const [i, subject] of subjects.entries()) {
    const at = [...path, 'subjects', i];
    const fault = findSubjectFault(subject);
    if (fault !== undefined) {
      one.leave(at, fault);
      continue;
    }
    for (const field of ['kind', 'name', 'namespace', 'apiGroup']) {
      one.take([...at, field], become);
    }
    const { kind, name, namespace } = subject;
    valid.push(kind === 'ServiceAccount' ? { kind, name, namespace: namespace! } : { kind, name });
  }
  if (valid.length === 0) return;
  for (const member of members) {
    translation.bind(member.name, { kind: 'ClusterRole', name: clusterRoleName }, valid, one);
  }
}

function findSubjectFault({ kind, namespace }: Binding['subjects'][number]): string | undefined {
  if (kind === 'ServiceAccount') {
    return namespace
      ? undefined
      : 'a ServiceAccount needs a namespace, and the API server refuses it';
  }
  return kind === 'User' || kind === 'Group'
    ? undefined
    : 'a subject is a User, a Group or a ServiceAccount, and the API server refuses it';
}

/**
 * Explains the bindings to Capsule's own ClusterRoles, which every owner has by default. They go with Capsule, and the
 * fields of the owners are reported.
 */
export function explainOwnBindings(
  { name, members }: CapsuleTenant,
  roles: CapsuleRoles,
  index: SourceIndex,
  translation: Translation,
): void {
  for (const member of members) {
    for (const found of index.listMade(RBAC_GROUP, 'RoleBinding', member.name)) {
      const { roleRef } = found.object as Partial<BindingObject>;
      const isOwn = roleRef?.kind === 'ClusterRole' && roles.own.has(roleRef.name);
      if (isOwn && findOwningTenant(found.object) === name) {
        translation.explainMade(found, `the ClusterRole ${roleRef.name} goes with Capsule`);
      }
    }
  }
}

/** At most three names, and how many more there are. */
export function listNames(members: readonly { readonly name: string }[]): string {
  const names = members.slice(0, 3).map(({ name }) => name);
  const more = members.length - names.length;
  return `${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/**
 * Binds promoted ServiceAccounts: those with a label are owners, if the configuration lets them, and rules give rights
 * to those with another label.
 *
 * Source: pkg/tenant/owners.go, pkg/tenant/promotions.go
 */
export function translatePromotions(
  tenant: CapsuleTenant,
  accounts: Accounts,
  roles: CapsuleRoles,
  translation: Translation,
): void {
  const { one, spec } = tenant;
  const path = ['spec', 'permissions', 'allowOwnerPromotion'];
  const isAllowed = spec.permissions?.allowOwnerPromotion ?? true;
  const promoted = isAllowed ? selectAccounts(tenant.members, accounts, OWNER_PROMOTION) : [];
  if (promoted.length === 0) one.take(path, 'nothing: no ServiceAccount is an owner by its label');
  else if (roles.promotion === undefined) {
    const reason =
      'ServiceAccounts have the label of owners, and the source has no CapsuleConfiguration that defines what it gives them: export it too';
    if (spec.permissions?.allowOwnerPromotion === undefined) {
      translation.note(`Tenant ${tenant.name}: ${reason}`);
      for (const i of (spec.owners ?? []).keys()) one.leave(['spec', 'owners', i, 'kind'], reason);
    } else one.leave(path, reason);
  } else {
    const given = roles.promotion.filter((name) => !roles.own.has(name));
    bindAccounts(promoted, given, tenant.members, one, translation);
    one.take(path, 'the ServiceAccounts with the label in `access`');
  }
  for (const [i, rule] of (spec.rules ?? []).entries()) {
    promoteByRule(tenant, rule, ['spec', 'rules', i], accounts, roles, translation);
  }
}

function promoteByRule(
  tenant: CapsuleTenant,
  { namespaceSelector, permissions }: Rule,
  path: Path,
  accounts: Accounts,
  roles: CapsuleRoles,
  translation: Translation,
): void {
  const { one } = tenant;
  const selected = selectMembers(tenant, namespaceSelector as LabelSelector | undefined);
  const labeled = selectAccounts(selected, accounts, PROMOTION);
  for (const [i, { clusterRoles = [], selector }] of (permissions?.promotions ?? []).entries()) {
    const at = [...path, 'permissions', 'promotions', i];
    const promoted = labeled.filter(
      ({ metadata }) =>
        !selector || matchesLabels(selector as LabelSelector, metadata.labels ?? {}),
    );
    const given = clusterRoles.filter((name) => !roles.own.has(name));
    bindAccounts(promoted, given, selected, one, translation);
    for (const [j, name] of clusterRoles.entries()) {
      if (roles.own.has(name)) {
        one.leave([...at, 'clusterRoles', j], `the ClusterRole ${name} goes with Capsule`);
      }
    }
    one.change(
      at,
      `\`access\` of ${promoted.length} ServiceAccounts`,
      'a ServiceAccount that gets the label later gets no right: declare it',
    );
  }
}

function selectAccounts(
  members: readonly Member[],
  accounts: Accounts,
  label: string,
): readonly KubeObject[] {
  return members.flatMap(({ name }) =>
    (accounts.get(name) ?? []).filter(({ metadata }) => metadata.labels?.[label] === 'true'),
  );
}

function bindAccounts(
  promoted: readonly KubeObject[],
  roles: readonly string[],
  members: readonly Member[],
  one: SystemObject,
  translation: Translation,
): void {
  const subjects = promoted.map(({ metadata }) => ({
    kind: 'ServiceAccount',
    name: metadata.name,
    namespace: metadata.namespace!,
  }));
  if (subjects.length === 0) return;
  for (const name of roles) {
    for (const member of members) {
      translation.bind(member.name, { kind: 'ClusterRole', name }, subjects, one);
    }
  }
}
