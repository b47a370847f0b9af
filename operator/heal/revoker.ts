import type { Platform } from '../../model/declaration.ts';
import { findProtection } from '../../model/protected.ts';
import { TENANT_LABEL } from '@tenantry/kube/cascade-root';
import { omitUndefined } from '@tenantry/kube/mapping';
import { identityOf, type KubeObject } from '@tenantry/kube/object';
import { ApiError } from '@tenantry/runtime/errors/api-error';
import { ifGone } from '@tenantry/runtime/errors/reaction';
import { Namespace } from '@tenantry/runtime/kinds/core';
import type { Live } from '@tenantry/runtime/kinds/kind';
import { RoleBinding } from '@tenantry/runtime/kinds/rbac';
import type { Tenant } from '../cluster/kinds.ts';
import type { KeptLive, TenantObjects } from '../cluster/tenant-objects.ts';
import { formatObjectName, identifyObject } from '../drift/object-drift.ts';
import type { DeclaredState } from '../drift/tenant-drift.ts';
import { findLifecycle } from '../fleet/declarations.ts';
import {
  CONFLICT_RETRY,
  MAX_HEALINGS,
  GracePeriods,
  type HealAttempts,
  type Goal,
  buildRefusalProblem,
  type Problem,
} from './attempts.ts';
import { FIELD_MANAGER } from './apply-step.ts';
import { HandMadeBindings, type HandMadeBinding } from './hand-made-bindings.ts';
import type { HealClient } from './policy.ts';
import { isStillCurrent } from './preconditions.ts';

/** A tenant whose access is checked. */
export interface RevokeContext {
  readonly tenant: Live<typeof Tenant>;
  /** Undefined if it is not known; then access is revoked only in Retired namespaces. */
  readonly declared: DeclaredState | undefined;
  readonly objects: TenantObjects;
  readonly client: HealClient;
  /** Returns the clock's time in milliseconds. */
  now(): number;
}

/** The result of a run. */
export interface RevokeResult {
  readonly revoked: readonly KubeObject[];
  readonly problems: readonly Problem[];
  /** Milliseconds until the next attempt. */
  readonly retryAfter?: number;
}

/** An undeclared role binding of a tenant. */
interface RevocableBinding {
  readonly live: KeptLive;
  /** Whether it is removed regardless of who created it; otherwise only if the operator did. */
  readonly byAnybody: boolean;
  /** After `UNDECLARED_GRACE` it is removed regardless of who created it. @default false */
  readonly hasGrace?: boolean;
  /** Milliseconds that are left of the grace period. @default - none */
  readonly graceLeft?: number;
  /** Set if it does not carry the tenant's label. @default - it does */
  readonly handMade?: HandMadeBinding;
}

/**
 * Milliseconds for which a role binding that the operator did not create must be undeclared before it is removed. Argo
 * CD syncs bindings and the Tenant that declares them independently, so a new binding may arrive first.
 */
export const UNDECLARED_GRACE = 60_000;
/** The goal of a removal, for `HealAttempts`. */
const REMOVED = { revoked: true };

/**
 * Removes undeclared role bindings from namespaces with a tenant's label:
 *
 * - with the label, if the tenant is suspended or retired: all
 * - with the label, otherwise: those that the operator created at once, and those that others created after
 *   `UNDECLARED_GRACE`
 * - without the label, if the tenant is suspended or retired: those that grant access to subjects who must have none
 *
 * Namespaces that a tenant no longer names stay unchanged until it is Retired. When a Tenant that was applied from Git
 * is deleted, all bindings that the operator created are removed.
 */
export class Revoker {
  readonly #platform: Platform;
  readonly #attempts: HealAttempts;
  /** Bindings that the operator did not create. */
  readonly #madeByOthers = new WeakSet<KeptLive>();
  /** Undeclared bindings of others, by UID. */
  readonly #undeclared = new GracePeriods(UNDECLARED_GRACE);
  readonly #handMade: HandMadeBindings;

  constructor(platform: Platform, attempts: HealAttempts) {
    this.#platform = platform;
    this.#attempts = attempts;
    this.#handMade = new HandMadeBindings(platform);
  }

  /** Reports undeclared bindings that grant access where there must be none, and that may not be removed. */
  report(context: RevokeContext): Promise<readonly Problem[]> {
    this.forget(context.tenant.metadata.name);
    return this.#handMade.report(context, context.client);
  }

  /** Drops the grace periods of a tenant's bindings. */
  forget(tenant: string): void {
    this.#undeclared.forget(tenant);
  }

  /** Revokes access. Rejects if the API server cannot be reached; a refused removal is a problem in the result. */
  async revoke(context: RevokeContext): Promise<RevokeResult> {
    const handMade = this.#handMade.find(context);
    const revocable = this.#afterGrace(findRevocableBindings(context), context);
    const due = [
      ...revocable.filter(({ live, byAnybody }) => byAnybody || !this.#madeByOthers.has(live)),
      ...handMade.map((one): RevocableBinding => ({
        live: one.live,
        byAnybody: true,
        handMade: one,
      })),
    ];
    const { tenant, client, now } = context;
    const isAnyNow = due.some(
      ({ live }) => this.#attempts.remaining(buildGoal(live, tenant), now()) === 0,
    );
    if (isAnyNow && !(await isStillCurrent(tenant, client))) {
      return { revoked: [], problems: [], retryAfter: CONFLICT_RETRY };
    }
    const revoked: KubeObject[] = [];
    const problems: Problem[] = [];
    let retryAfter = Infinity;
    for (const one of due) {
      const revocation = await this.#revokeOne(one, context);
      if (revocation.isGone) revoked.push(one.live as KubeObject);
      if (revocation.problem) {
        const remaining = one.handMade && this.#handMade.undeletedProblem(one.handMade);
        problems.push(revocation.problem, ...(remaining ? [remaining] : []));
      }
      retryAfter = Math.min(retryAfter, revocation.retryAfter ?? Infinity);
    }
    for (const { live, graceLeft = Infinity } of revocable) {
      if (!revoked.includes(live as KubeObject)) retryAfter = Math.min(retryAfter, graceLeft);
    }
    return omitUndefined({
      revoked,
      problems,
      retryAfter: retryAfter < Infinity ? retryAfter : undefined,
    });
  }

  /**
   * Selects bindings of others that have been undeclared for long enough; for the rest it adds the time that is left.
   */
  #afterGrace(
    revocable: readonly RevocableBinding[],
    { tenant: { metadata }, now }: RevokeContext,
  ): readonly RevocableBinding[] {
    const at = now();
    const uids = revocable.filter(({ hasGrace }) => hasGrace).map(({ live }) => live.metadata.uid);
    this.#undeclared.observe(metadata.name, uids, at);
    return revocable.map((one) => {
      if (!one.hasGrace) return one;
      const graceLeft = this.#undeclared.remaining(metadata.name, one.live.metadata.uid, at);
      return graceLeft > 0 ? { ...one, graceLeft } : { ...one, byAnybody: true };
    });
  }

  async #revokeOne(one: RevocableBinding, context: RevokeContext): Promise<Revocation> {
    const { tenant, client, now } = context;
    const object = one.live as KubeObject;
    const goal = buildGoal(one.live, tenant);
    const left = this.#attempts.remaining(goal, now());
    if (left > 0) return { problem: this.#attempts.problem(goal), retryAfter: left };
    try {
      const binding = await this.#read(one, context);
      if (!binding) return {};
      const { name, namespace, uid, resourceVersion } = binding.metadata;
      const preconditions = { uid, resourceVersion };
      await client.delete(RoleBinding, { name, namespace }, { preconditions }).catch(ifGone);
      this.#attempts.recordHealed(goal, now(), buildRevokeFightProblem(object));
      return { isGone: true };
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.status === 409) return { retryAfter: CONFLICT_RETRY };
      const problem = buildRefusalProblem(object, error);
      this.#attempts.recordFailed(goal, now(), problem);
      return { problem, retryAfter: this.#attempts.remaining(goal, now()) };
    }
  }

  /** Reads the current state of a binding to remove; undefined if it does not exist, or is not the tenant's. */
  async #read(
    { live, byAnybody, handMade }: RevocableBinding,
    { tenant, client }: RevokeContext,
  ): Promise<Live<typeof RoleBinding> | undefined> {
    const { name, namespace = '' } = live.metadata;
    const space = await client.get(Namespace, { name: namespace }).catch(ifGone);
    const isOwn = (one: Live): boolean =>
      one.metadata.labels?.[TENANT_LABEL] === tenant.metadata.name;
    if (!space || !isOwn(space) || findProtection(this.#platform, namespace)) return undefined;
    const binding = await client.get(RoleBinding, { name, namespace }).catch(ifGone);
    if (!binding || isOwn(binding) === (handMade !== undefined)) return undefined;
    if (handMade && !this.#handMade.isRemaining(handMade, binding)) return undefined;
    if (byAnybody || isMadeByOperator(binding)) return binding;
    this.#madeByOthers.add(live);
    return undefined;
  }
}

function buildGoal(live: KeptLive, { metadata }: Live<typeof Tenant>): Goal {
  return { tenant: metadata.name, key: identityOf(live as KubeObject), object: REMOVED };
}

interface Revocation {
  readonly isGone?: true;
  readonly problem?: Problem | undefined;
  readonly retryAfter?: number;
}

function findRevocableBindings({
  tenant,
  declared,
  objects,
}: RevokeContext): readonly RevocableBinding[] {
  const keys = new Set(declared?.objects.map(identityOf));
  const appObjects = declared?.appObjects ?? new Set();
  const named = new Set(declared?.namespaces);
  return objects.bindingsOf(tenant.metadata.name).flatMap((live) => {
    const { namespace = '' } = live.metadata;
    const lifecycle = findLifecycle(tenant, namespace);
    const isActive = lifecycle === 'Active';
    const identity = identityOf(live as KubeObject);
    const isDeclared = keys.has(identity) || (isActive && appObjects.has(identity));
    const isRequested = lifecycle === 'Retired' || named.has(namespace);
    if (!isDeclared && isRequested) {
      // The deletion of a Tenant does not wait.
      const hasGrace = isActive && tenant.metadata.deletionTimestamp === undefined;
      return [omitUndefined({ live, byAnybody: !isActive, hasGrace: hasGrace || undefined })];
    }
    return isLeftBehind(live, tenant) ? [{ live, byAnybody: false }] : [];
  });
}

/**
 * Whether a GitOps tool would leave the binding behind. It deletes the Tenant and the bindings that it applied, but
 * does not know a binding that the operator created again in between.
 */
function isLeftBehind(live: KeptLive, tenant: Live<typeof Tenant>): boolean {
  return (
    tenant.metadata.deletionTimestamp !== undefined &&
    isAppliedFromGit(tenant) &&
    !isAppliedFromGit(live)
  );
}

function isMadeByOperator({ metadata: { managedFields = [] } }: Live): boolean {
  return managedFields.some(({ manager }) => manager === FIELD_MANAGER);
}

function buildRevokeFightProblem(object: KubeObject): Problem {
  const message = `${formatObjectName(identifyObject(object))} was revoked ${MAX_HEALINGS} times or more, and is created again`;
  return { reason: 'Fought', message };
}

/**
 * The marks by which GitOps tools track the objects that they applied: Flux, and Argo CD with annotation or label
 * tracking.
 * Source: https://argo-cd.readthedocs.io/en/stable/user-guide/resource_tracking/
 * Source: https://fluxcd.io/flux/components/kustomize/kustomizations/#garbage-collection
 */
const trackingKeys = {
  annotations: ['argocd.argoproj.io/tracking-id'],
  labels: ['app.kubernetes.io/instance', 'kustomize.toolkit.fluxcd.io/name'],
} as const;

/** Whether an object was applied from Git and will be pruned once it is removed there. */
export function isAppliedFromGit({ metadata: { annotations = {}, labels = {} } }: Live): boolean {
  return (
    trackingKeys.annotations.some((key) => Object.hasOwn(annotations, key)) ||
    trackingKeys.labels.some((key) => Object.hasOwn(labels, key))
  );
}
