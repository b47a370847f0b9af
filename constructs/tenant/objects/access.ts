import type { KubeObject } from '../../../crds/object.ts';
import type { Lifecycle } from '../../../crds/tenantry/settings.ts';
import type { Grant } from '../grants.ts';
import type { Metadata } from './metadata.ts';
import type { ResolvedNamespace } from '../resolved.ts';

const GROUP = 'rbac.authorization.k8s.io';

/** The Roles, one a name; that two with one name are the same is for the rules to say. */
export function roleObjects({ settings }: ResolvedNamespace, metadata: Metadata): KubeObject[] {
  const roles = new Map(settings.roles.map((role) => [role.name, role]));
  return [...roles.values()].map(({ name, rules }) => ({
    apiVersion: `${GROUP}/v1`,
    kind: 'Role',
    metadata: metadata(name),
    rules,
  }));
}

/** The name of a binding that is not given one: it holds the role, because roleRef is immutable. */
export function defaultBindingName({ kind, name }: Grant['role']): string {
  return `tenant-${kind.toLowerCase()}-${name}`;
}

/**
 * The RoleBindings: one a role and binding name, with all its subjects. Where nobody is left there
 * is no binding: the lifecycle takes people's access away by leaving the object out.
 */
export function roleBindingObjects(
  { settings, lifecycle }: ResolvedNamespace,
  metadata: Metadata,
): KubeObject[] {
  if (lifecycle === 'Retired') return [];
  const bindings = new Map<string, { grant: Grant; subjects: Map<string, object> }>();
  for (const grant of settings.grants) {
    const name = grant.bindingName ?? defaultBindingName(grant.role);
    const key = `${name} ${grant.role.kind} ${grant.role.name}`;
    const binding = bindings.get(key) ?? { grant, subjects: new Map() };
    bindings.set(key, binding);
    for (const [id, subject] of subjectsOf(grant, lifecycle)) {
      binding.subjects.set(id, subject);
    }
  }
  return [...bindings.values()]
    .filter(({ subjects }) => subjects.size > 0)
    .map(({ grant, subjects }) => ({
      apiVersion: `${GROUP}/v1`,
      kind: 'RoleBinding',
      metadata: metadata(grant.bindingName ?? defaultBindingName(grant.role)),
      roleRef: { apiGroup: GROUP, ...grant.role },
      subjects: [...subjects.keys()].toSorted().map((id) => subjects.get(id)),
    }));
}

/** Subjects by an identity of kind, namespace and name: two accounts of one name stay two. */
export function subjectsOf(
  { holders, byTenant }: Pick<Grant, 'holders' | 'byTenant'>,
  lifecycle: Lifecycle,
): [string, object][] {
  const people = (kind: 'User' | 'Group', names: readonly string[] = []): [string, object][] =>
    names.map((name) => [`${kind} ${name}`, { apiGroup: GROUP, kind, name }]);
  return [
    ...(lifecycle === 'Active' || !byTenant
      ? [...people('User', holders.users), ...people('Group', holders.groups)]
      : []),
    ...(holders.serviceAccounts ?? []).map(({ name, namespace }): [string, object] => [
      `ServiceAccount ${namespace}/${name}`,
      { kind: 'ServiceAccount', name, namespace },
    ]),
  ];
}
