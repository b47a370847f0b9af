import { levels, listRules } from '@tenantry/kube/cluster-roles';
import { isMapping } from '@tenantry/kube/mapping';
import { groupOf, type KubeObject } from '@tenantry/kube/object';
import {
  builtinRules,
  readRole,
  readRules,
  text,
  type RightsRule,
} from '@tenantry/kube/rights/rights';
import { RBAC_GROUP } from './cluster-changes.ts';

/** The permissions of a subject in a namespace, or in the whole cluster. */
export interface RenderedGrant {
  /** `Group payments`, `ServiceAccount shop/deployer`, `subjects of ClusterRole edit`. */
  readonly subject: string;
  /** Empty for the whole cluster. */
  readonly namespace: string;
  readonly rules: readonly RightsRule[];
  /** Bound roles that are not among the objects. */
  readonly roles: ReadonlySet<string>;
  /** For the subjects of a role: whether bindings among the objects name all of them. Default: false */
  readonly isNamed?: boolean;
}

interface MutableGrant extends RenderedGrant {
  readonly rules: RightsRule[];
  readonly roles: Set<string>;
  isNamed?: boolean;
}

/**
 * Returns the rules of a role that every cluster has: cluster-admin and Kubernetes' roles for people. Undefined for all
 * others, and for those that the objects define themselves.
 */
export function listKnownRules(role: string): readonly RightsRule[] | undefined {
  const level = levels.find((one) => role === `ClusterRole ${one}`);
  return level ? listRules(level) : builtinRules(role);
}

const AGGREGATE = `${RBAC_GROUP}/aggregate-to-`;

/**
 * Returns the permissions from roles and bindings by subject and namespace. Each role, and each that others are
 * aggregated into, has "subjects of" the role as a further subject.
 */
export function collectGrants(objects: readonly KubeObject[]): ReadonlyMap<string, RenderedGrant> {
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
    const role = readRole(object['roleRef']);
    const key = role.startsWith('Role ') ? `${role} in ${namespace}` : role;
    bound.add(key);
    const rules = roles.get(key)?.rules ?? builtinRules(role);
    for (const subject of listSubjects(object['subjects'])) {
      const grown = of(subject, namespace);
      if (rules) grown.rules.push(...rules);
      else grown.roles.add(role);
    }
  }
  for (const [key, { rules, namespace, aggregatedTo }] of roles) {
    const grown = of(`subjects of ${key}`, namespace);
    grown.rules.push(...rules);
    if (bound.has(key)) grown.isNamed = true;
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
    const rules = readRules(object['rules']);
    roles.set(`${kind} ${metadata.name}${suffix}`, { rules, namespace, aggregatedTo });
  }
  return roles;
}

function listSubjects(value: unknown): string[] {
  if (!Array.isArray(value)) return [];
  return value.filter(isMapping).map(({ kind, name, namespace }) => {
    const full = kind === 'ServiceAccount' ? `${text(namespace)}/${text(name)}` : text(name);
    return `${text(kind)} ${full}`;
  });
}
