import type { LeaseName } from '../../kube/access.ts';
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Client } from '../client/client.ts';
import { Election, type ElectionProps } from './election.ts';
import { LeaseLock } from './lease-lock.ts';
import { resolveTiming, type TimingProps } from './timing.ts';

/** Of an election by renewing a Lease. */
export interface LeaseElectionProps extends ElectionProps, TimingProps {
  readonly client: Pick<Client, 'get' | 'create' | 'update'>;
  /** The Lease: its name is the operator's, its namespace the one that the operator runs in. */
  readonly lease: LeaseName;
  /** Who this replica is: of this process alone. @default - the name of the host, and a random UUID */
  readonly identity?: string | undefined;
}

/**
 * Who leads, renews a Lease. Of replicas that use this one Lease, whatever their durations:
 *
 * - No two are sure to lead at a moment, and no two have a signal that has not aborted, as long as
 *   their clocks run at rates that differ from the true one by less than 9%: the writing stops at the
 *   `renewDeadline`, of replicas that stand still too (`isLeading`), and others wait for the
 *   `leaseDuration`. The date of no machine is trusted.
 * - After the leader dies, another leads within `leaseDuration` and two `retryPeriod`s; after it stops, within
 *   one, each and the time that the server takes.
 * - A write that was begun in time may still arrive when another leads: a lease is no fence at the server.
 *
 * A Lease that somebody deletes while a replica leads, is made again by it. A replica that has never seen
 * it and starts just then may lead at once.
 *
 * @example
 * ```ts
 * import { leaseElection, Manager } from 'tenantry/runtime';
 *
 * const lease = { name: 'shops', namespace: 'shops' };
 * export const manager = new Manager({
 *   leaderElection: (deps) => leaseElection({ ...deps, lease, onLost: 'standby' }),
 * });
 * ```
 *
 * @throws {RangeError} where the durations do not fit together
 */
export function leaseElection(props: LeaseElectionProps): Election {
  const { client, clock, lease, identity = `${hostname()}_${randomUUID()}` } = props;
  if (identity === '') throw new RangeError(`identity must not be empty, got ''`);
  const timing = resolveTiming(props);
  const { leaseDuration } = timing;
  const lock = new LeaseLock({ client, name: lease, identity, leaseDuration, clock });
  return new Election(lock, timing, props);
}
