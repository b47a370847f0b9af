import { formatCanonicalJson } from '@tenantry/kube/json';
import { TENANT_LABEL } from '@tenantry/kube/cascade-root';
import { formatRightsGroup, groupRights } from '@tenantry/kube/rights/groups';
import { explainEscalation } from '@tenantry/kube/rights/escalation';
import {
  MAX_RIGHTS,
  Rights,
  builtinRules,
  readRole,
  readRules,
  text,
  type RightsRule,
} from '@tenantry/kube/rights/rights';
import {
  definePlanRules,
  type PlanRule,
  type ReportChange,
  type ChangeLocation,
} from './change.ts';
import { findNamespaceChanges, type ClusterChange, RBAC_GROUP } from './cluster-changes.ts';
import { omitUndefined, isMapping } from '@tenantry/kube/mapping';
import { groupOf, type KubeObject } from '@tenantry/kube/object';

const rules = definePlanRules('access', {
  powerful: [
    'permission-powerful',
    'high',
    'a subject gains a right with which it can gain others: everything, Secrets, `escalate`, `bind`, `impersonate`, tokens, exec, admission, certificates',
  ],
  boundEverywhere: [
    'role-bound-everywhere',
    'high',
    'a subject is bound cluster-wide to a ClusterRole that the output does not define',
  ],
  tooMany: [
    'permission-count',
    'high',
    `the rules of a subject expand to more than ${MAX_RIGHTS.toLocaleString('en')} rights, and are not compared`,
  ],
  gained: ['permission-gained', 'medium', 'somebody may do more'],
  bound: [
    'role-bound',
    'medium',
    'a subject is bound to a role that the output does not define: the cluster decides what it allows',
  ],
  first: ['access-added', 'low', 'somebody has access to a namespace that is new'],
  lost: ['permission-lost', 'low', 'somebody may do less'],
  unbound: ['role-unbound', 'low', 'somebody is not bound to such a role any more'],
});

export const accessRules = Object.values(rules);

/** Reports which subjects gain or lose which verbs. A removed namespace reports no losses. */
export function judgeAccess(change: ClusterChange, report: ReportChange): void {
  const { added, removed } = findNamespaceChanges(change.pairs);
  const [old, now] = [grantsIn(change.before), grantsIn(change.after)];
  const tenants = listTenants(change);
  for (const key of new Set([...old.keys(), ...now.keys()])) {
    const [before, after] = [old.get(key), now.get(key)];
    const { subject, namespace } = (after ?? before)!;
    const everywhere = JSON.stringify([subject, '']);
    const where = buildLocation(change.cluster, namespace, tenants.get(namespace));
    if (after)
      compare(before, after, old.get(everywhere), (what) =>
        reportGained(what, { subject, where, isNew: added.has(namespace) }, report),
      );
    if (before && !removed.has(namespace)) {
      compare(after, before, now.get(everywhere), (what) =>
        reportLost(what, subject, where, report),
      );
    }
  }
}

/** The tenant of each Namespace. */
function listTenants({ before, after }: ClusterChange): ReadonlyMap<string, string | undefined> {
  const namespaces = [...before, ...after].filter(({ kind }) => kind === 'Namespace');
  return new Map(
    namespaces.map(({ metadata }) => [metadata.name, metadata.labels?.[TENANT_LABEL]]),
  );
}

function buildLocation(
  cluster: string,
  namespace: string,
  tenant: string | undefined,
): ChangeLocation {
  if (namespace === '') return { cluster };
  return omitUndefined({ cluster, namespace, tenant });
}

/** The permissions that one side grants and the other does not. */
interface Difference {
  readonly power: string | undefined;
  readonly rights: readonly string[];
  readonly roles: readonly string[];
  readonly isTooMany: boolean;
}

function compare(
  had: RenderedGrant | undefined,
  has: RenderedGrant,
  everywhere: RenderedGrant | undefined,
  say: (difference: Difference) => void,
): void {
  const [old, wide, now] = [had, everywhere, has].map((grant) => new Rights(grant?.rules ?? []));
  const roles = [...has.roles].filter(
    (role) => !had?.roles.has(role) && !everywhere?.roles.has(role),
  );
  const none = { power: undefined, rights: [], roles: [], isTooMany: false };
  if (roles.length > 0) say({ ...none, roles });
  if (old!.isTooMany || wide!.isTooMany || now!.isTooMany) {
    if (formatCanonicalJson(had?.rules) !== formatCanonicalJson(has.rules))
      say({ ...none, isTooMany: true });
    return;
  }
  const more = now!
    .objects()
    .filter((right) => !old!.coversObject(right) && !wide!.coversObject(right))
    .map((right) => ({ ...right, scope: 'own' as const }));
  for (const [power, rights] of Map.groupBy(more, explainEscalation)) {
    say({ ...none, power, rights: groupRights(rights).map(formatRightsGroup) });
  }
  const paths = now!.paths().filter((path) => !old!.coversPath(path) && !wide!.coversPath(path));
  const words = paths.map(
    ({ verb, path }) => `${verb === '*' ? 'do anything with' : verb} the path ${path}`,
  );
  if (words.length > 0) say({ ...none, rights: words });
}

interface SubjectContext {
  readonly subject: string;
  readonly where: ChangeLocation;
  /** Whether the change creates the namespace. */
  readonly isNew: boolean;
}

function reportGained(
  what: Difference,
  { subject, where, isNew }: SubjectContext,
  report: ReportChange,
): void {
  const { power, rights, roles, isTooMany } = what;
  if (isTooMany) report(rules.tooMany, subject, 'has too many rights to be compared', where);
  const ordinary = isNew ? rules.first : rules.gained;
  const rule: PlanRule = power === undefined ? ordinary : rules.powerful;
  const why = power === undefined ? '' : `: ${power}`;
  for (const right of rights) report(rule, subject, `may ${right}${why}`, where);
  const bound = isNew ? rules.first : rules.bound;
  for (const role of roles) {
    const given = where.namespace === undefined ? rules.boundEverywhere : bound;
    report(given, subject, `is bound to ${role}`, where);
  }
}

function reportLost(
  { rights, roles }: Difference,
  subject: string,
  where: ChangeLocation,
  report: ReportChange,
): void {
  for (const right of rights) report(rules.lost, subject, `may no longer ${right}`, where);
  for (const role of roles) report(rules.unbound, subject, `is no longer bound to ${role}`, where);
}

/** The permissions of a subject in a namespace, or in the whole cluster. */
interface RenderedGrant {
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
function grantsIn(objects: readonly KubeObject[]): ReadonlyMap<string, RenderedGrant> {
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
