import type { LeaseName } from '../../kube/access.ts';
import { hostname } from 'node:os';
import type { Client } from '../client/client.ts';
import { Election, type ElectionProps } from './election.ts';
import { PodLock } from './pod-lock.ts';
import { resolveTiming } from './timing.ts';

/** Of an election for the life of a Pod. */
export interface ElectionForLifeProps extends ElectionProps {
  readonly client: Pick<Client, 'get' | 'create' | 'update'>;
  /**
   * The Lease: its name is the operator's, its namespace the one that the operator runs in. It cannot
   * be the one of a `leaseElection`.
   */
  readonly lease: LeaseName;
  /** The Pod that this runs in, in that namespace. @default - the name of the host, which is the Pod's */
  readonly pod?: string | undefined;
}

/** Milliseconds. */
const defaults = { leaseDuration: 60_000, renewDeadline: 40_000, retryPeriod: 10_000 };

/**
 * Who leads, leads until its Pod ends: the Pod owns a Lease, which is never renewed. Nobody takes it from a
 * Pod that runs and reaches the API server. Others look each 10 s at the Pod that holds it: when it is gone,
 * was evicted, failed, succeeded, or has not ended a minute after it should have, one takes the Lease, and leads a
 * minute later. A leader that stops gives the Lease back: the next leads within 10 s.
 *
 * The leader reads the Lease each 10 s, and has lost when it is not its own, or when it cannot be read for
 * 40 s: a Pod whose node is lost may still run. So no two are sure to lead at a moment, as long as their
 * clocks run at rates that differ from the true one by less than 9%.
 *
 * @example
 * ```ts
 * import { electionForLife, Manager } from 'tenantry/runtime';
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
