import type { Bundle } from '../bundle/bundle.ts';
import { scopes, type RightsScope } from '@tenantry/kube/rights/groups';
import {
  Rights,
  type ObjectRight,
  type PathRight,
  type RightsRule,
} from '@tenantry/kube/rights/rights';
import { isMapping } from '@tenantry/kube/mapping';
import { builtinRules, readRole, readRules, text } from '@tenantry/kube/rights/rights';

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
interface BoundRole {
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
    const role = readRole(value['roleRef']);
    for (const subject of listSubjects(value['subjects'])) {
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
    roles.set(role, [...(roles.get(role) ?? []), ...readRules(value['rules'])]);
  }
  return roles;
}

function listSubjects(value: unknown): string[] {
  if (!Array.isArray(value)) return [];
  return value.filter(isMapping).map(({ kind, name }) => `${text(kind)} ${text(name)}`);
}

/** The rights that one side grants to a subject and the other does not. */
export interface RightsDifference {
  readonly subject: string;
  /** Each right is listed once, in the widest scope in which it is new. */
  readonly objects: readonly (ObjectRight & { readonly scope: RightsScope })[];
  readonly paths: readonly PathRight[];
  /** Roles that are bound only on this side, and that the bundle does not contain. */
  readonly roles: readonly BoundRole[];
  /** Whether the rules expand to more rights than are compared; the lists are empty in that case. */
  readonly isTooMany: boolean;
}

/**
 * Computes the rights that `after` grants and `before` does not, by subject, without subjects that gain nothing. A
 * right is in the result if and only if `after` allows a request that `before` refuses.
 * @param renamed subjects of `before`, with their names in `after`
 */
export function computeGainedRights(
  before: Bundle,
  after: Bundle,
  renamed: ReadonlyMap<string, string> = new Map(),
): RightsDifference[] {
  const olds = new Map(collectGrants(before).map((grant) => [grant.subject, grant]));
  return collectGrants(after)
    .map((grant) => gained(olds.get(renamed.get(grant.subject) ?? grant.subject), grant))
    .filter(({ objects, paths, roles, isTooMany }) => {
      return isTooMany || objects.length + paths.length + roles.length > 0;
    });
}

function gained(old: Grant | undefined, now: Grant): RightsDifference {
  const { subject } = now;
  const had = byScope(old);
  const has = byScope(now);
  const all = [...Object.values(had), ...Object.values(has)];
  const known = new Set((old?.roles ?? []).flatMap(listImpliedBindings));
  const roles = now.roles.filter((one) => !known.has(keyOf(one)));
  if ([now, ...(old ? [old] : []), ...all].some(({ isTooMany }) => isTooMany)) {
    return { subject, objects: [], paths: [], roles, isTooMany: true };
  }
  const objects = scopes.flatMap((scope, i) => {
    const wider = scopes.slice(0, i);
    return has[scope].objects().flatMap((right) => {
      const isGranted = scopes.slice(0, i + 1).some((one) => had[one].coversObject(right));
      const isReported = wider.some((one) => has[one].coversObject(right));
      return isGranted || isReported ? [] : [{ ...right, scope }];
    });
  });
  const paths = has.everywhere.paths().filter((path) => !had.everywhere.coversPath(path));
  return { subject, objects, paths, roles, isTooMany: false };
}

function byScope(grant: Grant | undefined): Readonly<Record<RightsScope, Rights>> {
  const { everywhere = [], watched = [], own = [] } = grant?.rules ?? {};
  return {
    everywhere: new Rights(everywhere),
    watched: new Rights(watched),
    own: new Rights(own),
  };
}

/** Lists the same binding in this scope and in every narrower one. */
function listImpliedBindings({ role, scope }: BoundRole): string[] {
  return scopes.slice(scopes.indexOf(scope)).map((narrower) => keyOf({ role, scope: narrower }));
}

function keyOf({ role, scope }: BoundRole): string {
  return `${scope} ${role}`;
}
