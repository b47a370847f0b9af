import { LONGEST_SAID, MOST_RECEIPTS } from '../../crds/tenantry/hooks.ts';
import type { HookReceipt } from '../../crds/tenantry/tenant-status.ts';
import type { Hook } from '../../crds/tenantry/types.ts';
import { digestOf, keyOf, type PendingDelivery } from './pending-delivery.ts';
import type { HookRefused } from './sender.ts';

/** Milliseconds after the first failure, and those that it never passes. */
export const backoffProps = { first: 5000, longest: 60 * 60 * 1000 };

const second = 1000;

/** Milliseconds that an attempt may take. */
export function timeoutOf({ timeoutSeconds = 10 }: Hook): number {
  return timeoutSeconds * second;
}

/**
 * In how many milliseconds something is to be tried: 0 for now; undefined where it was delivered, was given up, or
 * trying again is of no use. An attempt of which nobody knows the end may still be under way until its time is over.
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

/** Whether nothing is to be done for it any more. */
export function isSettled({ receipt }: PendingDelivery): boolean {
  return receipt?.state === 'Delivered' || receipt?.state === 'GivenUp';
}

/** The receipt of an attempt that begins. */
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

/** The receipt of what was taken. */
export function markDelivered(receipt: HookReceipt, reference: string): HookReceipt {
  return { ...receipt, state: 'Delivered', reference: shown(reference) };
}

/** The receipt of what was not. @param wait milliseconds before the next attempt, where there is to be one */
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

/** The receipt of what a Tenant that goes no longer waits for. */
export function markGivenUp(owed: PendingDelivery, uid: string, now: Date): HookReceipt {
  const { nextAttempt: _, ...rest } = owed.receipt ?? {
    ...markSending(owed, uid, now),
    attempts: 0,
  };
  return { ...rest, state: 'GivenUp' };
}

/** The receipts with one in the place of what was known of the same; of too many, the oldest go. */
export function withReceipt(
  receipts: readonly HookReceipt[] = [],
  { ...one }: HookReceipt,
): readonly HookReceipt[] {
  const at = receipts.findIndex(({ hook, event }) => hook === one.hook && event === one.event);
  const all = at < 0 ? [...receipts, one] : receipts.with(at, one);
  return all.slice(-MOST_RECEIPTS);
}

/** One line of characters that can be shown, and no more than a receipt holds. */
function shown(text: string): string {
  return [...text.replaceAll(/\p{C}+/gu, ' ')].slice(0, LONGEST_SAID).join('');
}

function plus(time = '', milliseconds: number): string {
  return inSeconds(Date.parse(time) + milliseconds);
}

function inSeconds(time: number): string {
  return new Date(time).toISOString().replace(/\.\d+Z$/, 'Z');
}
