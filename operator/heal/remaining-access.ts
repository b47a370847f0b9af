import type { Platform } from '../../constructs/tenant/declaration.ts';
import { FACTS } from '../../constructs/tenant/ownership.ts';
import { findProtection } from '../../constructs/tenant/protected.ts';
import type { Lifecycle } from '../../crds/tenantry/types.ts';
import type { KubeObject } from '../../kube/object.ts';
import type { Live } from '../../runtime/kinds/kind.ts';
import type { RoleBinding } from '../../runtime/kinds/rbac.ts';
import { isAddedBinding } from '../stored/controller-writes.ts';

/** By what is decided who keeps access in a namespace. */
export interface RemainingAccessRule {
  readonly platform: Platform;
  readonly lifecycle: Lifecycle;
  /** The Namespace as it is declared. Undefined: nobody knows, and nobody is known to keep access. */
  readonly namespace: KubeObject | undefined;
}

type Subject = NonNullable<Live<typeof RoleBinding>['subjects']>[number];

/** Groups and a user of Kubernetes' own to whom anybody may belong. */
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
 * Finds the subjects of a hand-made role binding that the lifecycle of its namespace gives no access: those whom the
 * admission policy would let nobody bind there now. They are named as the facts of the Namespace name them:
 * `User alice`, `ServiceAccount pay/deployer`. What the platform and Kubernetes run themselves keeps its access.
 */
export function findRemainingAccess(
  binding: Live<typeof RoleBinding>,
  rule: RemainingAccessRule,
): readonly string[] {
  if (rule.lifecycle === 'Active' || isAddedBinding(binding as KubeObject)) return [];
  const keeps = keeperOf(rule);
  return (binding.subjects ?? []).map(identifySubject).filter((id) => !keeps(id));
}

/** A ServiceAccount has the user name of an account too, and is the same account by either. */
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

/** The namespace of an account, or of all accounts that a group is of. */
function namespaceIn(id: string): string | undefined {
  return (ACCOUNT.exec(id) ?? ACCOUNT_GROUP.exec(id))?.[1];
}

function isOfKubernetes(id: string): boolean {
  return /^(?:User|Group) system:/.test(id) && !everybody.has(id);
}

/** One `*` stands for any text. */
function isLike(pattern: string, id: string): boolean {
  const [before = '', after = ''] = pattern.split('*');
  return id.length >= before.length + after.length && id.startsWith(before) && id.endsWith(after);
}

function linesOf(text: string | undefined): ReadonlySet<string> {
  return new Set(text === undefined || text === '' ? [] : text.split('\n'));
}
