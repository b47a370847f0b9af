import { isMapping } from '../../kube/mapping.ts';
import { groupOf, type KubeObject } from '../../kube/object.ts';
import type { RightsRule } from '../../olm/permissions/rights.ts';
import { builtinRules, roleOf, rulesOf, text } from '../../olm/permissions/grants.ts';
import { RBAC_GROUP } from './kinds.ts';

/** The permissions of a subject in a namespace, or in the whole cluster. */
export interface RenderedGrant {
  /** `Group payments`, `ServiceAccount shop/deployer`, `subjects of ClusterRole edit`. */
  readonly subject: string;
  /** Empty for the whole cluster. */
  readonly namespace: string;
  readonly rules: readonly RightsRule[];
  /** Bound roles that are not among the objects, so that their rules are unknown. */
  readonly roles: ReadonlySet<string>;
}

interface MutableGrant extends RenderedGrant {
  readonly rules: RightsRule[];
  readonly roles: Set<string>;
}

const AGGREGATE = `${RBAC_GROUP}/aggregate-to-`;

/**
 * Returns the permissions from roles and bindings by subject and namespace. A role without a
 * binding among the objects, or one that is aggregated into others, has "subjects of" the role as
 * its subject.
 */
export function grantsIn(objects: readonly KubeObject[]): ReadonlyMap<string, RenderedGrant> {
  const grants = new Map<string, MutableGrant>();
  const of = (subject: string, namespace: string): MutableGrant => {
    const key = JSON.stringify([subject, namespace]);
    const known = grants.get(key) ?? { subject, namespace, rules: [], roles: new Set<string>() };
    grants.set(key, known);
    return known;
  };
  const rbac = objects.filter(({ apiVersion }) => groupOf(apiVersion) === RBAC_GROUP);
  const roles = rolesIn(rbac);
  const bound = new Set<string>();
  for (const object of rbac) {
    if (object.kind !== 'RoleBinding' && object.kind !== 'ClusterRoleBinding') continue;
    const namespace = object.kind === 'RoleBinding' ? (object.metadata.namespace ?? '') : '';
    const role = roleOf(object['roleRef']);
    const key = role.startsWith('Role ') ? `${role} in ${namespace}` : role;
    bound.add(key);
    const rules = roles.get(key)?.rules ?? builtinRules(role);
    for (const subject of subjectsOf(object['subjects'])) {
      const grown = of(subject, namespace);
      if (rules) grown.rules.push(...rules);
      else grown.roles.add(role);
    }
  }
  for (const [key, { rules, namespace, aggregatedTo }] of roles) {
    if (!bound.has(key)) of(`subjects of ${key}`, namespace).rules.push(...rules);
    for (const one of aggregatedTo) {
      of(`subjects of ClusterRole ${one}`, '').rules.push(...rules);
    }
  }
  return grants;
}

interface Role {
  readonly rules: readonly RightsRule[];
  readonly namespace: string;
  readonly aggregatedTo: readonly string[];
}

/** Returns the roles with rules of their own, not aggregated from others. */
function rolesIn(objects: readonly KubeObject[]): ReadonlyMap<string, Role> {
  const roles = new Map<string, Role>();
  for (const object of objects) {
    const { kind, metadata } = object;
    if (kind !== 'Role' && kind !== 'ClusterRole') continue;
    if (isMapping(object['aggregationRule'])) continue;
    const namespace = kind === 'Role' ? (metadata.namespace ?? '') : '';
    const suffix = kind === 'Role' ? ` in ${namespace}` : '';
    const aggregatedTo = Object.entries(metadata.labels ?? {}).flatMap(([label, value]) =>
      label.startsWith(AGGREGATE) && value === 'true' ? [label.slice(AGGREGATE.length)] : [],
    );
    const rules = rulesOf(object['rules']);
    roles.set(`${kind} ${metadata.name}${suffix}`, { rules, namespace, aggregatedTo });
  }
  return roles;
}

function subjectsOf(value: unknown): string[] {
  if (!Array.isArray(value)) return [];
  return value.filter(isMapping).map(({ kind, name, namespace }) => {
    const full = kind === 'ServiceAccount' ? `${text(namespace)}/${text(name)}` : text(name);
    return `${text(kind)} ${full}`;
  });
}
