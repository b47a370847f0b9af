import { entryOf } from '@tenantry/kube/mapping';
import { explainFieldSelectorVerbs, explainIneffectiveVerbs } from '@tenantry/kube/access';
import { readVerbs, allows, objectVerbs, type Level } from '@tenantry/kube/cluster-roles';
import { builtinGroups, builtinResources } from '@tenantry/kube/builtin-kinds';
import { didYouMean, formatList, findNearest, show, type Path } from '@tenantry/kube/problem';
import type { PolicyRule } from '../../crds/access.ts';
import type { Ceilings } from '../../crds/tenant-class.ts';
import type { TenantClassDeclaration } from '../declaration.ts';
import { findHighestBindableRole } from '../classes/allowances.ts';
import type { RuleContext, RuleReporter, TenantReporter } from './context.ts';
import { defineNamespaceCheck } from './check.ts';

/**
 * Validates the Roles of a namespace: Roles of one name have the same rules, and a Role that a tenant writes itself
 * allows no more than the class does. Argo CD applies them with rights that pass the API server's own escalation check,
 * so this is the only check.
 * Source: https://kubernetes.io/docs/concepts/security/rbac-good-practices/#kubernetes-rbac-privilege-escalation-risks
 */
export const roles = defineNamespaceCheck(
  ['role-conflict', 'escalation', 'resource-names', 'ceiling-roles', 'unknown-resource'],
  checkRoles,
);

type RoleRule = 'escalation' | 'resource-names' | 'ceiling-roles' | 'unknown-resource';

function checkRoles(
  { namespace, tenant }: RuleContext,
  report: TenantReporter<RoleRule | 'role-conflict'>,
): void {
  const ceiling = resolveRoleCeiling(tenant.klass);
  const rulesOf = new Map<string, string>();
  for (const role of namespace.settings.roles) {
    const rules = JSON.stringify(role.rules);
    if ((rulesOf.get(role.name) ?? rules) !== rules) {
      report(
        role.path,
        `must have the rules that role ${show(role.name)} has elsewhere in namespace ${namespace.name}, got others`,
        'role-conflict',
      );
    }
    rulesOf.set(role.name, rules);
    if (role.preset) continue;
    for (const [i, rule] of role.rules.entries()) {
      checkRule(rule, [...role.path, 'rules', i], ceiling, report);
    }
  }
}

/** One resource of one group, from a rule that may name many of each. */
interface Permission {
  readonly group: string;
  readonly resource: string;
  readonly verbs: readonly string[];
}

function checkRule(
  rule: PolicyRule,
  path: Path,
  ceiling: RoleCeiling,
  report: TenantReporter<RoleRule>,
): void {
  for (const verb of rule.verbs.filter((one) => escalatingVerbs.has(one))) {
    report(
      [...path, 'verbs'],
      `must not hold ${verb}: it leads to rights beyond the role`,
      'escalation',
    );
  }
  checkResourceNames(rule, path, report);
  const [platforms, others] = partition(listPermissions(rule), writesPlatformResource);
  for (const { resource } of platforms) {
    report(
      [...path, 'resources'],
      `must not write ${resource}, which belong to the platform, got verbs ${rule.verbs.join(', ')}`,
      'escalation',
    );
  }
  const beyond = others.flatMap(({ group, resource, verbs }): Permission[] => {
    const uncovered = verbs.filter((verb) => !ceiling.covers(group, resource, verb));
    return uncovered.length > 0 ? [{ group, resource, verbs: uncovered }] : [];
  });
  if (beyond.length > 0) {
    const meant = new Set(beyond.map((right) => suggestResource(rule, right.resource)));
    report(
      path,
      `must be ${ceiling.words}, got ${formatPermissions(beyond)}${[...meant].join('')}`,
      'ceiling-roles',
    );
  }
  const refused = new Set(beyond.map(({ resource }) => resource));
  for (const resource of rule.resources.filter((one) => isUnknownResource(rule, one))) {
    if (refused.has(resource)) continue;
    report(
      [...path, 'resources'],
      `must be a resource of ${rule.apiGroups.map((group) => group || 'the core group').join(', ')} to allow anything, got ${show(resource)}${suggestResource(rule, resource)}`,
      'unknown-resource',
    );
  }
}

/** Reports verbs that the names of a rule make void, or bind to a field selector. */
export function checkResourceNames(
  rule: PolicyRule,
  path: Path,
  report: RuleReporter<'resource-names'>,
): void {
  for (const message of [...explainIneffectiveVerbs(rule), ...explainFieldSelectorVerbs(rule)]) {
    report([...path, 'resourceNames'], message, 'resource-names');
  }
}

/** Verbs that lead beyond the role for any resource. No role may have them, so each is reported once. */
const escalatingVerbs: ReadonlySet<string> = new Set(['bind', 'escalate', 'impersonate']);

/**
 * Lists the permissions of a rule. Rules are products (`'', apps` times `pods, deployments`). A group of Kubernetes
 * that lacks a resource adds nothing if another group of the rule may have it.
 */
function listPermissions(rule: PolicyRule): Permission[] {
  const verbs = rule.verbs.filter((verb) => !escalatingVerbs.has(verb));
  return rule.resources.flatMap((resource) => {
    const groups = isUnknownResource(rule, resource)
      ? rule.apiGroups
      : rule.apiGroups.filter((group) => servesResource(group, resource));
    return groups.map((group) => ({ group, resource, verbs }));
  });
}

const parsePlural = (resource: string): string => resource.split('/')[0]!;

function servesResource(group: string, resource: string): boolean {
  return builtinResources(group)?.has(parsePlural(resource)) ?? true;
}

/** Whether no group of the rule has a resource: RBAC accepts such a rule, and it never allows anything. */
function isUnknownResource({ apiGroups }: PolicyRule, resource: string): boolean {
  return !apiGroups.some((group) => servesResource(group, resource));
}

/** The group that Deployments and Ingresses were in until Kubernetes 1.22. */
const REMOVED_GROUP = 'extensions';

/** Formats the end of the message about a resource that no group of the rule has: its group, or a similar name. */
function suggestResource(rule: PolicyRule, resource: string): string {
  if (!isUnknownResource(rule, resource)) return '';
  const plural = parsePlural(resource);
  const elsewhere = formatGroups(plural);
  if (elsewhere !== '') return `; ${plural} are in ${elsewhere}`;
  const known = rule.apiGroups.flatMap((group) => [...(builtinResources(group) ?? [])]);
  const nearest = findNearest(plural, known);
  if (nearest !== undefined) return didYouMean(nearest);
  const everywhere = builtinGroups().flatMap((group) => [...builtinResources(group)!]);
  const meant = findNearest(plural, everywhere);
  return meant === undefined ? '' : `; did you mean ${show(meant)}, in ${formatGroups(meant)}?`;
}

/** Formats the groups of Kubernetes that have a resource; empty if none has. */
function formatGroups(plural: string): string {
  return builtinGroups()
    .filter((group) => group !== REMOVED_GROUP && builtinResources(group)!.has(plural))
    .map((group) => (group === '' ? "the core group, ''" : `API group ${group}`))
    .join(' or ');
}

/** Resources that nobody may write from inside a tenant, whatever the class allows; by group. */
const platformResources: Readonly<Record<string, readonly string[]>> = {
  '': ['namespaces', 'resourcequotas', 'limitranges', 'nodes', 'persistentvolumes'],
  'admissionregistration.k8s.io': [
    'mutatingwebhookconfigurations',
    'validatingwebhookconfigurations',
    'validatingadmissionpolicies',
    'validatingadmissionpolicybindings',
    'mutatingadmissionpolicies',
    'mutatingadmissionpolicybindings',
  ],
  'certificates.k8s.io': ['certificatesigningrequests'],
  'tenantry.dev': ['tenants', 'tenantclasses'],
  // Applications act with the rights of Argo CD.
  'argoproj.io': ['applications', 'applicationsets', 'appprojects'],
};

function writesPlatformResource({ group, resource, verbs }: Permission): boolean {
  const plurals = entryOf(platformResources, group) ?? [];
  return plurals.includes(parsePlural(resource)) && verbs.some((verb) => !readVerbs.has(verb));
}

/** Formats permissions: `create, patch on pods/status, endpointslices.discovery.k8s.io`. */
function formatPermissions(rights: readonly Permission[]): string {
  return [...Map.groupBy(rights, ({ verbs }) => verbs.join(', '))]
    .map(([verbs, of]) => `${verbs} on ${formatList(of.map(formatResource))}`)
    .join('; ');
}

const formatResource = ({ group, resource }: Permission): string => {
  const [plural, ...rest] = resource.split('/');
  return [group === '' ? plural : `${plural}.${group}`, ...rest].join('/');
};

function partition<T>(list: readonly T[], which: (item: T) => boolean): [T[], T[]] {
  return [list.filter(which), list.filter((item) => !which(item))];
}

/** The most that a Role which a tenant writes itself may allow. */
interface RoleCeiling {
  covers(group: string, resource: string, verb: string): boolean;
  /** The description for messages: `must be <words>`. */
  readonly words: string;
}

type CeilingRule = NonNullable<Ceilings['roles']>[number];

/**
 * Resolves the ceiling of a class. Without one, a tenant's own Role may allow what the ClusterRoles allow that the
 * tenant may bind anyway, as far as Kubernetes defines them. That is `admin`; if the class puts its own roles behind
 * admins and editors, it is what remains.
 */
function resolveRoleCeiling({ name, spec }: TenantClassDeclaration): RoleCeiling {
  const rules = spec.ceilings?.roles;
  if (rules) {
    return {
      covers: (...asked) => rules.some((rule) => ruleCovers(rule, ...asked)),
      words: `within ceilings.roles of class ${name}`,
    };
  }
  const highest = findHighestBindableRole(spec);
  return {
    covers: (...asked) => highest !== undefined && allows(highest, ...asked),
    words: highest
      ? `within what Kubernetes' ClusterRole ${highest} allows, since class ${name} has no ceilings.roles`
      : `a preset, since class ${name} has no ceilings.roles and none of Kubernetes' ClusterRoles`,
  };
}

/**
 * Whether one rule of a ceiling covers a permission. Whatever the rule names is covered. A wildcard covers only
 * ordinary permissions. It never covers those that Kubernetes keeps out of its own roles, nor those that look like
 * reading and are more (Secrets, `pods/exec`, `services/proxy`).
 */
function ruleCovers(rule: CeilingRule, group: string, resource: string, verb: string): boolean {
  const { clusterRole, apiGroups = [], resources = [], verbs = [] } = rule;
  if (clusterRole) return allows(clusterRole, group, resource, verb);
  const groupNamed = apiGroups.includes(group);
  if (!groupNamed && !apiGroups.includes('*')) return false;
  if (!verbs.includes(verb) && !(verbs.includes('*') && objectVerbs.has(verb))) return false;
  if (!groupNamed && builtinResources(group) === undefined && !isPlainRead(resource, verb))
    return false;
  if (resources.includes(resource)) return true;
  const subresource = parseSubresource(resource);
  if (subresource !== undefined && resources.includes(`*/${subresource}`)) {
    return builtinResources(group) === undefined || allows('admin', group, resource, verb);
  }
  return resources.includes('*') && isOrdinaryAccess(group, resource, verb);
}

/** Whether a `*` in the resources of a ceiling covers a permission. */
function isOrdinaryAccess(group: string, resource: string, verb: string): boolean {
  const main = parseSubresource(resource) === undefined;
  if (builtinResources(group) === undefined) return main || isPlainRead(resource, verb);
  const level: Level = main && resource !== 'secrets' ? 'admin' : 'view';
  return allows(level, group, resource, verb);
}

/** Subresources that only show something, for any kind; reading another subresource may open a connection. */
const readableSubresources: ReadonlySet<string | undefined> = new Set([
  undefined,
  'status',
  'scale',
  'log',
]);

const isPlainRead = (resource: string, verb: string): boolean =>
  readVerbs.has(verb) && readableSubresources.has(parseSubresource(resource));

function parseSubresource(resource: string): string | undefined {
  const slash = resource.indexOf('/');
  return slash < 0 ? undefined : resource.slice(slash + 1);
}
