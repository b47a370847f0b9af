import { isMapping } from '../mapping.ts';
import { text } from '../rights/rights.ts';

/** Somebody to whom a role can be bound. */
export interface AccessSubject {
  readonly kind: 'User' | 'Group' | 'ServiceAccount';
  readonly name: string;
  /** Only of a ServiceAccount. */
  readonly namespace?: string;
}

/** Who sends a request. */
export interface Requester {
  /** Absent for any member of the groups. */
  readonly user?: string;
  readonly groups: readonly string[];
}

const ACCOUNT_PREFIX = 'system:serviceaccount:';
export const AUTHENTICATED = 'system:authenticated';
const UNAUTHENTICATED = 'system:unauthenticated';
const ANONYMOUS = 'system:anonymous';
const ACCOUNTS = 'system:serviceaccounts';
/** The API server allows this group everything, before it evaluates any role. */
export const MASTERS = 'system:masters';

/** Returns the user name of a ServiceAccount. */
export function formatAccountUser(namespace: string, name: string): string {
  return `${ACCOUNT_PREFIX}${namespace}:${name}`;
}

/** Parses the user name of a ServiceAccount; undefined for any other name. */
export function parseAccountUser(user: string): AccessSubject | undefined {
  if (!user.startsWith(ACCOUNT_PREFIX)) return undefined;
  const [namespace, name, ...more] = user.slice(ACCOUNT_PREFIX.length).split(':');
  if (!namespace || !name || more.length > 0) return undefined;
  return { kind: 'ServiceAccount', name, namespace };
}

/**
 * Builds the requester that a subject is: a user, a ServiceAccount, or any member of a group. It adds the groups that the
 * API server adds itself.
 *
 * Source: https://kubernetes.io/docs/reference/access-authn-authz/authentication/#service-account-tokens and
 * https://kubernetes.io/docs/reference/access-authn-authz/authentication/#anonymous-requests
 */
export function buildRequester(subject: AccessSubject, groups: readonly string[] = []): Requester {
  if (subject.kind === 'Group') return { groups: addImpliedGroups([subject.name, ...groups]) };
  const account = subject.kind === 'User' ? parseAccountUser(subject.name) : subject;
  if (account) {
    const { namespace = '', name } = account;
    const user = formatAccountUser(namespace, name);
    return { user, groups: addImpliedGroups([...groups, `${ACCOUNTS}:${namespace}`]) };
  }
  const own = subject.name === ANONYMOUS ? [...groups, UNAUTHENTICATED] : groups;
  return { user: subject.name, groups: addImpliedGroups(own) };
}

function addImpliedGroups(groups: readonly string[]): string[] {
  const all = new Set(groups);
  if (groups.some((group) => group.startsWith(`${ACCOUNTS}:`))) all.add(ACCOUNTS);
  if (!all.has(UNAUTHENTICATED)) all.add(AUTHENTICATED);
  return [...all];
}

/**
 * Whether a subject of a binding includes a requester.
 */
export function includesRequester(subject: AccessSubject, { user, groups }: Requester): boolean {
  switch (subject.kind) {
    case 'User':
      return user !== undefined && user === subject.name;
    case 'Group':
      return groups.includes(subject.name);
    case 'ServiceAccount':
      return (
        user !== undefined && user === formatAccountUser(subject.namespace ?? '', subject.name)
      );
  }
}

/** A subject of a binding, and its position in the list. */
export interface BoundSubject {
  readonly subject: AccessSubject;
  readonly subjectIndex: number;
}

/**
 * Reads the subjects of a binding. The API server refuses other kinds, and a ServiceAccount without a namespace in a
 * ClusterRoleBinding.
 * @param namespace that of the binding, the default for a ServiceAccount; empty for a ClusterRoleBinding
 */
export function readSubjects(value: unknown, namespace: string): BoundSubject[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((one: unknown, subjectIndex): BoundSubject[] => {
    if (!isMapping(one)) return [];
    const { kind } = one;
    const name = text(one['name']);
    if (name === '') return [];
    if (kind === 'User' || kind === 'Group') return [{ subject: { kind, name }, subjectIndex }];
    const own = text(one['namespace']) || namespace;
    if (kind !== 'ServiceAccount' || own === '') return [];
    return [{ subject: { kind, name, namespace: own }, subjectIndex }];
  });
}

/** Formats a subject: `Group payments`, `ServiceAccount shop/ci`. */
export function formatSubject({ kind, name, namespace }: AccessSubject): string {
  return namespace === undefined ? `${kind} ${name}` : `${kind} ${namespace}/${name}`;
}

/** Whether Kubernetes itself names the subject, and no people: its own groups, users and the accounts of controllers. */
export function isSystemSubject({ kind, name, namespace }: AccessSubject): boolean {
  if (kind === 'ServiceAccount') return namespace === 'kube-system' || namespace === 'kube-public';
  return name.startsWith('system:') && !name.startsWith(ACCOUNT_PREFIX);
}
