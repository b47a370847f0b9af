import type { RightsRule } from '../rights/rights.ts';

/** A request for objects, as an authorizer sees it. */
export interface ResourceRequest {
  /** The verb: `get`, `list`, `bind`. A star is the literal verb `*`, which only a rule with a star allows. */
  readonly verb: string;
  /** The group; empty is the core group. */
  readonly group: string;
  /** The plural, with the subresource if there is one: `pods`, `pods/exec`. */
  readonly resource: string;
  /** The name; absent for a request without one, such as `list` and `create`. */
  readonly name?: string | undefined;
  /** The namespace; absent for all namespaces, and for cluster-scoped resources. */
  readonly namespace?: string | undefined;
}

/** A request for a path of the API server that is no object, such as `/metrics`. */
export interface PathRequest {
  readonly verb: string;
  readonly path: string;
}

export type AuthorizationRequest = ResourceRequest | PathRequest;

/**
 * Whether a rule of a role allows a request, as the RBAC authorizer decides it.
 *
 * Source: RuleAllows of
 * https://github.com/kubernetes/kubernetes/blob/v1.36.3/plugin/pkg/auth/authorizer/rbac/rbac.go and
 * https://github.com/kubernetes/kubernetes/blob/v1.36.3/pkg/apis/rbac/v1/evaluation_helpers.go
 */
export function ruleAllows(rule: RightsRule, request: AuthorizationRequest): boolean {
  if (!hasOrStar(rule.verbs, request.verb)) return false;
  if ('path' in request)
    return (rule.nonResourceURLs ?? []).some((url) => matchesPath(url, request.path));
  return (
    hasOrStar(rule.apiGroups, request.group) &&
    matchesResource(rule.resources ?? [], request.resource) &&
    matchesName(rule.resourceNames ?? [], request.name ?? '')
  );
}

function hasOrStar(list: readonly string[] = [], wanted: string): boolean {
  return list.includes('*') || list.includes(wanted);
}

function matchesResource(ruled: readonly string[], resource: string): boolean {
  if (hasOrStar(ruled, resource)) return true;
  const slash = resource.indexOf('/');
  return slash >= 0 && slash < resource.length - 1 && ruled.includes(`*${resource.slice(slash)}`);
}

/** A rule without names is for all of them. A request without a name has the name ''. */
function matchesName(names: readonly string[], name: string): boolean {
  return names.length === 0 || names.includes(name);
}

function matchesPath(ruled: string, path: string): boolean {
  if (ruled === '*' || ruled === path) return true;
  return ruled.endsWith('*') && path.startsWith(ruled.replace(/\*+$/, ''));
}
