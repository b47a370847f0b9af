import type { Platform } from './declaration.ts';

/** Returns the name of a group in Argo CD; undefined for a group that belongs to none of its logins. */
export function resolveArgoCDGroup(
  name: string,
  { argocdGroupsPrefix: prefix = '' }: Pick<Platform, 'argocdGroupsPrefix'>,
): string | undefined {
  return name.startsWith(prefix) && name !== prefix ? name.slice(prefix.length) : undefined;
}

/**
 * Explains why Argo CD could not hold a group's name in a project, as the end of a sentence. Argo CD reads `g, <group>,
 * proj:...` as a line of CSV. One line that it cannot read voids the rights of all others.
 * Source: validateGroupName and ProjectPoliciesString in pkg/apis/application/v1alpha1, loadPolicyLine in util/rbac of
 * argo-cd
 */
export function findGroupFault(name: string): string | undefined {
  if (name.includes('"')) return 'without double quotes, which Argo CD takes for its own';
  if (name.trim() !== name) return 'that neither begin nor end with a space';
  if (/^(?:role|proj):/.test(name)) {
    return "that do not begin with 'role:' or 'proj:', which to Argo CD are roles";
  }
  return undefined;
}

/** Formats a group for a project: quoted if it contains a character that ends a field. */
export function quoteGroup(name: string): string {
  return name.includes(',') ? `"${name}"` : name;
}
