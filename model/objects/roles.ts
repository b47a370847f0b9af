import type { KubeObject } from '@tenantry/kube/object';
import { resolveBindingName, RBAC_GROUP, buildSubjects, type Grant } from '../layers/grants.ts';
import type { MetadataFactory } from './metadata.ts';
import type { ResolvedNamespace } from '../layers/resolved.ts';

/** Builds the Roles, one for each name; the rules ensure that two Roles with one name are equal. */
export function buildRoles(
  { settings }: ResolvedNamespace,
  metadata: MetadataFactory,
): KubeObject[] {
  const roles = new Map(settings.roles.map((role) => [role.name, role]));
  return [...roles.values()].map(({ name, rules }) => ({
    apiVersion: `${RBAC_GROUP}/v1`,
    kind: 'Role',
    metadata: metadata(name),
    rules,
  }));
}

/**
 * Builds the RoleBindings, one for each role and binding name, with all of its subjects. Without subjects there is no
 * binding: the lifecycle revokes people's access by leaving the object out.
 */
export function buildRoleBindings(
  { settings, lifecycle }: ResolvedNamespace,
  metadata: MetadataFactory,
): KubeObject[] {
  if (lifecycle === 'Retired') return [];
  const bindings = new Map<string, { grant: Grant; subjects: Map<string, object> }>();
  for (const grant of settings.grants) {
    const name = resolveBindingName(grant);
    const key = `${name} ${grant.role.kind} ${grant.role.name}`;
    const binding = bindings.get(key) ?? { grant, subjects: new Map() };
    bindings.set(key, binding);
    for (const [id, subject] of buildSubjects(grant, lifecycle)) {
      binding.subjects.set(id, subject);
    }
  }
  return [...bindings.values()]
    .filter(({ subjects }) => subjects.size > 0)
    .map(({ grant, subjects }) => ({
      apiVersion: `${RBAC_GROUP}/v1`,
      kind: 'RoleBinding',
      metadata: metadata(resolveBindingName(grant)),
      roleRef: { apiGroup: RBAC_GROUP, ...grant.role },
      subjects: [...subjects.keys()].toSorted().map((id) => subjects.get(id)),
    }));
}
