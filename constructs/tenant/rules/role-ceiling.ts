import { allows, objectVerbs, readVerbs, type Level } from '../../../kube/cluster-roles.ts';
import { builtinResources } from '../../../kube/builtin-kinds.ts';
import type { Ceilings } from '../../../crds/tenantry/tenant-class.ts';
import type { TenantClassDeclaration } from '../declaration.ts';
import { findHighestBindableRole } from '../classes/cluster-roles.ts';

/** What a Role that a tenant writes itself may allow at most. */
export interface RoleCeiling {
  covers(group: string, resource: string, verb: string): boolean;
  /** `must be <words>`. */
  readonly words: string;
}

type CeilingRule = NonNullable<Ceilings['roles']>[number];

/**
 * The ceiling of a class. One that says none lets a tenant's own Role allow what the ClusterRoles
 * allow that the tenant may bind anyway, as far as Kubernetes says what that is: `admin`, and where
 * the class puts roles of its own behind admins and editors, no more than is left.
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
 * Whether one rule of a ceiling covers something. What is named is covered. A wildcard stands for
 * what is ordinary: it never stands for the exceptions that Kubernetes keeps out of its own roles,
 * nor for what looks like reading and is more (Secrets, `pods/exec`, `services/proxy`).
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

/** What a `*` in the resources of a ceiling stands for. */
function isOrdinaryAccess(group: string, resource: string, verb: string): boolean {
  const main = subresourceOf(resource) === undefined;
  if (builtinResources(group) === undefined) return main || isPlainRead(resource, verb);
  const level: Level = main && resource !== 'secrets' ? 'admin' : 'view';
  return allows(level, group, resource, verb);
}

/** The subresources that only show, whatever the kind: reading another may be a connection. */
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
