import { formatCanonicalJson } from '@tenantry/kube/json';
import { TENANT_LABEL } from '@tenantry/kube/cascade-root';
import { omitUndefined } from '@tenantry/kube/mapping';
import { groupOf, type KubeObject } from '@tenantry/kube/object';
import { formatRightsGroup, groupRights, type RightsGroup } from '@tenantry/kube/rights/groups';
import { explainEscalation } from '@tenantry/kube/rights/escalation';
import {
  MAX_RIGHTS,
  Rights,
  type ObjectRight,
  type RightsRule,
} from '@tenantry/kube/rights/rights';
import {
  definePlanRules,
  type PlanRule,
  type ReportChange,
  type ChangeLocation,
} from './change.ts';
import {
  findNamespaceChanges,
  RBAC_GROUP,
  type ClusterChange,
  type Pair,
} from './cluster-changes.ts';
import { collectGrants, listKnownRules, type RenderedGrant } from './grants.ts';

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

/** Reports which subjects gain or lose which verbs by the changed roles and bindings. */
export function judgeAccess(change: ClusterChange, report: ReportChange): void {
  const isTouched = createFilter(change.pairs);
  const [before, after] = [change.before, change.after].map((objects) =>
    objects.filter(isTouched),
  ) as [KubeObject[], KubeObject[]];
  compareAccess({ ...change, before, after }, report);
}

/**
 * Reports which subjects gain or lose which verbs, by all objects of both sides. A removed namespace reports no losses.
 */
export function compareAccess(change: ClusterChange, report: ReportChange): void {
  const { added, removed } = findNamespaceChanges(change.pairs);
  const [old, now] = [collectGrants(change.before), collectGrants(change.after)];
  const tenants = listTenants(change);
  for (const key of new Set([...old.keys(), ...now.keys()])) {
    const [before, after] = [old.get(key), now.get(key)];
    const { subject, namespace } = (after ?? before)!;
    const everywhere = JSON.stringify([subject, '']);
    const where = buildLocation(change.cluster, namespace, tenants.get(namespace));
    // Named subjects are compared themselves.
    if (after && !after.isNamed)
      compare(before, after, old.get(everywhere), (what) =>
        reportGained(what, { subject, where, isNew: added.has(namespace) }, report),
      );
    if (before && !before.isNamed && !removed.has(namespace)) {
      compare(after, before, now.get(everywhere), (what) =>
        reportLost(what, subject, where, report),
      );
    }
  }
}

/** Returns whether an object takes part in the access that a change is about. A ClusterRole takes part everywhere. */
function createFilter(pairs: readonly Pair[]): (object: KubeObject) => boolean {
  const found = pairs.filter(
    ({ before, after }) => groupOf((after ?? before)!.object.apiVersion) === RBAC_GROUP,
  );
  const namespaces = new Set(found.map(({ where }) => where.namespace ?? ''));
  if (namespaces.has('')) return () => true;
  return ({ metadata: { namespace = '' } }) =>
    namespaces.size > 0 && (namespace === '' || namespaces.has(namespace));
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

/** Rights as one text: `get pods`. A right to a path is no right to objects. */
interface RightsText {
  readonly text: string;
  readonly objects: readonly ObjectRight[];
}

function describe(rights: RightsGroup): RightsText {
  const { group, resources, verbs, names = [undefined] } = rights;
  const objects = verbs.flatMap((verb) =>
    resources.flatMap((resource) =>
      names.map((name) => omitUndefined<ObjectRight>({ verb, group, resource, name })),
    ),
  );
  return { text: formatRightsGroup(rights), objects };
}

/** The permissions that one side grants and the other does not. */
interface Difference {
  /** What the rights give power over. */
  readonly power?: string | undefined;
  readonly rights?: readonly RightsText[];
  /** Roles with unknown rules. */
  readonly roles?: readonly string[];
  /** A role with known rules, of which some are not granted by the other side. */
  readonly knownRole?: string;
  readonly isTooMany?: boolean;
}

function compare(
  had: RenderedGrant | undefined,
  has: RenderedGrant,
  everywhere: RenderedGrant | undefined,
  say: (difference: Difference) => void,
): void {
  const [old, wide] = [had, everywhere].map((grant) => new Rights(listAllRules(grant)));
  const now = new Rights(has.rules);
  const isCovered = (right: ObjectRight): boolean =>
    old!.coversObject(right) || wide!.coversObject(right);
  const roles = [...has.roles].filter(
    (role) => !had?.roles.has(role) && !everywhere?.roles.has(role),
  );
  const [known, unknown] = [true, false].map((isKnown) =>
    roles.filter((role) => (listKnownRules(role) !== undefined) === isKnown),
  );
  if (unknown!.length > 0) say({ roles: unknown! });
  if (old!.isTooMany || wide!.isTooMany || now.isTooMany) {
    if (known!.length > 0) say({ roles: known! });
    if (formatCanonicalJson(had?.rules) !== formatCanonicalJson(has.rules))
      say({ isTooMany: true });
    return;
  }
  for (const role of known!) {
    const more = new Rights(listKnownRules(role)!).objects().filter((right) => !isCovered(right));
    if (more.length > 0) say({ knownRole: role, power: explainPower(more) });
  }
  const more = now
    .objects()
    .filter((right) => !isCovered(right))
    .map((right) => ({ ...right, scope: 'own' as const }));
  for (const [power, rights] of Map.groupBy(more, explainEscalation)) {
    say({ power, rights: groupRights(rights).map((group) => describe(group)) });
  }
  const paths = now.paths().filter((path) => !old!.coversPath(path) && !wide!.coversPath(path));
  const words = paths.map(
    ({ verb, path }) => `${verb === '*' ? 'do anything with' : verb} the path ${path}`,
  );
  if (words.length > 0) say({ rights: words.map((text) => ({ text, objects: [] })) });
}

function listAllRules(grant: RenderedGrant | undefined): readonly RightsRule[] {
  if (!grant) return [];
  return [...grant.rules, ...[...grant.roles].flatMap((role) => listKnownRules(role) ?? [])];
}

/** Returns what rights give power over; undefined if it is nothing. */
function explainPower(rights: readonly ObjectRight[]): string | undefined {
  const powers = new Set(rights.flatMap((right) => explainEscalation(right) ?? []));
  return powers.size === 0 ? undefined : [...powers].join('; ');
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
  const { power, rights = [], roles = [], knownRole, isTooMany } = what;
  const grant = (objects: readonly ObjectRight[], ...bound: string[]) =>
    ({ kind: 'grant', subject, rights: objects, roles: bound }) as const;
  if (isTooMany) report(rules.tooMany, subject, 'has too many rights to be compared', where);
  const ordinary = isNew ? rules.first : rules.gained;
  const rule: PlanRule = power === undefined ? ordinary : rules.powerful;
  const why = power === undefined ? '' : `: ${power}`;
  for (const { text, objects } of rights)
    report(rule, subject, `may ${text}${why}`, where, grant(objects));
  const bound = isNew ? rules.first : rules.bound;
  for (const role of roles) {
    const given = where.namespace === undefined ? rules.boundEverywhere : bound;
    report(given, subject, `is bound to ${role}`, where, grant([], role));
  }
  if (knownRole === undefined) return;
  const message = `is bound to ${knownRole}`;
  const detail = grant([], knownRole);
  if (where.namespace === undefined) report(rules.boundEverywhere, subject, message, where, detail);
  // In a new namespace there is nothing of others yet.
  else if (isNew || power === undefined) report(bound, subject, message, where, detail);
  else report(rules.powerful, subject, `${message}: ${power}`, where, detail);
}

function reportLost(
  { rights = [], roles = [], knownRole }: Difference,
  subject: string,
  where: ChangeLocation,
  report: ReportChange,
): void {
  for (const { text } of rights) report(rules.lost, subject, `may no longer ${text}`, where);
  const unbound = knownRole === undefined ? roles : [...roles, knownRole];
  for (const role of unbound)
    report(rules.unbound, subject, `is no longer bound to ${role}`, where);
}
