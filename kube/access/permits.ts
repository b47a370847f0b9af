import type { AccessRule, Verb } from './rule.ts';

/** A request to an API server, as RBAC sees it. */
export interface AccessRequest {
  /** The API group; '' is the core group. */
  readonly group: string;
  /** The resource: `pods`, `pods/status` */
  readonly resource: string;
  readonly verb: Verb;
  /** The name; absent if the request is for several objects, or for one that has no name yet. */
  readonly name?: string | undefined;
  /** The namespace; absent for cluster-scoped kinds and for requests across all namespaces. */
  readonly namespace?: string | undefined;
}

/**
 * Whether one of the rules allows the request, like the roles that `rolesOf` builds from them. A rule with names or
 * namespaces allows no request without one.
 */
export function permits(rules: readonly AccessRule[], request: AccessRequest): boolean {
  return rules.some((rule) => rulePermits(rule, request));
}

function rulePermits(
  rule: AccessRule,
  { group, resource, verb, name, namespace }: AccessRequest,
): boolean {
  return (
    rule.group === group &&
    rule.resource === resource &&
    rule.verbs.includes(verb) &&
    isOf(rule.resourceNames, name) &&
    isOf(rule.namespaces, namespace)
  );
}

function isOf(names: readonly string[] | undefined, name: string | undefined): boolean {
  return names === undefined || (name !== undefined && names.includes(name));
}
