import type { Platform } from '../../model/declaration.ts';
import { FACTS } from '../../model/ownership.ts';
import { findProtection } from '../../model/protected.ts';
import { MAX_LISTED } from '../../crds/tenant-status.ts';
import { TENANT_LABEL } from '@tenantry/kube/cascade-root';
import { identityOf, type KubeObject } from '@tenantry/kube/object';
import { escapeForTerminal } from '@tenantry/kube/printable';
import { ifGone } from '@tenantry/runtime/errors/reaction';
import type { Live } from '@tenantry/runtime/kinds/kind';
import { RoleBinding } from '@tenantry/runtime/kinds/rbac';
import type { Tenant } from '../cluster/kinds.ts';
import type { KeptLive, TenantObjects } from '../cluster/tenant-objects.ts';
import { byAge } from '../drift/expected.ts';
import { formatObjectName, identifyObject } from '../drift/object-drift.ts';
import type { DeclaredState } from '../drift/tenant-drift.ts';
import { findLifecycle } from '../fleet/declarations.ts';
import type { HealClient } from './policy.ts';
import type { Problem } from './attempts.ts';
import type { Lifecycle } from '../../crds/types.ts';
import { isAddedBinding } from '../stored/controller-writes.ts';

/** The tenant whose undeclared bindings are searched. */
interface HandMadeBindingContext {
  readonly tenant: Live<typeof Tenant>;
  /** Undefined if it is not known; then only Retired namespaces are considered. */
  readonly declared: DeclaredState | undefined;
  readonly objects: TenantObjects;
}

/** A role binding in a Suspended or Retired namespace of a tenant, without the tenant's label. */
export interface HandMadeBinding {
  readonly live: KeptLive;
  readonly rule: RemainingAccessRule;
  /** Identifies the rule by which the binding was checked. */
  readonly ruleKey: string;
}

/** What a person can do about a binding that the operator may not delete. */
const ADVICE = 'delete it, or set driftPolicy to Heal';
/** The most subjects of a binding that a message names. */
const MAX_NAMED = 3;

/**
 * Finds undeclared role bindings that grant access in a namespace whose lifecycle allows none. The cache contains no
 * subjects, so each state of a binding is read once.
 */
export class HandMadeBindings {
  readonly #platform: Platform;
  readonly #known = new WeakMap<
    KeptLive,
    { readonly ruleKey: string; readonly remaining: readonly string[] }
  >();

  constructor(platform: Platform) {
    this.#platform = platform;
  }

  /** Returns the bindings that may grant such access: all that are not known to grant none. */
  find(context: HandMadeBindingContext): readonly HandMadeBinding[] {
    return this.#findAll(context).filter((one) => this.#findKnown(one)?.length !== 0);
  }

  /** Whether a binding, as it was just read, grants such access. */
  isRemaining(
    { live, rule, ruleKey }: HandMadeBinding,
    binding: Live<typeof RoleBinding>,
  ): boolean {
    const remaining = findRemainingAccess(binding, rule).slice(0, MAX_NAMED + 1);
    this.#known.set(live, { ruleKey, remaining });
    return remaining.length > 0;
  }

  /** Builds the problem of a binding that could not be deleted; undefined if it was not read. */
  undeletedProblem(one: HandMadeBinding): Problem | undefined {
    const remaining = this.#findKnown(one);
    return remaining && buildProblem(one, remaining, 'the operator could not delete it');
  }

  /** Reports the bindings that grant such access, the oldest first. Rejects if the API server cannot be reached. */
  async report(context: HandMadeBindingContext, client: HealClient): Promise<readonly Problem[]> {
    const problems: Problem[] = [];
    const all = this.find(context).toSorted((a, b) => byAge(a.live, b.live));
    for (const [index, one] of all.entries()) {
      if (problems.length === MAX_LISTED)
        return [...problems, buildUnreadProblem(all.length - index)];
      const remaining = this.#findKnown(one) ?? (await this.#readRemaining(one, client));
      if (remaining.length > 0) problems.push(buildProblem(one, remaining, ADVICE));
    }
    return problems;
  }

  async #readRemaining(one: HandMadeBinding, client: HealClient): Promise<readonly string[]> {
    const { name, namespace } = one.live.metadata;
    const binding = await client.get(RoleBinding, { name, namespace }).catch(ifGone);
    return binding && this.isRemaining(one, binding) ? (this.#findKnown(one) ?? []) : [];
  }

  #findKnown({ live, ruleKey }: HandMadeBinding): readonly string[] | undefined {
    const known = this.#known.get(live);
    return known?.ruleKey === ruleKey ? known.remaining : undefined;
  }

  #findAll({ tenant, declared, objects }: HandMadeBindingContext): readonly HandMadeBinding[] {
    const { name } = tenant.metadata;
    const keys = new Set(declared?.objects.map(identityOf));
    return objects.namespacesOf(name).flatMap((namespace) => {
      const lifecycle = findLifecycle(tenant, namespace);
      const isRequested = lifecycle === 'Retired' || declared?.namespaces.includes(namespace);
      if (lifecycle === 'Active' || !isRequested || findProtection(this.#platform, namespace))
        return [];
      const own = declared?.objects.find(
        ({ kind, metadata }) => kind === 'Namespace' && metadata.name === namespace,
      );
      const rule = { platform: this.#platform, lifecycle, namespace: own };
      const ruleKey = buildKey(rule);
      return objects
        .bindingsIn(namespace)
        .filter((live) => live.metadata.labels?.[TENANT_LABEL] !== name)
        .filter((live) => !keys.has(identityOf(live as KubeObject)))
        .map((live) => ({ live, rule, ruleKey }));
    });
  }
}

function buildKey({ lifecycle, namespace }: RemainingAccessRule): string {
  const { annotations = {} } = namespace?.metadata ?? {};
  const facts = [FACTS.subjects, FACTS.subjectPatterns, FACTS.namespaces];
  return JSON.stringify([lifecycle, ...facts.map((key) => annotations[key])]);
}

function buildProblem(
  { live, rule }: HandMadeBinding,
  remaining: readonly string[],
  advice: string,
): Problem {
  const more = remaining.length > MAX_NAMED ? ' and more' : '';
  const subjects = escapeForTerminal(`${remaining.slice(0, MAX_NAMED).join(', ')}${more}`);
  const message = `${formatObjectName(identifyObject(live as KubeObject))} was made by hand and gives ${subjects} access in a ${rule.lifecycle} namespace: ${advice}`;
  return { reason: 'AccessRemains', message };
}

function buildUnreadProblem(count: number): Problem {
  const message = `${count} more role bindings in Suspended and Retired namespaces were not read`;
  return { reason: 'AccessRemains', message };
}

/** The rule that decides who keeps access in a namespace. */
interface RemainingAccessRule {
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
  const keeps = createKeepFilter(rule);
  return (binding.subjects ?? []).map(identifySubject).filter((id) => !keeps(id));
}

/** Identifies a subject. A ServiceAccount that is bound by its user name is the same account. */
function identifySubject({ kind, name, namespace = '' }: Subject): string {
  if (kind === 'ServiceAccount') return `ServiceAccount ${namespace}/${name}`;
  const id = `${kind} ${name}`;
  const [, place, account] = ACCOUNT_USER.exec(id) ?? [];
  return place === undefined ? id : `ServiceAccount ${place}/${account}`;
}

function createKeepFilter({
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
  const subjects = splitLines(facts?.[FACTS.subjects]);
  const patterns = [...splitLines(facts?.[FACTS.subjectPatterns])];
  const own = splitLines(facts?.[FACTS.namespaces]);
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

function splitLines(text: string | undefined): ReadonlySet<string> {
  return new Set(text === undefined || text === '' ? [] : text.split('\n'));
}
