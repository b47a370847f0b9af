import { isMapping } from '../../kube/mapping.ts';
import type { Bundle } from '../bundle/bundle.ts';
import type { RightsRule } from './right.ts';
import { builtinRules, roleOf, rulesOf, text } from './roles.ts';

/**
 * Where rights hold. `everywhere`: by a ClusterRoleBinding. `watched`: in the namespaces that the
 * OperatorGroup selects, and the operator's own. `own`: in the namespace in which the operator is.
 */
export type RightsScope = 'everywhere' | 'watched' | 'own';

/** From the widest on. */
export const scopes: readonly RightsScope[] = ['everywhere', 'watched', 'own'];

/** What a bundle gives somebody. */
export interface Grant {
  /** `ServiceAccount redis-operator`, `Group system:authenticated`. */
  readonly subject: string;
  readonly rules: Readonly<Record<RightsScope, readonly RightsRule[]>>;
  /** Roles that are bound and that the bundle does not have: what they allow is not known. */
  readonly roles: readonly BoundRole[];
  /** There are more rules than are read. */
  readonly isTooMany: boolean;
}

/** A role that a binding names. */
export interface BoundRole {
  /** `ClusterRole system:auth-delegator`. */
  readonly role: string;
  readonly scope: RightsScope;
}

interface MutableGrant {
  readonly rules: Record<RightsScope, RightsRule[]>;
  readonly roles: BoundRole[];
  isTooMany: boolean;
}

/**
 * How many rules are read for all subjects together: a binding of many subjects to a role of many rules says more in
 * a megabyte than fits into a memory.
 */
const MOST_RULES = 50_000;

const RBAC = 'rbac.authorization.k8s.io';

/**
 * What a bundle gives to whom, sorted by whom: the permissions of its ClusterServiceVersion, and what
 * roles and bindings among its manifests add.
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
    if (size > MOST_RULES) grown.isTooMany = true;
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

/** The roles of the manifests whose rules are their own, and not gathered from others. */
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
