import { show, formatBrief, formatList } from '../problem.ts';

/**
 * What can be done to objects, as RBAC spells it. A cache needs `watch` together with `list`. `bind` and `escalate` are
 * not requests: the API server requires them of anyone who writes a role, or a binding to a role, without the rights in
 * it.
 */
export type Verb =
  | 'get'
  | 'list'
  | 'watch'
  | 'create'
  | 'update'
  | 'patch'
  | 'delete'
  | 'deletecollection'
  | 'bind'
  | 'escalate';

/** All verbs, in their order in roles. */
export const verbs: readonly Verb[] = [
  'get',
  'list',
  'watch',
  'create',
  'update',
  'patch',
  'delete',
  'deletecollection',
  'bind',
  'escalate',
];

/** Whether RBAC has the verb for objects; others, such as `use`, are checked by the API server itself. */
export function isVerb(text: string): text is Verb {
  return verbs.some((verb) => verb === text);
}

/**
 * What a controller may do, as data. The client refuses other calls before it sends them, and the roles that an API
 * server enforces (RBAC) are built from it. A rule has one resource, so that no rule grants the product of two lists
 * where only pairs are meant.
 */
export interface AccessRule {
  /** The API group; '' is the core group. */
  readonly group: string;
  /** The plural: `pods`; a subresource as RBAC spells it: `pods/status`. */
  readonly resource: string;
  readonly verbs: readonly Verb[];
  /**
   * Only objects of these names. RBAC cannot limit `deletecollection` to names, and `create` only for subresources
   * (https://kubernetes.io/docs/reference/access-authn-authz/rbac/#referring-to-resources), so a rule with names has
   * neither.
   * @default - all
   */
  readonly resourceNames?: readonly string[];
  /** Only in these namespaces, by a Role in each. @default - everywhere, by a ClusterRole */
  readonly namespaces?: readonly string[];
}

/**
 * Whether RBAC can limit the verb to names. It cannot if the request path has no name, as for a new object.
 * Subresources are created under the name of an object, such as the token of a ServiceAccount.
 */
export function canHaveResourceNames(verb: Verb, resource: string): boolean {
  return verb !== 'deletecollection' && (verb !== 'create' || resource.includes('/'));
}

/** A literal name of a group, a resource or an object, which RBAC does not read as a pattern. */
const PLAIN = /^[^*\s/]+$/;

/**
 * Returns the rule if it grants what it declares: RBAC reads an empty list of names as all names, and `*` as
 * everything.
 * @throws {Error} when it would grant nothing, or more than it declares
 */
export function checkAccessRule<R extends AccessRule>(rule: R): R {
  const { group, resource, verbs: ruleVerbs, resourceNames, namespaces } = rule;
  const of = `access to ${show(group === '' ? resource : `${resource}.${group}`)}`;
  if (group !== '' && !PLAIN.test(group)) {
    throw new Error(`${of}: the group must be the name of one, got ${show(group)}`);
  }
  const parts = resource.split('/');
  if (parts.length > 2 || !parts.every((part) => PLAIN.test(part))) {
    const expected = `must be a plural, or one with a subresource such as 'pods/status'`;
    throw new Error(`${of}: the resource ${expected}, got ${show(resource)}`);
  }
  if (ruleVerbs.length === 0) throw new Error(`${of}: must name verbs, got none`);
  const unknown = ruleVerbs.find((verb) => !verbs.includes(verb));
  if (unknown !== undefined) {
    throw new Error(`${of}: verbs must be of ${verbs.join(', ')}, got ${show(unknown)}`);
  }
  checkNames(of, 'names', resourceNames);
  checkNames(of, 'namespaces', namespaces);
  const wide = resourceNames && ruleVerbs.find((verb) => !canHaveResourceNames(verb, resource));
  if (wide)
    throw new Error(`${of}: ${wide} cannot be held to names, got ${show(resourceNames[0])}`);
  return rule;
}

function checkNames(of: string, what: string, names: readonly string[] | undefined): void {
  if (!names) return;
  if (names.length === 0) throw new Error(`${of}: must name ${what} where it is held to ${what}`);
  const wrong = names.find((name) => !PLAIN.test(name));
  if (wrong !== undefined) throw new Error(`${of}: ${what} must be plain, got ${show(wrong)}`);
}

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
 * Whether one of the rules allows the request, like the roles that `buildRoles` builds from them. A rule with names or
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

/** A rule of RBAC as written. */
interface WrittenRule {
  readonly resources?: readonly string[];
  readonly verbs?: readonly string[];
  readonly resourceNames?: readonly string[];
}

/**
 * Explains which verbs of a rule its `resourceNames` make void: a request to create an object, or to delete or list
 * several, has no name in its path. Server-side apply and PUT have one, so they can create.
 * Source: https://kubernetes.io/docs/reference/access-authn-authz/rbac/#referring-to-resources, k8s.io/apiserver
 * pkg/endpoints/request/requestinfo.go and pkg/endpoints/handlers/patch.go
 */
export function explainIneffectiveVerbs(rule: WrittenRule): string[] {
  const { resources = [], verbs = [], resourceNames = [] } = rule;
  if (resourceNames.length === 0) return [];
  return verbs.flatMap((verb) => {
    const refused = resources.filter((one) => isVerb(verb) && !canHaveResourceNames(verb, one));
    if (refused.length === 0) return [];
    const writers = verbs.filter((one) => one === 'patch' || one === 'update');
    const isPartial = verb === 'create' && writers.length > 0;
    const but = isPartial
      ? `, other than by ${writers.map((one) => waysToCreate[one as 'patch']).join(' and ')}`
      : '';
    return [
      `must have no resourceNames to allow ${verb} on ${formatList(refused.map(formatBrief))}${but}: the request carries no name, got ${formatList(resourceNames.map(formatBrief))}`,
    ];
  });
}

const waysToCreate = { patch: 'server-side apply', update: 'PUT' } as const;

/**
 * Explains which verbs of a rule allow less than they seem to: a list or a watch has a name only if it selects
 * `metadata.name`.
 */
export function explainFieldSelectorVerbs(rule: WrittenRule): string[] {
  const { resources = [], verbs = [], resourceNames = [] } = rule;
  const collections = resources.filter((one) => !one.includes('/'));
  if (resourceNames.length === 0 || collections.length === 0) return [];
  const asked = verbs.filter((verb) => verb === 'list' || verb === 'watch');
  if (asked.length === 0) return [];
  return [
    `must have no resourceNames to allow ${asked.join(' and ')} on all ${formatList(collections.map(formatBrief))}: only requests with the field selector metadata.name are allowed, got ${formatList(resourceNames.map(formatBrief))}`,
  ];
}
