import type { Platform } from '../../model/declaration.ts';
import type { DriftPolicy } from '../../crds/types.ts';
import { identityOf, type KubeObject } from '@tenantry/kube/object';
import { omitUndefined } from '@tenantry/kube/mapping';
import { ApiError } from '@tenantry/runtime/errors/api-error';
import { ifGone } from '@tenantry/runtime/errors/reaction';
import { Namespace } from '@tenantry/runtime/kinds/core';
import type { Live } from '@tenantry/runtime/kinds/kind';
import { getWholeKind, type Tenant } from '../cluster/kinds.ts';
import type { TenantObjects } from '../cluster/tenant-objects.ts';
import {
  formatObjectName,
  findObjectDrift,
  identifyObject,
  type Drift,
} from '../drift/object-drift.ts';
import type { DeclaredState } from '../drift/tenant-drift.ts';
import {
  buildFightProblem,
  CONFLICT_RETRY,
  type GracePeriods,
  type HealAttempts,
  type Goal,
  buildChangedOnWriteProblem,
  findDeletionProblem,
  buildMayNotBindProblem,
  buildRefusalProblem,
  unboundRole,
  type Problem,
} from './attempts.ts';
import { applyStep } from './apply-step.ts';
import {
  classifyNamespace,
  DeclarationSnapshot,
  listTotalQuotas,
  isStillCurrent,
  type NamespaceOwnership,
  type DeclarationCache,
} from './preconditions.ts';
import type { HealClient } from './policy.ts';
import {
  planSteps,
  findExceededKey,
  lowerShares,
  computeShares,
  type HealStep,
  type HealCandidate,
  type SharedKeys,
} from './plan.ts';

/** What is needed to heal a tenant. */
export interface HealContext {
  readonly tenant: Live<typeof Tenant>;
  readonly declared: DeclaredState;
  /** What the operator may do. Under `Observe` nothing is written. */
  readonly policy: DriftPolicy;
  /** Keys of quotas that are parts of a total. */
  readonly shared: SharedKeys;
  readonly objects: TenantObjects;
  readonly declarations: DeclarationCache;
  readonly client: HealClient;
  /** Returns the clock's time in milliseconds. */
  now(): number;
  /** Returns the current date. */
  date(): Date;
}

/** An object that the operator changed. */
export interface HealedObject {
  /** `revoke`: an undeclared role binding that was removed. */
  readonly type: HealStep['type'] | 'revoke';
  readonly object: KubeObject;
  /** How it differed before. */
  readonly drift: readonly Drift[];
}

/** The result of one run. */
export interface HealRunResult {
  readonly healed: readonly HealedObject[];
  readonly problems: readonly Problem[];
  /** Milliseconds until the next attempt. */
  readonly retryAfter?: number;
}

/** Heals a tenant once: creates missing objects and restores drifted ones. */
export class HealRun {
  readonly #context: HealContext;
  readonly #platform: Platform;
  readonly #attempts: HealAttempts;
  readonly #gracePeriods: GracePeriods;
  readonly #snapshot: DeclarationSnapshot;
  readonly #healed: HealedObject[] = [];
  readonly #problems: Problem[] = [];
  /** Suspected objects as declared. */
  readonly #declaredObjects = new Map<string, KubeObject>();
  /** Namespaces that become the tenant's by writes of this run. */
  readonly #adopted = new Set<string>();
  /** Namespaces in which nothing can be written. */
  readonly #blocked = new Set<string>();
  #retryAfter = Infinity;

  constructor(
    context: HealContext,
    platform: Platform,
    attempts: HealAttempts,
    gracePeriods: GracePeriods,
  ) {
    const { tenant, declarations } = context;
    this.#context = context;
    this.#platform = platform;
    this.#attempts = attempts;
    this.#gracePeriods = gracePeriods;
    this.#snapshot = new DeclarationSnapshot(tenant, declarations, platform.defaultClass);
  }

  async run(suspects: readonly KubeObject[]): Promise<HealRunResult> {
    const { policy, shared } = this.#context;
    for (const object of suspects) this.#declaredObjects.set(identityOf(object), object);
    const due = suspects.filter((object) => this.#isDue(object));
    if (due.length > 0 && (await this.#isStillCurrent())) {
      await this.#checkNamespaces(due);
      const whole = await this.#read(due.filter((one) => !this.#blocked.has(namespaceOf(one))));
      for (const step of planSteps(whole, policy, shared)) await this.#runStep(step);
    }
    return omitUndefined({
      healed: this.#healed,
      problems: this.#problems,
      retryAfter: this.#retryAfter < Infinity ? this.#retryAfter : undefined,
    });
  }

  #isDue(object: KubeObject): boolean {
    const goal = this.#goal(object);
    const now = this.#context.now();
    const away = this.#gracePeriods.remaining(goal.tenant, goal.key, now);
    const left = Math.max(away, this.#attempts.remaining(goal, now));
    const problem = this.#attempts.problem(goal);
    if (left === 0) return true;
    if (problem) this.#problems.push(problem);
    this.#scheduleRetry(left);
    // Nothing is written in a Namespace that cannot be written itself.
    if (object.kind === 'Namespace') this.#blocked.add(object.metadata.name);
    return false;
  }

  /** Whether the Tenant and its classes are unchanged: memory is some milliseconds late, and sometimes minutes. */
  async #isStillCurrent(): Promise<boolean> {
    const { client, tenant } = this.#context;
    return (
      (await this.#snapshot.hasCurrentClasses(client)) && (await isStillCurrent(tenant, client))
    );
  }

  /** Checks for each namespace whether it is the tenant's. */
  async #checkNamespaces(due: readonly KubeObject[]): Promise<void> {
    const { client, declared, policy } = this.#context;
    for (const name of new Set(due.map(namespaceOf))) {
      const live = await client.get(Namespace, { name }).catch(ifGone);
      const { tenant } = declared;
      const context = { tenant, platform: this.#platform, policy };
      const ownership = classifyNamespace(name, live as KubeObject | undefined, context);
      if (ownership === 'adopted') this.#adopted.add(name);
      if (this.#isWritable(name, ownership, due)) continue;
      this.#blocked.add(name);
      if (typeof ownership !== 'object') continue;
      const reason = 'NamespaceNotOurs';
      this.#problems.push({
        reason,
        message: `Namespace ${name} is left alone: ${ownership.notOurs}`,
      });
    }
  }

  #isWritable(name: string, ownership: NamespaceOwnership, due: readonly KubeObject[]): boolean {
    if (ownership === 'own') return !this.#blocked.has(name);
    // The Namespace itself is written first, and opens it.
    const isNext = due.some(({ kind, metadata }) => kind === 'Namespace' && metadata.name === name);
    return isNext && (ownership === 'absent' || ownership === 'adopted');
  }

  /** Reads objects. A refusal for one of them does not keep others from being healed. */
  async #read(due: readonly KubeObject[]): Promise<HealCandidate[]> {
    const { client, now } = this.#context;
    const read = await Promise.all(
      due.map(async (object) => {
        const { name, namespace } = object.metadata;
        try {
          const live = await client.get(getWholeKind(object), { name, namespace }).catch(ifGone);
          return { object, live: live as KubeObject | undefined };
        } catch (error) {
          if (!(error instanceof ApiError && error.isForbidden)) throw error;
          this.#recordFailure(this.#goal(object), now(), buildRefusalProblem(object, error));
          return undefined;
        }
      }),
    );
    return read.filter((one) => one !== undefined);
  }

  async #runStep(step: HealStep): Promise<void> {
    const namespace = namespaceOf(step.object);
    if (this.#blocked.has(namespace) || !this.#snapshot.isCurrent()) return;
    const limited = step.raises ? await this.#limitToTotal(step) : step;
    if (!limited) return;
    const now = this.#context.now();
    const goal = this.#goal(step.object);
    const deletion = limited.live && findDeletionProblem(limited.live);
    if (deletion) return this.#recordFailure(goal, now, deletion);
    try {
      const outcome = await applyStep(limited, this.#context.client);
      if (outcome === 'unchanged')
        return this.#recordFailure(goal, now, buildChangedOnWriteProblem(step.object));
      const { type, object, live } = limited;
      if (this.#adopted.has(namespace)) this.#waitForPolicies(namespace);
      const drift = live ? findObjectDrift(object, live as Live) : [];
      this.#healed.push({ type, object, drift });
      if (object === goal.object)
        this.#attempts.recordHealed(goal, now, buildFightProblem(object, drift));
    } catch (error) {
      if (step.object.kind === 'Namespace') this.#blocked.add(namespace);
      this.#handleError(goal, now, error);
    }
  }

  /** Returns the step as far as the tenant's total allows it now. A missing quota does not limit it. */
  async #limitToTotal(step: HealStep): Promise<HealStep | undefined> {
    const { client, declared, objects, shared } = this.#context;
    const live = await listTotalQuotas(declared, objects, client);
    const quotas = declared.objects.filter((one) => computeShares(one, shared).size > 0);
    const over = findExceededKey(step.object, quotas, live, shared);
    // Another part of the total may have just been lowered.
    const fresh = live.find((one) => identityOf(one) === identityOf(step.object));
    if (!over) return fresh ? { ...step, live: fresh } : step;
    const why =
      over.holder === undefined ? 'others hold more than is declared' : `${over.holder} holds some`;
    const message = `${formatObjectName(identifyObject(step.object))} waits for its part of ${over.key}: ${why}`;
    this.#problems.push({ reason: 'QuotaWaits', message });
    if (step.live) return undefined;
    return { type: 'create', object: lowerShares(step.object, undefined, shared) };
  }

  /** The policies of the API server notice the label of a namespace some milliseconds after its write. */
  #waitForPolicies(namespace: string): void {
    this.#blocked.add(namespace);
    this.#scheduleRetry(CONFLICT_RETRY);
  }

  #handleError(goal: Goal & { readonly object: KubeObject }, now: number, error: unknown): void {
    if (!(error instanceof ApiError)) throw error;
    const role = unboundRole(goal.object, error);
    if (role !== undefined)
      return this.#recordFailure(goal, now, buildMayNotBindProblem(goal.object, role));
    if (error.status === 409 || error.isNotFound) return this.#scheduleRetry(CONFLICT_RETRY);
    this.#recordFailure(goal, now, buildRefusalProblem(goal.object, error));
  }

  #recordFailure(goal: Goal, now: number, problem: Problem): void {
    this.#attempts.recordFailed(goal, now, problem);
    this.#problems.push(problem);
    this.#scheduleRetry(this.#attempts.remaining(goal, now));
  }

  #scheduleRetry(after: number): void {
    this.#retryAfter = Math.min(this.#retryAfter, after);
  }

  #goal(object: KubeObject): Goal & { readonly object: KubeObject } {
    const key = identityOf(object);
    return {
      tenant: this.#context.declared.tenant,
      key,
      object: this.#declaredObjects.get(key) ?? object,
    };
  }
}

function namespaceOf({ kind, metadata }: KubeObject): string {
  return kind === 'Namespace' ? metadata.name : metadata.namespace!;
}
