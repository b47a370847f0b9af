import { formatTime } from '@tenantry/kube/time';
import { MAX_MESSAGE_LENGTH, MAX_RECEIPTS } from '../../crds/hooks.ts';
import type { HookReceipt } from '../../crds/tenant-status.ts';
import type { Hook, HookEvent } from '../../crds/types.ts';
import type { HookRefused } from './sender.ts';
import { ifGone } from '@tenantry/runtime/errors/reaction';
import type { Live } from '@tenantry/runtime/kinds/kind';
import { Tenant, type TenantClass } from '../cluster/kinds.ts';
import { allow } from '@tenantry/runtime/access/grant';
import type { ContextOf } from '@tenantry/runtime/controller/declaration';
import { eventAccess } from '@tenantry/runtime/events/events';
import { createHash } from 'node:crypto';
import type { Platform } from '../../model/declaration.ts';
import { findCondition } from '@tenantry/runtime/conditions/conditions';

/** The milliseconds after the first failure, and the most milliseconds. */
export const backoffProps = { first: 5000, longest: 60 * 60 * 1000 };

const second = 1000;

/** Returns the most milliseconds that an attempt may take. */
export function timeoutOf({ timeoutSeconds = 10 }: Hook): number {
  return timeoutSeconds * second;
}

/**
 * Returns the milliseconds until an attempt is due, 0 for now; undefined if the message was delivered or given up, or a
 * retry is useless. An attempt without a known result may still be running until its time is over.
 */
export function computeDueDelay({ hook, receipt }: PendingDelivery, now: Date): number | undefined {
  if (!receipt) return 0;
  const until = (time = '', longest: number): number =>
    Math.min(Math.max(0, Date.parse(time) - now.getTime()), longest);
  switch (receipt.state) {
    case 'Delivered':
    case 'GivenUp':
      return undefined;
    case 'Sending': {
      const longest = timeoutOf(hook) + second;
      return until(plus(receipt.lastAttempt, longest), longest);
    }
    case 'Failed':
      if (receipt.declared !== digestHook(hook)) return 0;
      if (receipt.nextAttempt === undefined) return undefined;
      return until(receipt.nextAttempt, backoffProps.longest);
  }
}

/** Whether nothing is left to do for the message. */
export function isSettled({ receipt }: PendingDelivery): boolean {
  return receipt?.state === 'Delivered' || receipt?.state === 'GivenUp';
}

/** Returns the receipt of an attempt that begins. */
export function markSending(
  { hook, event, receipt }: PendingDelivery,
  uid: string,
  now: Date,
): HookReceipt {
  const at = inSeconds(now.getTime());
  return {
    hook: hook.name,
    event,
    state: 'Sending',
    key: receipt?.key ?? keyOf(uid, hook.name, event),
    since: receipt?.since ?? at,
    attempts: (receipt?.attempts ?? 0) + 1,
    lastAttempt: at,
    declared: digestHook(hook),
  };
}

/** Returns the receipt of a delivered message. */
export function markDelivered(receipt: HookReceipt, reference: string): HookReceipt {
  return { ...receipt, state: 'Delivered', reference: shown(reference) };
}

/** Returns the receipt of a failed attempt. @param wait milliseconds before the next attempt, if there is one */
export function markFailed(
  receipt: HookReceipt,
  { message, final, retryAfter = 0 }: Pick<HookRefused, 'message' | 'final' | 'retryAfter'>,
  now: Date,
  wait: number,
): HookReceipt {
  const next = now.getTime() + Math.max(wait, retryAfter * second);
  return {
    ...receipt,
    state: 'Failed',
    message: shown(message),
    ...(!final && { nextAttempt: inSeconds(Math.ceil(next / second) * second) }),
  };
}

/** Returns the receipt of a message that a Tenant which is being deleted no longer waits for. */
export function markGivenUp(delivery: PendingDelivery, uid: string, now: Date): HookReceipt {
  const { nextAttempt: _, ...rest } = delivery.receipt ?? {
    ...markSending(delivery, uid, now),
    attempts: 0,
  };
  return { ...rest, state: 'GivenUp' };
}

/** Returns the receipts with one replaced or added. If there are too many, the oldest are dropped. */
function withReceipt(
  receipts: readonly HookReceipt[] = [],
  { ...one }: HookReceipt,
): readonly HookReceipt[] {
  const at = receipts.findIndex(({ hook, event }) => hook === one.hook && event === one.event);
  const all = at < 0 ? [...receipts, one] : receipts.with(at, one);
  return all.slice(-MAX_RECEIPTS);
}

/** Reduces a text to one printable line that fits into a receipt. */
function shown(text: string): string {
  return [...text.replaceAll(/\p{C}+/gu, ' ')].slice(0, MAX_MESSAGE_LENGTH).join('');
}

function plus(time = '', milliseconds: number): string {
  return inSeconds(Date.parse(time) + milliseconds);
}

function inSeconds(time: number): string {
  return formatTime(new Date(time));
}

/** The receipts in the status of one Tenant. Each write keeps the receipts of earlier writes. */
export class TenantReceipts {
  readonly #client: DeliveryContext['client'];
  #now: Live<typeof Tenant>;

  constructor({ client, object }: Pick<DeliveryContext, 'client' | 'object'>) {
    this.#client = client;
    this.#now = object;
  }

  /**
   * Writes a receipt, on condition that the Tenant is as it was last read or written. Returns whether the Tenant still
   * exists.
   */
  async write(receipt: HookReceipt): Promise<boolean> {
    const { metadata, status } = this.#now;
    const { name, uid, resourceVersion } = metadata;
    const patch = {
      metadata: { uid, resourceVersion },
      status: { hooks: withReceipt(status?.hooks, receipt) },
    };
    const written = await this.#client
      .patch(Tenant, { name }, patch, { subresource: 'status' })
      .catch(ifGone);
    this.#now = written ?? this.#now;
    return written !== undefined;
  }
}

/** The access of the hook controller, besides watching Tenants and classes and having its finalizer. */
export const hookAccess = [allow(Tenant, 'patch').subresource('status'), ...eventAccess] as const;

/** The context in which messages about a tenant are delivered. */
export type DeliveryContext = ContextOf<
  typeof Tenant,
  [],
  readonly [typeof TenantClass],
  typeof hookAccess
>;

type LiveTenant = Live<typeof Tenant>;

/** A pending message to a hook, and its receipt so far. */
export interface PendingDelivery {
  readonly hook: Hook;
  readonly event: HookEvent;
  /** Undefined before the first attempt. */
  readonly receipt: HookReceipt | undefined;
}

/** Returns the key by which a receiver recognizes repeated attempts. It is unique to the tenant, hook and event. */
export function keyOf(uid: string, hook: string, event: HookEvent): string {
  return createHash('sha256').update(`${uid}\n${hook}\n${event}`).digest('hex').slice(0, 32);
}

/** Returns the digest of a hook's declaration. A changed declaration retries what was finally refused. */
export function digestHook(hook: Hook): string {
  return createHash('sha256').update(JSON.stringify(hook)).digest('hex').slice(0, 10);
}

/**
 * Returns the pending messages about a tenant: its onboarding, once it is ready for the first time, or its offboarding,
 * while it is being deleted. A hook that receives both gets the offboarding only if it may have received the
 * onboarding.
 */
export function findPendingDeliveries(
  tenant: LiveTenant,
  platform: Platform,
  hooks: readonly Hook[],
): PendingDelivery[] {
  const isGoing = tenant.metadata.deletionTimestamp !== undefined;
  return hooks.flatMap((hook): PendingDelivery[] => {
    if (!isFor(hook, tenant, platform)) return [];
    const event = isGoing ? 'Offboarding' : 'Onboarded';
    if (!hook.events.includes(event)) return [];
    const receipt = findReceipt(tenant, hook, event);
    const isCalled = isGoing
      ? wasOnboardingSent(hook, tenant)
      : receipt !== undefined || isOnboarded(tenant);
    return isCalled ? [{ hook, event, receipt }] : [];
  });
}

/** Whether a hook must receive the tenant's offboarding, so that the Tenant must not be deleted before. */
export function hasPendingOffboarding(
  tenant: LiveTenant,
  platform: Platform,
  hooks: readonly Hook[],
): boolean {
  return hooks.some(
    (hook) =>
      hook.events.includes('Offboarding') &&
      isFor(hook, tenant, platform) &&
      (wasOnboardingSent(hook, tenant) || isOnboarded(tenant)),
  );
}

function isFor(
  { classes, since }: Hook,
  { metadata, spec }: LiveTenant,
  platform: Platform,
): boolean {
  const klass = spec?.className ?? platform.defaultClass;
  if (classes && !classes.includes(klass)) return false;
  const made = Date.parse(metadata.creationTimestamp);
  return since === undefined || made >= Date.parse(since);
}

function wasOnboardingSent(hook: Hook, tenant: LiveTenant): boolean {
  const hasOnboarding = hook.events.includes('Onboarded');
  return !hasOnboarding || findReceipt(tenant, hook, 'Onboarded') !== undefined;
}

function findReceipt(
  { status }: LiveTenant,
  hook: Hook,
  event: HookEvent,
): HookReceipt | undefined {
  return status?.hooks?.find((one) => one.hook === hook.name && one.event === event);
}

/** Whether all its objects declared for this cluster exist, according to a status of its current generation. */
export function isOnboarded({ metadata, spec, status }: LiveTenant): boolean {
  if (spec?.cordoned || status?.observedGeneration !== metadata.generation) return false;
  const ready = findCondition(status?.conditions, 'Ready');
  return ready?.status === 'True' && ready.reason === 'AsDeclared';
}
