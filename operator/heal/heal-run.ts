import type { Platform } from '../../model/declaration.ts';
import type { DriftPolicy } from '../../crds/types.ts';
import { identityOf } from '@tenantry/kube/identity';
import { omitUndefined } from '@tenantry/kube/mapping';
import type { KubeObject } from '@tenantry/kube/object';
import { ApiError } from '@tenantry/runtime/errors/api-error';
import { ifGone } from '@tenantry/runtime/errors/reaction';
import { Namespace } from '@tenantry/runtime/kinds/core';
import type { Live } from '@tenantry/runtime/kinds/kind';
import { wholeKindOf, type Tenant } from '../cluster/kinds.ts';
import type { TenantObjects } from '../cluster/tenant-objects.ts';
import {
  formatObjectName,
  findObjectDrift,
  identifyObject,
  type Drift,
} from '../drift/object-drift.ts';
import type { DeclaredState } from '../drift/tenant-drift.ts';
import { buildFightProblem, type GracePeriods, type HealAttempts, type Goal } from './attempts.ts';
import { applyStep } from './apply-step.ts';
import {
  buildChangedOnWriteProblem,
  findDeletionProblem,
  buildMayNotBindProblem,
  buildRefusalProblem,
  unboundRole,
  type Problem,
} from './problem.ts';
import {
  classifyNamespace,
  DeclarationSnapshot,
  partsOf,
  isStillCurrent,
  type NamespaceOwnership,
  type DeclarationCache,
} from './preconditions.ts';
import type { HealClient } from './policy.ts';
import {
  planSteps,
  findExceededKey,
  lowerShares,
  sharesOf,
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

/** Milliseconds until the next attempt after a conflict, when the current state is not known yet. */
const AT_ONCE = 1_000;

/** Heals a tenant once: creates missing objects and restores drifted ones. */
export class HealRun {
  readonly #healing: HealContext;
  readonly #platform: Platform;
  readonly #attempts: HealAttempts;
  readonly #absences: GracePeriods;
  readonly #decided: DeclarationSnapshot;
  readonly #healed: HealedObject[] = [];
  readonly #problems: Problem[] = [];
  /** Suspected objects as declared. */
  readonly #wanted = new Map<string, KubeObject>();
  /** Namespaces that become the tenant's by writes of this run. */
  readonly #adopted = new Set<string>();
  /** Namespaces in which nothing can be written. */
  readonly #closed = new Set<string>();
  #retryAfter = Infinity;

  constructor(
    healing: HealContext,
    platform: Platform,
    attempts: HealAttempts,
    absences: GracePeriods,
  ) {
    const { tenant, declarations } = healing;
    this.#healing = healing;
    this.#platform = platform;
    this.#attempts = attempts;
    this.#absences = absences;
    this.#decided = new DeclarationSnapshot(tenant, declarations, platform.defaultClass);
  }

  async run(suspects: readonly KubeObject[]): Promise<HealRunResult> {
    const { policy, shared } = this.#healing;
    for (const object of suspects) this.#wanted.set(identityOf(object), object);
    const due = suspects.filter((object) => this.#isDue(object));
    if (due.length > 0 && (await this.#isStillCurrent())) {
      await this.#open(due);
      const whole = await this.#read(due.filter((one) => !this.#closed.has(namespaceOf(one))));
      for (const step of planSteps(whole, policy, shared)) await this.#take(step);
    }
    return omitUndefined({
      healed: this.#healed,
      problems: this.#problems,
      retryAfter: this.#retryAfter < Infinity ? this.#retryAfter : undefined,
    });
  }

  #isDue(object: KubeObject): boolean {
    const goal = this.#goal(object);
    const now = this.#healing.now();
    const away = this.#absences.remaining(goal.tenant, goal.key, now);
    const left = Math.max(away, this.#attempts.remaining(goal, now));
    const problem = this.#attempts.problem(goal);
    if (left === 0) return true;
    if (problem) this.#problems.push(problem);
    this.#retry(left);
    // Nothing is written in a Namespace that cannot be written itself.
    if (object.kind === 'Namespace') this.#closed.add(object.metadata.name);
    return false;
  }

  /** Whether the Tenant and its classes are unchanged: memory is some milliseconds late, and sometimes minutes. */
  async #isStillCurrent(): Promise<boolean> {
    const { client, tenant } = this.#healing;
    return (
      (await this.#decided.hasCurrentClasses(client)) && (await isStillCurrent(tenant, client))
    );
  }

  /** Checks for each namespace whether it is the tenant's. */
  async #open(due: readonly KubeObject[]): Promise<void> {
    const { client, declared, policy } = this.#healing;
    for (const name of new Set(due.map(namespaceOf))) {
      const live = await client.get(Namespace, { name }).catch(ifGone);
      const { tenant } = declared;
      const context = { tenant, platform: this.#platform, policy };
      const ground = classifyNamespace(name, live as KubeObject | undefined, context);
      if (ground === 'adopted') this.#adopted.add(name);
      if (this.#isOpen(name, ground, due)) continue;
      this.#closed.add(name);
      if (typeof ground !== 'object') continue;
      const reason = 'NamespaceNotOurs';
      this.#problems.push({
        reason,
        message: `Namespace ${name} is left alone: ${ground.notOurs}`,
      });
    }
  }

  #isOpen(name: string, ground: NamespaceOwnership, due: readonly KubeObject[]): boolean {
    if (ground === 'own') return !this.#closed.has(name);
    // The Namespace itself is written first, and opens it.
    const isNext = due.some(({ kind, metadata }) => kind === 'Namespace' && metadata.name === name);
    return isNext && (ground === 'absent' || ground === 'adopted');
  }

  /** Reads objects. A refusal for one of them does not keep others from being healed. */
  async #read(due: readonly KubeObject[]): Promise<HealCandidate[]> {
    const { client, now } = this.#healing;
    const read = await Promise.all(
      due.map(async (object) => {
        const { name, namespace } = object.metadata;
        try {
          const live = await client.get(wholeKindOf(object), { name, namespace }).catch(ifGone);
          return { object, live: live as KubeObject | undefined };
        } catch (error) {
          if (!(error instanceof ApiError && error.isForbidden)) throw error;
          this.#failed(this.#goal(object), now(), buildRefusalProblem(object, error));
          return undefined;
        }
      }),
    );
    return read.filter((one) => one !== undefined);
  }

  async #take(step: HealStep): Promise<void> {
    const namespace = namespaceOf(step.object);
    if (this.#closed.has(namespace) || !this.#decided.isCurrent()) return;
    const fitting = step.raises ? await this.#fitting(step) : step;
    if (!fitting) return;
    const now = this.#healing.now();
    const goal = this.#goal(step.object);
    const held = fitting.live && findDeletionProblem(fitting.live);
    if (held) return this.#failed(goal, now, held);
    try {
      const outcome = await applyStep(fitting, this.#healing.client);
      if (outcome === 'unchanged')
        return this.#failed(goal, now, buildChangedOnWriteProblem(step.object));
      const { type, object, live } = fitting;
      if (this.#adopted.has(namespace)) this.#rest(namespace);
      const drift = live ? findObjectDrift(object, live as Live) : [];
      this.#healed.push({ type, object, drift });
      if (object === goal.object)
        this.#attempts.recordHealed(goal, now, buildFightProblem(object, drift));
    } catch (error) {
      if (step.object.kind === 'Namespace') this.#closed.add(namespace);
      this.#refused(goal, now, error);
    }
  }

  /** Returns the step as far as the tenant's total allows it now. A missing quota does not limit it. */
  async #fitting(step: HealStep): Promise<HealStep | undefined> {
    const { client, declared, objects, shared } = this.#healing;
    const live = await partsOf(declared, objects, client);
    const quotas = declared.objects.filter((one) => sharesOf(one, shared).size > 0);
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
  #rest(namespace: string): void {
    this.#closed.add(namespace);
    this.#retry(AT_ONCE);
  }

  #refused(goal: Goal & { readonly object: KubeObject }, now: number, error: unknown): void {
    if (!(error instanceof ApiError)) throw error;
    const role = unboundRole(goal.object, error);
    if (role !== undefined)
      return this.#failed(goal, now, buildMayNotBindProblem(goal.object, role));
    if (error.status === 409 || error.isNotFound) return this.#retry(AT_ONCE);
    this.#failed(goal, now, buildRefusalProblem(goal.object, error));
  }

  #failed(goal: Goal, now: number, problem: Problem): void {
    this.#attempts.recordFailed(goal, now, problem);
    this.#problems.push(problem);
    this.#retry(this.#attempts.remaining(goal, now));
  }

  #retry(after: number): void {
    this.#retryAfter = Math.min(this.#retryAfter, after);
  }

  #goal(object: KubeObject): Goal & { readonly object: KubeObject } {
    const key = identityOf(object);
    return {
      tenant: this.#healing.declared.tenant,
      key,
      object: this.#wanted.get(key) ?? object,
    };
  }
}

function namespaceOf({ kind, metadata }: KubeObject): string {
  return kind === 'Namespace' ? metadata.name : metadata.namespace!;
}
