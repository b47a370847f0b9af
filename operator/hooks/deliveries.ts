import type { HookReceipt } from '../../crds/tenant-status.ts';
import type { Clock, Random } from '@tenantry/runtime/clock/clock';
import { Backoff } from '@tenantry/runtime/clock/pacing';
import type { ObjectEvent } from '@tenantry/runtime/controller/context';
import type { Log } from '@tenantry/runtime/log/log';
import { attemptDelivery, type DeliveryAttempt, type AttemptProps } from './attempt.ts';
import {
  type PendingDelivery,
  backoffProps,
  markSending,
  markDelivered,
  computeDueDelay,
  markFailed,
  timeoutOf,
} from './receipts.ts';
import { HookRefused, type HookCall, type TenantFacts } from './sender.ts';

/** The outcome of one attempt, as metrics count it. */
export type AttemptOutcome = 'delivered' | 'failed' | 'refused';

/** The dependencies of `Deliveries`. */
interface DeliveriesProps extends AttemptProps {
  readonly random: Random;
  /** Called after each attempt. */
  readonly ended: (delivery: PendingDelivery, outcome: AttemptOutcome) => void;
}

/** A tenant about which hooks are called. */
export interface DeliverySubject {
  readonly uid: string;
  /** Called when a message is sent. */
  readonly facts: () => TenantFacts;
  /**
   * Writes a receipt into the status, on condition that the status is the one that was read or written last. So only
   * one of two concurrent attempts begins, and a slow one cannot overwrite a later receipt.
   * @returns whether the Tenant still exists
   */
  readonly write: (receipt: HookReceipt) => Promise<boolean>;
  readonly event: (event: ObjectEvent) => void;
  readonly clock: Clock;
  readonly stop: AbortSignal;
  readonly log: Log;
}

/** Delivers pending messages to hooks, attempt by attempt. */
export class Deliveries {
  readonly #props: DeliveriesProps;
  readonly #backoff: Backoff;
  readonly #circuitBreaker = new CircuitBreaker();
  /** Results of attempts that could not be written to the status, by key. */
  readonly #unwritten = new Map<string, HookReceipt>();

  constructor(props: DeliveriesProps) {
    this.#props = props;
    this.#backoff = new Backoff(props.random, backoffProps);
  }

  /**
   * Makes the attempts that are due.
   * @returns the state afterwards and the milliseconds until the next attempt, 0 for now; undefined if nothing is due
   */
  async deliver(
    delivery: PendingDelivery,
    subject: DeliverySubject,
  ): Promise<{ readonly delivery: PendingDelivery; readonly due: number | undefined }> {
    const { clock, stop } = subject;
    const known = await this.#remembered(delivery, subject);
    const due = computeDueDelay(known, clock.date());
    if (due === undefined) return { delivery: known, due };
    const wait = Math.max(due, this.#circuitBreaker.remaining(delivery.hook.name, clock.now()));
    if (wait > 0 || stop.aborted) return { delivery: known, due: wait };
    const after = await this.#tried(known, subject);
    // No further calls are made about a deleted tenant.
    return after
      ? { delivery: after, due: computeDueDelay(after, clock.date()) }
      : { delivery: known, due: undefined };
  }

  /** Writes the result of an earlier attempt that could not be written then. */
  async #remembered(delivery: PendingDelivery, subject: DeliverySubject): Promise<PendingDelivery> {
    const { receipt } = delivery;
    const end = receipt && this.#unwritten.get(receipt.key);
    if (!end) return delivery;
    if (receipt.state === 'Sending' && receipt.attempts === end.attempts) {
      return this.#ended(delivery, end, subject);
    }
    this.#unwritten.delete(end.key);
    return delivery;
  }

  /** Makes one attempt. Returns undefined if the Tenant is gone and no attempt was begun. */
  async #tried(
    delivery: PendingDelivery,
    subject: DeliverySubject,
  ): Promise<PendingDelivery | undefined> {
    const { clock, uid, facts, write, stop } = subject;
    const { hook, event } = delivery;
    const began = clock.now();
    const receipt = markSending(delivery, uid, clock.date());
    const { key, since: at, attempts } = receipt;
    const call: HookCall = { key, event, at, tenant: facts() };
    if (!(await write(receipt))) return undefined;
    // Another process that finds this receipt counts its timeout from the receipt's time, so the time for writing it is
    // deducted.
    const time = timeoutOf(hook) - (clock.now() - began);
    const isAgain = attempts > 1;
    const end = await this.#attempt({ hook, call, isAgain, time, clock, stop }).then(
      (reference) => this.#taken(delivery, receipt, reference),
      (error: unknown) => this.#refused(delivery, receipt, error, subject),
    );
    return this.#ended(delivery, end, subject);
  }

  async #attempt(one: DeliveryAttempt): Promise<string> {
    if (one.time > 0) return attemptDelivery(this.#props, one);
    throw new HookRefused('its receipt took too long to write', { final: false });
  }

  async #ended(
    delivery: PendingDelivery,
    end: HookReceipt,
    subject: DeliverySubject,
  ): Promise<PendingDelivery> {
    this.#unwritten.set(end.key, end);
    await subject.write(end);
    this.#unwritten.delete(end.key);
    this.#report(delivery, end, subject);
    return { ...delivery, receipt: end };
  }

  #taken(delivery: PendingDelivery, receipt: HookReceipt, reference: string): HookReceipt {
    this.#circuitBreaker.close(delivery.hook.name);
    this.#props.ended(delivery, 'delivered');
    return markDelivered(receipt, reference);
  }

  #refused(
    delivery: PendingDelivery,
    receipt: HookReceipt,
    error: unknown,
    subject: DeliverySubject,
  ): HookReceipt {
    const { clock, log } = subject;
    const { hook, event } = delivery;
    if (!(error instanceof HookRefused)) throw error;
    const { final, isBusy, retryAfter = 0, message } = error;
    if (isBusy) this.#circuitBreaker.open(hook.name, clock.now(), retryAfter * 1000);
    else this.#circuitBreaker.close(hook.name);
    this.#props.ended(delivery, final ? 'refused' : 'failed');
    const { attempts } = receipt;
    log.warn('a hook delivery failed', { hook: hook.name, event, attempts, final, why: message });
    return markFailed(receipt, error, clock.date(), this.#backoff.delayAfter(attempts));
  }

  /** Emits an event for a final result and for the first failure. */
  #report(
    { hook, event }: PendingDelivery,
    end: HookReceipt,
    { event: emit, log }: DeliverySubject,
  ): void {
    const { state, attempts, message, nextAttempt, reference } = end;
    const action = 'CallHook';
    if (state === 'Delivered') {
      log.info('a hook delivery succeeded', { hook: hook.name, event, attempts, reference });
      emit({ reason: 'HookDelivered', action, note: `${hook.name}: ${event} (${reference})` });
    } else if (attempts === 1 || nextAttempt === undefined) {
      const again = nextAttempt === undefined ? 'not tried again as it is declared' : 'tried again';
      const note = `${hook.name}: ${event}: ${message}; ${again}`;
      emit({ type: 'Warning', reason: 'HookFailed', action, note });
    }
  }
}

/** Milliseconds of the first pause, and of the longest one unless the receiver requests more. */
const first = 1000;
const longest = 60_000;

/**
 * Pauses calls to a hook whose receiver does not answer, for all tenants. A receiver that is slow or down is not called
 * a thousand times, and does not keep workers from other hooks.
 */
class CircuitBreaker {
  readonly #pauses = new Map<string, { readonly until: number; readonly failures: number }>();

  /** Returns the milliseconds that are left of the pause. */
  remaining(hook: string, now: number): number {
    return Math.max(0, (this.#pauses.get(hook)?.until ?? 0) - now);
  }

  /**
   * Starts a pause.
   * @param requested milliseconds that the receiver requests
   */
  open(hook: string, now: number, requested = 0): void {
    const failures = (this.#pauses.get(hook)?.failures ?? 0) + 1;
    const own = Math.min(first * 2 ** (failures - 1), longest);
    this.#pauses.set(hook, { until: now + Math.max(own, requested), failures });
  }

  /** Ends the pause: the receiver has answered. */
  close(hook: string): void {
    this.#pauses.delete(hook);
  }
}
