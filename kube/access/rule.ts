import { show } from '../problem.ts';

/**
 * What can be done to objects, as RBAC spells it. `watch` without `list` is of no use to a cache. No request is
 * a `bind` or `escalate`: the API server asks for them of whoever writes a binding to a role, or a role, without
 * holding what it allows.
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

/** In the order in which roles write them. */
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

/** Whether RBAC has the verb for objects; others, such as `use`, are asked by the API server itself. */
export function isVerb(text: string): text is Verb {
  return verbs.some((verb) => verb === text);
}

/**
 * What a controller may do, as data: by it the client refuses calls before they leave, and the roles
 * are made that an API server enforces (RBAC). One resource a rule, so that no rule grants the
 * product of two lists where only pairs were meant.
 */
export interface AccessRule {
  /** '' is the core group. */
  readonly group: string;
  /** The plural: `pods`; a subresource as RBAC spells it: `pods/status`. */
  readonly resource: string;
  readonly verbs: readonly Verb[];
  /**
   * Only objects of these names. RBAC cannot hold `deletecollection` to names, nor `create` but of a
   * subresource (https://kubernetes.io/docs/reference/access-authn-authz/rbac/#referring-to-resources),
   * so a rule with names has neither.
   * @default - all
   */
  readonly resourceNames?: readonly string[];
  /** Only in these namespaces, by a Role in each. @default - everywhere, by a ClusterRole */
  readonly namespaces?: readonly string[];
}

/**
 * Whether RBAC can hold the verb to names: what has no name in its path, as what is new, it cannot.
 * Subresources are made under the name of an object: the token of a ServiceAccount.
 */
export function canHaveResourceNames(verb: Verb, resource: string): boolean {
  return verb !== 'deletecollection' && (verb !== 'create' || resource.includes('/'));
}

/** A name of a group, a resource or an object that means itself, and nothing else, to RBAC. */
const PLAIN = /^[^*\s/]+$/;

/**
 * The rule, when it says what it means: RBAC reads an empty list of names as all names, and `*` as
 * everything.
 * @throws {Error} where it grants nothing, or would grant more than it says
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
