import type { AccessRule, Verb } from './rule.ts';

/** What somebody asks of an API server, as RBAC sees it. */
export interface AccessRequest {
  /** '' is the core group. */
  readonly group: string;
  /** `pods`, `pods/status` */
  readonly resource: string;
  readonly verb: Verb;
  /** Absent where the request is for several objects, or one that has no name yet. */
  readonly name?: string | undefined;
  /** Absent where the kind lies in none, or all namespaces are meant. */
  readonly namespace?: string | undefined;
}

/**
 * Whether one of the rules allows the request, as the roles that `rolesOf` makes of them do: a rule
 * that is held to names or namespaces allows no request without one.
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
