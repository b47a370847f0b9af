import { omitUndefined } from '@tenantry/kube/mapping';
import type { KubeObject } from '@tenantry/kube/object';
import type {
  Access,
  ClusterRoleHolders,
  Holders,
  PolicyRule,
  RoleHolders,
} from '../crds/types.ts';
import type { TenantClassSpec } from '../crds/tenant-class.ts';
import { RBAC_GROUP, resolveBindingName } from '../model/layers/grants.ts';
import { isEqual, nonEmpty } from './counting.ts';
import type { FoundObject } from './manifests.ts';
import { selectKind, type Origin, type Section, type Unplaced } from './section.ts';

export interface Subject {
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
}

export interface BindingObject extends KubeObject {
  readonly roleRef: { readonly kind: string; readonly name: string };
  readonly subjects?: readonly Subject[];
}

export interface RoleObject extends KubeObject {
  readonly rules: readonly PolicyRule[];
}

export const selectBindings = (objects: readonly FoundObject[]) =>
  selectKind<BindingObject>(objects, RBAC_GROUP, 'RoleBinding');
export const selectRoles = (objects: readonly FoundObject[]) =>
  selectKind<RoleObject>(objects, RBAC_GROUP, 'Role');

/** The fields of `access` for the built-in ClusterRoles of Kubernetes. */
export const levelFields = { admin: 'admins', edit: 'editors', view: 'viewers' } as const;

type FoundBinding = FoundObject & { readonly object: BindingObject };
type ClassAccess = NonNullable<TenantClassSpec['defaults']>['access'];

/** Declares Roles and RoleBindings as `access`. */
export function buildAccess(
  objects: readonly FoundObject[],
  { defaults, presets }: TenantClassSpec,
): Section<Access> {
  const origins: Origin[] = [];
  const unplaced: Unplaced[] = [];
  const bound: FoundBinding[] = [];
  for (const binding of selectBindings(objects)) {
    const reason = findBindingFault(binding.object);
    if (reason === undefined) bound.push(binding);
    else unplaced.push({ found: binding, reason });
  }
  const [levels, others] = splitLevels(bound);
  const access: { -readonly [K in keyof Access]: Access[K] } = {};
  for (const [field, binding] of levels) {
    access[field] = buildHolders(
      binding.object,
      (defaults?.access as ClassAccess)?.[field]?.bindingName,
    );
    origins.push({ path: [field], found: binding });
  }
  const clusterRoles = others.map((found, i): ClusterRoleHolders => {
    origins.push({ path: ['clusterRoles', i], found });
    return { name: found.object.roleRef.name, ...buildHolders(found.object) };
  });
  const toRoles = bound.filter(({ object }) => object.roleRef.kind === 'Role');
  const roles: RoleHolders[] = [];
  for (const role of selectRoles(objects)) {
    const { name } = role.object.metadata;
    const preset = presets?.roles?.find(
      (one) => one.name === name && isEqual(one.rules, role.object.rules),
    );
    const what = preset ? { preset: name } : { name, rules: role.object.rules };
    const own = toRoles.filter(({ object }) => object.roleRef.name === name);
    for (const binding of own.length > 0 ? own : [undefined]) {
      const path = ['roles', roles.length];
      origins.push({ path, found: role });
      if (binding) origins.push({ path, found: binding });
      roles.push({ ...what, ...(binding && buildHolders(binding.object, preset?.bindingName)) });
    }
  }
  const names = new Set(selectRoles(objects).map(({ object }) => object.metadata.name));
  for (const found of toRoles.filter(({ object }) => !names.has(object.roleRef.name))) {
    const reason = `it binds the Role '${found.object.roleRef.name}', which is not imported`;
    unplaced.push({ found, reason });
  }
  const value = omitUndefined<Access>({
    ...access,
    clusterRoles: nonEmpty(clusterRoles),
    roles: nonEmpty(roles),
  });
  return { value, origins, unplaced };
}

/** The first binding of each built-in role has a field; all others to ClusterRoles are entries of a list. */
function splitLevels(
  bindings: readonly FoundBinding[],
): [ReadonlyMap<'admins' | 'editors' | 'viewers', FoundBinding>, FoundBinding[]] {
  const levels = new Map<'admins' | 'editors' | 'viewers', FoundBinding>();
  const others: FoundBinding[] = [];
  for (const binding of bindings) {
    const { kind, name } = binding.object.roleRef;
    if (kind !== 'ClusterRole') continue;
    const field = Object.hasOwn(levelFields, name)
      ? levelFields[name as keyof typeof levelFields]
      : undefined;
    if (field && !levels.has(field)) levels.set(field, binding);
    else others.push(binding);
  }
  return [levels, others];
}

function findBindingFault({ roleRef, subjects = [] }: BindingObject): string | undefined {
  if (typeof roleRef?.name !== 'string') return 'it names no role';
  if (!Array.isArray(subjects) || subjects.length === 0)
    return 'it has no subjects and grants nothing';
  const odd = subjects.find(
    (one) =>
      !['User', 'Group', 'ServiceAccount'].includes(one?.kind) || typeof one.name !== 'string',
  );
  return (
    odd && `a subject must be a User, a Group or a ServiceAccount with a name, got ${odd.kind}`
  );
}

/** @param nameInClass the bindingName in the class */
function buildHolders(
  { metadata, roleRef, subjects = [] }: BindingObject,
  nameInClass?: string,
): Holders {
  const named = (kind: string): string[] => [
    ...new Set(subjects.flatMap((subject) => (subject.kind === kind ? [subject.name] : []))),
  ];
  const role = roleRef as { kind: 'Role' | 'ClusterRole'; name: string };
  const implied =
    nameInClass?.replaceAll('{namespace}', metadata.namespace!) ?? resolveBindingName({ role });
  const accounts = subjects
    .filter(({ kind }) => kind === 'ServiceAccount')
    .map(({ name, namespace }) => ({ name, namespace: namespace ?? metadata.namespace! }));
  return omitUndefined<Holders>({
    users: nonEmpty(named('User')),
    groups: nonEmpty(named('Group')),
    serviceAccounts: nonEmpty(
      accounts.filter((one, i) => accounts.findIndex((other) => isEqual(one, other)) === i),
    ),
    bindingName: metadata.name === implied ? undefined : metadata.name,
  });
}
