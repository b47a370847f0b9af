import { isMapping } from '@tenantry/kube/mapping';
import { builtinRules, roleOf, rulesOf, text, type RightsRule } from '@tenantry/kube/rights/rights';
import type { RightsScope } from '@tenantry/kube/rights/groups';
import type { Bundle } from '../bundle/bundle.ts';

/** The rights that a bundle grants to a subject. */
export interface Grant {
  /** The subject: `ServiceAccount redis-operator`, `Group system:authenticated`. */
  readonly subject: string;
  readonly rules: Readonly<Record<RightsScope, readonly RightsRule[]>>;
  /** Bound roles that the bundle does not contain, so their rules are unknown. */
  readonly roles: readonly BoundRole[];
  /** Whether there are more rules than are read. */
  readonly isTooMany: boolean;
}

/** A role that a binding refers to. */
export interface BoundRole {
  /** The kind and name: `ClusterRole system:auth-delegator`. */
  readonly role: string;
  readonly scope: RightsScope;
}

interface MutableGrant {
  readonly rules: Record<RightsScope, RightsRule[]>;
  readonly roles: BoundRole[];
  isTooMany: boolean;
}

/**
 * The maximum number of rules for all subjects together. In one megabyte, a binding of many subjects to a role with
 * many rules can expand to more than memory can hold.
 */
const MAX_RULES = 50_000;

const RBAC = 'rbac.authorization.k8s.io';

/**
 * Collects the grants of a bundle, sorted by subject: the permissions of its ClusterServiceVersion, and those of the
 * roles and bindings among its manifests.
 */
export function collectGrants(bundle: Bundle): Grant[] {
  const grants = new Map<string, MutableGrant>();
  const of = (subject: string): MutableGrant => {
    let grown = grants.get(subject);
    if (!grown) {
      const rules = { everywhere: [], watched: [], own: [] };
      grants.set(subject, (grown = { rules, roles: [], isTooMany: false }));
    }
    return grown;
  };
  let size = 0;
  const give = (subject: string, scope: RightsScope, rules: readonly RightsRule[]): void => {
    const grown = of(subject);
    size += rules.length;
    if (size > MAX_RULES) grown.isTooMany = true;
    else grown.rules[scope].push(...rules);
  };
  const { permissions = [], clusterPermissions = [] } = bundle.csv?.value.spec?.install?.spec ?? {};
  for (const { serviceAccountName = '', rules = [] } of permissions) {
    give(`ServiceAccount ${serviceAccountName}`, 'watched', rules);
  }
  for (const { serviceAccountName = '', rules = [] } of clusterPermissions) {
    give(`ServiceAccount ${serviceAccountName}`, 'everywhere', rules);
  }
  const roles = rolesIn(bundle);
  for (const { apiVersion, kind, value } of bundle.manifests) {
    const isBinding = kind === 'RoleBinding' || kind === 'ClusterRoleBinding';
    if (!isBinding || !apiVersion.startsWith(`${RBAC}/`)) continue;
    const scope = kind === 'RoleBinding' ? 'own' : 'everywhere';
    const role = roleOf(value['roleRef']);
    for (const subject of subjectsOf(value['subjects'])) {
      const rules = roles.get(role) ?? builtinRules(role);
      if (rules) give(subject, scope, rules);
      else of(subject).roles.push({ role, scope });
    }
  }
  return [...grants]
    .map(([subject, grown]) => ({ subject, ...grown }))
    .toSorted((a, b) => (a.subject < b.subject ? -1 : 1));
}

/** Returns the roles of the manifests with rules of their own, without aggregated roles. */
function rolesIn({ manifests }: Bundle): ReadonlyMap<string, readonly RightsRule[]> {
  const roles = new Map<string, readonly RightsRule[]>();
  for (const { apiVersion, kind, name, value } of manifests) {
    if (kind !== 'Role' && kind !== 'ClusterRole') continue;
    if (!apiVersion.startsWith(`${RBAC}/`) || isMapping(value['aggregationRule'])) continue;
    const role = `${kind} ${name}`;
    roles.set(role, [...(roles.get(role) ?? []), ...rulesOf(value['rules'])]);
  }
  return roles;
}

function subjectsOf(value: unknown): string[] {
  if (!Array.isArray(value)) return [];
  return value.filter(isMapping).map(({ kind, name }) => `${text(kind)} ${text(name)}`);
}
