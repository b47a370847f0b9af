import type { LeaseName } from '../../kube/access.ts';
import { hostname } from 'node:os';
import type { Client } from '../client/client.ts';
import { Election, type ElectionProps } from './election.ts';
import { PodLock } from './pod-lock.ts';
import { resolveTiming } from './timing.ts';

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

/** Milliseconds. */
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
