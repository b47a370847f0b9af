import type { Platform } from '../../constructs/tenant/declaration.ts';
import { FACTS } from '../../constructs/tenant/ownership.ts';
import { findProtection } from '../../constructs/tenant/protected.ts';
import type { Lifecycle } from '../../crds/tenantry/types.ts';
import type { KubeObject } from '../../kube/object.ts';
import type { Live } from '../../runtime/kinds/kind.ts';
import type { RoleBinding } from '../../runtime/kinds/rbac.ts';
import { isAddedBinding } from '../stored/controller-writes.ts';

/** The rule that decides who keeps access in a namespace. */
export interface RemainingAccessRule {
  readonly platform: Platform;
  readonly lifecycle: Lifecycle;
  /** The Namespace as declared. If undefined, no subject is known to keep access. */
  readonly namespace: KubeObject | undefined;
}

type Subject = NonNullable<Live<typeof RoleBinding>['subjects']>[number];

/** Built-in groups and a user that can include anybody. */
const everybody: ReadonlySet<string> = new Set([
  'Group system:authenticated',
  'Group system:authenticated:oauth',
  'Group system:unauthenticated',
  'Group system:serviceaccounts',
  'User system:anonymous',
]);

const ACCOUNT_USER = /^User system:serviceaccount:([^:]+):([^:]+)$/;
const ACCOUNT_GROUP = /^Group system:serviceaccounts:([^:]+)$/;
const ACCOUNT = /^ServiceAccount ([^/]+)\//;

/**
 * Finds the subjects of an undeclared role binding to which the lifecycle of its namespace gives no access. These are
 * the subjects that the admission policy would refuse to bind there now. They are named as in the facts of the
 * Namespace: `User alice`, `ServiceAccount pay/deployer`. Subjects of the platform and of Kubernetes itself keep their
 * access.
 */
export function findRemainingAccess(
  binding: Live<typeof RoleBinding>,
  rule: RemainingAccessRule,
): readonly string[] {
  if (rule.lifecycle === 'Active' || isAddedBinding(binding as KubeObject)) return [];
  const keeps = keeperOf(rule);
  return (binding.subjects ?? []).map(identifySubject).filter((id) => !keeps(id));
}

/** Identifies a subject. A ServiceAccount that is bound by its user name is the same account. */
function identifySubject({ kind, name, namespace = '' }: Subject): string {
  if (kind === 'ServiceAccount') return `ServiceAccount ${namespace}/${name}`;
  const id = `${kind} ${name}`;
  const [, place, account] = ACCOUNT_USER.exec(id) ?? [];
  return place === undefined ? id : `ServiceAccount ${place}/${account}`;
}

function keeperOf({
  platform,
  lifecycle,
  namespace,
}: RemainingAccessRule): (id: string) => boolean {
  const { users, groups } = platform.identities;
  const identities = new Set([
    ...users.map((name) => `User ${name}`),
    ...groups.map((name) => `Group ${name}`),
  ]);
  const facts = lifecycle === 'Suspended' ? namespace?.metadata.annotations : undefined;
  const subjects = linesOf(facts?.[FACTS.subjects]);
  const patterns = [...linesOf(facts?.[FACTS.subjectPatterns])];
  const own = linesOf(facts?.[FACTS.namespaces]);
  return (id) => {
    if (identities.has(id) || subjects.has(id)) return true;
    const place = namespaceIn(id);
    if (place === undefined) return isOfKubernetes(id);
    if (findProtection(platform, place) || own.has(place)) return true;
    return patterns.some((pattern) => isLike(pattern, id));
  };
}

/** Returns the namespace of an account, or the namespace whose accounts a group contains. */
function namespaceIn(id: string): string | undefined {
  return (ACCOUNT.exec(id) ?? ACCOUNT_GROUP.exec(id))?.[1];
}

function isOfKubernetes(id: string): boolean {
  return /^(?:User|Group) system:/.test(id) && !everybody.has(id);
}

/** Whether an id matches a pattern in which one `*` matches any text. */
function isLike(pattern: string, id: string): boolean {
  const [before = '', after = ''] = pattern.split('*');
  return id.length >= before.length + after.length && id.startsWith(before) && id.endsWith(after);
}

function linesOf(text: string | undefined): ReadonlySet<string> {
  return new Set(text === undefined || text === '' ? [] : text.split('\n'));
}
