import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { LeaseName } from '@tenantry/kube/access';
import type { Client } from '../client/client.ts';
import { Election, type ElectionProps } from './election.ts';
import { resolveTiming, type TimingProps } from './term.ts';
import { formatMicroTime, type Clock } from '../clock/clock.ts';
import { ifExists, ifGone, ifOutdated } from '../errors/reaction.ts';
import { Lease, type LeaseSpec } from '../kinds/coordination.ts';
import type { Live } from '../kinds/kind.ts';
import type { Lock } from './leader-election.ts';

/** The options of an election by renewing a Lease. */
export interface LeaseElectionProps extends ElectionProps, TimingProps {
  readonly client: Pick<Client, 'get' | 'create' | 'update'>;
  /** The Lease, with the name of the operator and the namespace in which it runs. */
  readonly lease: LeaseName;
  /** The identity of this replica, unique to the process. @default - the host name and a random UUID */
  readonly identity?: string | undefined;
}

/**
 * Returns an election in which the leader renews a Lease. For replicas with the same Lease, whatever their durations:
 *
 * - No two replicas are certain to lead at the same time, and no two have a signal that has not aborted. This holds if
 *   their clocks run at rates that differ from the true one by less than 9%. Writes stop at the `renewDeadline`, even
 *   in a blocked replica (`isLeading`), and others wait for the `leaseDuration`. No machine's date is trusted.
 * - After the leader dies, another one leads within `leaseDuration` and two `retryPeriod`s. After it stops, within one
 *   `retryPeriod`. The time that the server takes is added.
 * - A write that began in time may still arrive when another replica leads: the server does not check the lease.
 *
 * If somebody deletes the Lease while a replica leads, that replica creates it again. A replica that has never seen it
 * and starts at that moment may lead at once.
 *
 * @example
 * ```ts
 * import { leaseElection, Manager } from '@tenantry/runtime';
 *
 * const lease = { name: 'shops', namespace: 'shops' };
 * export const manager = new Manager({
 *   leaderElection: (deps) => leaseElection({ ...deps, lease, onLost: 'standby' }),
 * });
 * ```
 *
 * @throws {RangeError} if the durations do not fit together
 */
export function leaseElection(props: LeaseElectionProps): Election {
  const { client, clock, lease, identity = `${hostname()}_${randomUUID()}` } = props;
  if (identity === '') throw new RangeError(`identity must not be empty, got ''`);
  const timing = resolveTiming(props);
  const { leaseDuration } = timing;
  const lock = new LeaseLock({ client, name: lease, identity, leaseDuration, clock });
  return new Election(lock, timing, props);
}

interface LeaseLockProps {
  readonly client: Pick<Client, 'get' | 'create' | 'update'>;
  readonly name: LeaseName;
  /** Unique to this process: two with the same identity would both lead. */
  readonly identity: string;
  /** Milliseconds, in whole seconds. */
  readonly leaseDuration: number;
  readonly clock: Clock;
}

/** A record of another replica, and when this process first saw it, by its own clock. */
interface ObservedRecord {
  readonly record: string;
  readonly at: number;
  readonly duration: number;
}

/**
 * A lock by a Lease (coordination.k8s.io/v1), in the format of client-go and kubectl. The times in it are only for
 * people: the expiry of another replica's record is measured from when its change was seen. Every write depends on the
 * observed state of the Lease, so the server accepts only one of two.
 */
export class LeaseLock implements Lock {
  readonly #props: LeaseLockProps;
  readonly #name: LeaseName;
  readonly description: string;
  #holder: string | undefined;
  #seen: ObservedRecord | undefined;
  /** The state of the server, if only this process has written it since. */
  #held: Live<typeof Lease> | undefined;
  /** Whether the lock may be held by this process, as far as is known. */
  #mayBeHeld = false;

  constructor(props: LeaseLockProps) {
    this.#props = props;
    this.#name = props.name;
    this.description = `lease ${props.name.namespace}/${props.name.name}`;
  }

  get holder(): string | undefined {
    return this.#holder;
  }

  async acquire(signal: AbortSignal): Promise<boolean> {
    const lease = await this.#read(signal);
    if (!lease) this.#observeMissing();
    if (!lease) return this.#isExpired ? this.#create(signal) : false;
    this.#observe(lease.spec);
    const isFree = !this.#holder || this.#holder === this.#props.identity || this.#isExpired;
    return isFree ? this.#take(lease, signal) : false;
  }

  async renew(signal: AbortSignal): Promise<boolean> {
    if (this.#held && (await this.#take(this.#held, signal))) return true;
    const lease = await this.#read(signal);
    if (!lease) return this.#create(signal);
    this.#holder = lease.spec?.holderIdentity;
    if (this.#holder !== this.#props.identity) return false;
    if (await this.#take(lease, signal)) return true;
    throw new Error(`${this.description} is written by others too`);
  }

  async release(signal: AbortSignal): Promise<void> {
    if (!this.#mayBeHeld) return;
    // A renewal that was given up may still arrive in between.
    for (let tries = 0; tries < 3; tries += 1) {
      const lease = await this.#read(signal);
      if (lease?.spec?.holderIdentity !== this.#props.identity) break;
      const now = this.#now();
      const { leaseTransitions = 0 } = lease.spec;
      const times = { acquireTime: now, renewTime: now, leaseDurationSeconds: 1 };
      if (await this.#write(lease, { holderIdentity: '', ...times, leaseTransitions }, signal))
        break;
    }
    this.#held = undefined;
    this.#mayBeHeld = false;
  }

  /** Whether the last record of another replica has not changed for as long as it is valid. */
  get #isExpired(): boolean {
    if (!this.#seen) return true;
    return this.#props.clock.now() - this.#seen.at >= this.#seen.duration;
  }

  /** The holder of a deleted Lease may have renewed it just before. */
  #observeMissing(): void {
    if (!this.#seen || this.#seen.record === '') return;
    this.#seen = { ...this.#seen, record: '', at: this.#props.clock.now() };
  }

  #observe(spec: LeaseSpec = {}): void {
    const { holderIdentity, leaseDurationSeconds, renewTime, acquireTime, leaseTransitions } = spec;
    this.#holder = holderIdentity;
    if (!holderIdentity || holderIdentity === this.#props.identity) {
      this.#seen = undefined;
      return;
    }
    const fields = [holderIdentity, leaseDurationSeconds, renewTime, acquireTime, leaseTransitions];
    const record = JSON.stringify(fields);
    if (this.#seen?.record === record) return;
    const own = this.#props.leaseDuration;
    const duration = leaseDurationSeconds === undefined ? own : leaseDurationSeconds * 1000;
    this.#seen = { record, duration, at: this.#props.clock.now() };
  }

  async #read(signal: AbortSignal): Promise<Live<typeof Lease> | undefined> {
    const { client } = this.#props;
    return client
      .get(Lease, this.#name, { signal, isUrgent: true })
      .catch(ifGone)
      .finally(() => signal.throwIfAborted());
  }

  async #create(signal: AbortSignal): Promise<boolean> {
    const { client, identity } = this.#props;
    const now = this.#now();
    const spec = { ...this.#own, acquireTime: now, renewTime: now, leaseTransitions: 0 };
    this.#mayBeHeld = true;
    const options = { signal, isUrgent: true };
    const created = await client
      .create(Lease, { metadata: this.#name, spec }, options)
      .catch(ifExists);
    if (!created) return false;
    this.#held = created;
    this.#holder = identity;
    return true;
  }

  /** Takes the lock. Returns whether the Lease was in the expected state, and is held now. */
  async #take(lease: Live<typeof Lease>, signal: AbortSignal): Promise<boolean> {
    const { holderIdentity, acquireTime, leaseTransitions = 0 } = lease.spec ?? {};
    const now = this.#now();
    const times = { renewTime: now, acquireTime: now };
    const spec =
      holderIdentity === this.#props.identity
        ? { ...this.#own, ...times, acquireTime: acquireTime ?? now, leaseTransitions }
        : { ...this.#own, ...times, leaseTransitions: leaseTransitions + 1 };
    this.#mayBeHeld = true;
    this.#held = await this.#write(lease, spec, signal);
    if (this.#held) this.#holder = this.#props.identity;
    return this.#held !== undefined;
  }

  get #own(): { readonly holderIdentity: string; readonly leaseDurationSeconds: number } {
    const { identity, leaseDuration } = this.#props;
    return { holderIdentity: identity, leaseDurationSeconds: leaseDuration / 1000 };
  }

  /** Writes the Lease; returns undefined if it is not in the expected state any more. */
  async #write(
    lease: Live<typeof Lease>,
    spec: LeaseSpec,
    signal: AbortSignal,
  ): Promise<Live<typeof Lease> | undefined> {
    const { managedFields: _, ...metadata } = lease.metadata;
    const options = { signal, isUrgent: true };
    return this.#props.client.update(Lease, { metadata, spec }, options).catch(ifOutdated);
  }

  /** With microseconds, as the kind requires. */
  #now(): string {
    return formatMicroTime(this.#props.clock.date());
  }
}
