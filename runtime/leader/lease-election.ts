import type { LeaseName } from '../../kube/access.ts';
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Client } from '../client/client.ts';
import { Election, type ElectionProps } from './election.ts';
import { LeaseLock } from './lease-lock.ts';
import { resolveTiming, type TimingProps } from './timing.ts';

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
 * import { leaseElection, Manager } from 'tenantry/runtime';
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
