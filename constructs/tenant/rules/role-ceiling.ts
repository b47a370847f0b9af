import { allows, objectVerbs, readVerbs, type Level } from '../../../kube/cluster-roles.ts';
import { builtinResources } from '../../../kube/builtin-kinds.ts';
import type { Ceilings } from '../../../crds/tenantry/tenant-class.ts';
import type { TenantClassDeclaration } from '../declaration.ts';
import { findHighestBindableRole } from '../classes/cluster-roles.ts';

/** The most that a Role which a tenant writes itself may allow. */
export interface RoleCeiling {
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
export function resolveRoleCeiling({ name, spec }: TenantClassDeclaration): RoleCeiling {
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
  const subresource = subresourceOf(resource);
  if (subresource !== undefined && resources.includes(`*/${subresource}`)) {
    return builtinResources(group) === undefined || allows('admin', group, resource, verb);
  }
  return resources.includes('*') && isOrdinaryAccess(group, resource, verb);
}

/** Whether a `*` in the resources of a ceiling covers a permission. */
function isOrdinaryAccess(group: string, resource: string, verb: string): boolean {
  const main = subresourceOf(resource) === undefined;
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
  readVerbs.has(verb) && readableSubresources.has(subresourceOf(resource));

function subresourceOf(resource: string): string | undefined {
  const slash = resource.indexOf('/');
  return slash < 0 ? undefined : resource.slice(slash + 1);
}
