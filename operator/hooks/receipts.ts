import { MAX_MESSAGE_LENGTH, MAX_RECEIPTS } from '../../crds/hooks.ts';
import type { HookReceipt } from '../../crds/tenant-status.ts';
import type { Hook } from '../../crds/types.ts';
import { digestOf, keyOf, type PendingDelivery } from './pending-delivery.ts';
import type { HookRefused } from './sender.ts';
import { ifGone } from '@tenantry/runtime/errors/reaction';
import type { Live } from '@tenantry/runtime/kinds/kind';
import { Tenant, type TenantClass } from '../cluster/kinds.ts';
import { allow } from '@tenantry/runtime/access/grant';
import type { ContextOf } from '@tenantry/runtime/controller/declaration';
import { eventAccess } from '@tenantry/runtime/events/events';

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
      if (receipt.declared !== digestOf(hook)) return 0;
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
    declared: digestOf(hook),
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
  return new Date(time).toISOString().replace(/\.\d+Z$/, 'Z');
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
