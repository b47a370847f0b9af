import { hostname } from 'node:os';
import type { LeaseName } from '@tenantry/kube/access';
import type { Client } from '../client/client.ts';
import { Election, type ElectionProps } from './election.ts';
import { resolveTiming } from './term.ts';
import { formatMicroTime, type Clock } from '../clock/clock.ts';
import { ifExists, ifGone, ifOutdated } from '../errors/reaction.ts';
import { Lease, type LeaseSpec } from '../kinds/coordination.ts';
import { Pod } from '../kinds/core.ts';
import type { Kind, Live, OwnerReference } from '../kinds/kind.ts';
import type { Lock } from './leader-election.ts';

/** The options of an election for the life of a Pod. */
export interface ElectionForLifeProps extends ElectionProps {
  readonly client: Pick<Client, 'get' | 'create' | 'update'>;
  /**
   * The Lease, with the name of the operator and the namespace in which it runs. It must not be the one of a
   * `leaseElection`.
   */
  readonly lease: LeaseName;
  /** This process's Pod, in that namespace. @default - the host name, which is the Pod's name */
  readonly pod?: string | undefined;
}

const defaults = { leaseDuration: 60_000, renewDeadline: 40_000, retryPeriod: 10_000 };

/**
 * Returns an election in which the leader leads until its Pod ends. The Pod owns a Lease, which is never renewed, and
 * nobody takes it from a running Pod that reaches the API server.
 *
 * Others check the leader's Pod every 10 s. One of them takes the Lease when the Pod is gone, was evicted, failed,
 * succeeded, or has not ended a minute after it should have. It leads a minute later. A leader that stops releases the
 * Lease, and the next one leads within 10 s.
 *
 * The leader reads the Lease every 10 s. It has lost when the Lease is not its own, or cannot be read for 40 s, since a
 * Pod on a lost node may still run. So no two leaders are certain at the same time. This holds if their clocks run at
 * rates that differ from the true one by less than 9%.
 *
 * @example
 * ```ts
 * import { electionForLife, Manager } from '@tenantry/runtime';
 *
 * const lease = { name: 'shops', namespace: 'shops' };
 * export const manager = new Manager({
 *   leaderElection: (deps) => electionForLife({ ...deps, lease }),
 * });
 * ```
 */
export function electionForLife(props: ElectionForLifeProps): Election {
  const { client, clock, lease, pod = hostname() } = props;
  const timing = resolveTiming({}, defaults);
  const { leaseDuration } = timing;
  const lock = new PodLock({ client, name: lease, pod, leaseDuration, clock });
  return new Election(lock, timing, props);
}

interface PodLockProps {
  readonly client: Pick<Client, 'get' | 'create' | 'update'>;
  readonly name: LeaseName;
  /** The Pod in which this process runs, in the namespace of the Lease. */
  readonly pod: string;
  /** Milliseconds for which a Pod that seems to have ended may still rely on the lock. */
  readonly leaseDuration: number;
  readonly clock: Clock;
}

type Owner = Pick<OwnerReference, 'name' | 'uid'>;

/**
 * A lock by a Lease that the holder's Pod owns. It contains no renewal times. `acquireTime` is set once the holder
 * relies on it, which after a takeover is later.
 */
class PodLock implements Lock {
  readonly #props: PodLockProps;
  readonly #name: LeaseName;
  readonly description: string;
  #holder: string | undefined;
  #uid: string | undefined;
  /** Since when this process holds the lock, by its clock, while another one may still rely on it. */
  #takenAt: number | undefined;
  #isKnown = false;
  /** Since when the Lease has been missing, by this process's clock. */
  #missedAt: number | undefined;
  /** Since when the Pod with that uid has been seen ending, by this process's clock. */
  #ending: { readonly uid: string; readonly at: number } | undefined;

  constructor(props: PodLockProps) {
    this.#props = props;
    this.#name = props.name;
    this.description = `lease ${props.name.namespace}/${props.name.name}`;
  }

  get holder(): string | undefined {
    return this.#holder;
  }

  async acquire(signal: AbortSignal): Promise<boolean> {
    const own = await this.#getOwnPod(signal);
    const lease = await this.#get(Lease, this.#name.name, signal);
    if (!lease) return this.#mayCreate() ? this.#create(own, signal) : false;
    this.#missedAt = undefined;
    const owner = this.#findOwner(lease);
    this.#holder = owner?.name;
    if (!owner) return this.#take(lease, own, signal);
    if (owner.uid === own.uid) return this.#begin(lease, own, signal);
    this.#takenAt = undefined;
    this.#isKnown = true;
    if (await this.#hasEnded(owner, signal)) await this.#takeOver(lease, own, signal);
    return false;
  }

  async renew(signal: AbortSignal): Promise<boolean> {
    const lease = await this.#get(Lease, this.#name.name, signal);
    const owner = lease && this.#findOwner(lease);
    this.#holder = owner?.name;
    return this.#uid !== undefined && owner?.uid === this.#uid;
  }

  async release(signal: AbortSignal): Promise<void> {
    if (this.#uid === undefined) return;
    for (let tries = 0; tries < 3; tries += 1) {
      const lease = await this.#get(Lease, this.#name.name, signal);
      if (!lease || this.#findOwner(lease)?.uid !== this.#uid) break;
      const { leaseTransitions = 0 } = lease.spec ?? {};
      const spec = { holderIdentity: '', leaseTransitions };
      if (await this.#write(lease, undefined, spec, signal)) break;
    }
    this.#uid = undefined;
  }

  /** Returns this process's own Pod. One that is being deleted does not compete any more. */
  async #getOwnPod(signal: AbortSignal): Promise<Owner> {
    const { pod } = this.#props;
    const found = await this.#get(Pod, pod, signal);
    if (!found)
      throw new Error(`pod ${this.#name.namespace}/${pod} must be the one that this runs in`);
    const { name, uid, deletionTimestamp } = found.metadata;
    if (deletionTimestamp !== undefined) throw new Error(`pod ${name} is being deleted`);
    this.#uid = uid;
    return { name, uid };
  }

  /**
   * Returns the owner of the Lease; undefined if the lock was released.
   * @throws {Error} if the Lease was not created by this kind of lock
   */
  #findOwner({ metadata, spec }: Live<typeof Lease>): Owner | undefined {
    if (spec?.holderIdentity === '') return undefined;
    const owner = metadata.ownerReferences?.find(({ kind }) => kind === 'Pod');
    if (owner) return owner;
    throw new Error(`${this.description} must be owned by the Pod that leads, got no such owner`);
  }

  /** Takes a released lock, on which nobody relies. */
  #take(lease: Live<typeof Lease>, own: Owner, signal: AbortSignal): Promise<boolean> {
    const acquireTime = this.#now();
    return this.#write(lease, own, { ...this.#buildNextSpec(lease, own), acquireTime }, signal);
  }

  #buildNextSpec({ spec }: Live<typeof Lease>, { name }: Owner): LeaseSpec {
    return { holderIdentity: name, leaseTransitions: (spec?.leaseTransitions ?? 0) + 1 };
  }

  /** Begins to rely on an own lock once no other replica can. */
  async #begin(lease: Live<typeof Lease>, own: Owner, signal: AbortSignal): Promise<boolean> {
    if (lease.spec?.acquireTime !== undefined) return true;
    this.#takenAt ??= this.#props.clock.now();
    if (!this.#hasPassed(this.#takenAt)) return false;
    return this.#write(lease, own, { ...lease.spec, acquireTime: this.#now() }, signal);
  }

  async #takeOver(lease: Live<typeof Lease>, own: Owner, signal: AbortSignal): Promise<void> {
    if (!(await this.#write(lease, own, this.#buildNextSpec(lease, own), signal))) return;
    this.#takenAt = this.#props.clock.now();
  }

  /** The holder of a deleted Lease may have seen it just before. */
  #mayCreate(): boolean {
    if (!this.#isKnown) return true;
    this.#missedAt ??= this.#props.clock.now();
    return this.#hasPassed(this.#missedAt);
  }

  async #create(own: Owner, signal: AbortSignal): Promise<boolean> {
    const spec = { holderIdentity: own.name, leaseTransitions: 0, acquireTime: this.#now() };
    const metadata = { ...this.#name, ownerReferences: [buildOwnerReference(own)] };
    const created = await this.#props.client
      .create(Lease, { metadata, spec }, { signal, isUrgent: true })
      .catch(ifExists);
    if (!created) return false;
    this.#holder = own.name;
    return true;
  }

  /** Writes the Lease. Returns whether it was still in the expected state. */
  async #write(
    lease: Live<typeof Lease>,
    owner: Owner | undefined,
    spec: LeaseSpec,
    signal: AbortSignal,
  ): Promise<boolean> {
    const { managedFields: _, ...metadata } = lease.metadata;
    const ownerReferences = owner ? [buildOwnerReference(owner)] : [];
    const object = { metadata: { ...metadata, ownerReferences }, spec };
    const written = await this.#props.client
      .update(Lease, object, { signal, isUrgent: true })
      .catch(ifOutdated);
    if (!written) return false;
    this.#holder = owner?.name;
    return true;
  }

  /**
   * Whether the Pod is gone, was evicted, failed or succeeded. Also true if it should have ended so long ago that the
   * kubelet of an existing node would have reported it.
   */
  async #hasEnded({ name, uid }: Owner, signal: AbortSignal): Promise<boolean> {
    const pod = await this.#get(Pod, name, signal);
    if (pod?.metadata.uid !== uid) return true;
    const { phase } = pod.status ?? {};
    if (phase === 'Failed' || phase === 'Succeeded') return true;
    const { deletionTimestamp, deletionGracePeriodSeconds = 0 } = pod.metadata;
    if (deletionTimestamp === undefined) return false;
    if (this.#ending?.uid !== uid) this.#ending = { uid, at: this.#props.clock.now() };
    return this.#hasPassed(this.#ending.at + deletionGracePeriodSeconds * 1000);
  }

  /** Whether nobody can rely on a state of that time any more. */
  #hasPassed(then: number): boolean {
    return this.#props.clock.now() - then >= this.#props.leaseDuration;
  }

  async #get<K extends Kind>(
    kind: K,
    name: string,
    signal: AbortSignal,
  ): Promise<Live<K> | undefined> {
    const { namespace } = this.#name;
    return this.#props.client
      .get(kind, { name, namespace }, { signal, isUrgent: true })
      .catch(ifGone)
      .finally(() => signal.throwIfAborted());
  }

  #now(): string {
    return formatMicroTime(this.#props.clock.date());
  }
}

const buildOwnerReference = ({ name, uid }: Owner): OwnerReference => ({
  apiVersion: 'v1',
  kind: 'Pod',
  name,
  uid,
});
