import type { Platform } from './declaration.ts';

/** The name of a group in Argo CD; undefined for one that is none of its logins. */
export function resolveArgoCDGroup(
  name: string,
  { argocdGroupsPrefix: prefix = '' }: Pick<Platform, 'argocdGroupsPrefix'>,
): string | undefined {
  return name.startsWith(prefix) && name !== prefix ? name.slice(prefix.length) : undefined;
}

/**
 * What Argo CD could not take for the name of a group in a project, as the end of a sentence. It reads
 * `g, <group>, proj:...` as a line of CSV; one that it cannot read takes the rights of all others along.
 * Source: validateGroupName and ProjectPoliciesString in pkg/apis/application/v1alpha1, loadPolicyLine in
 * util/rbac of argo-cd
 */
export function findGroupFault(name: string): string | undefined {
  if (name.includes('"')) return 'without double quotes, which Argo CD takes for its own';
  if (name.trim() !== name) return 'that neither begin nor end with a space';
  if (/^(?:role|proj):/.test(name)) {
    return "that do not begin with 'role:' or 'proj:', which to Argo CD are roles";
  }
  return undefined;
}

/** A group as it stands in a project: in quotes where it holds what ends a field. */
export function quoteGroup(name: string): string {
  return name.includes(',') ? `"${name}"` : name;
}
