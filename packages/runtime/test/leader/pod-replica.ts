import type { Client } from '../../client/client.ts';
import { Pod } from '../../kinds/core.ts';
import type { Election } from '../../leader/election.ts';
import { electionForLife } from '../../leader/election-for-life.ts';
import type { ObservedCluster } from '../observed-cluster.ts';
import { silent } from './candidate.ts';
import {
  ProcessClock,
  type ProcessClockProps,
} from '@tenantry/testing/simulation/operator/process';

export const podOf = (name: string) => ({ name, namespace: 'shop' });

/** Creates a Pod on a node, whose containers run. */
export function putPod(cluster: ObservedCluster, name: string, finalizers: readonly string[] = []) {
  return cluster.put(Pod, {
    metadata: { ...podOf(name), finalizers },
    spec: { nodeName: 'node', containers: [{ name: 'operator', image: 'operator:1' }] },
    status: { phase: 'Running' },
  });
}

export interface PodReplicaProps extends ProcessClockProps {
  readonly cluster: ObservedCluster;
  readonly pod: string;
  readonly onLost?: 'exit' | 'standby';
}

/** A Pod, and the process in it. */
export class PodReplica {
  readonly clock: ProcessClock;
  readonly election: Election;
  readonly pod: string;
  readonly uid: string;
  readonly #props: PodReplicaProps;
  readonly #stop = new AbortController();
  isCut = false;
  /** Whether its requests are processed while their answers are lost. */
  isDeaf = false;
  isDead = false;
  terms = 0;
  ended: unknown;

  constructor(props: PodReplicaProps) {
    const { cluster, pod, onLost = 'standby' } = props;
    this.#props = props;
    this.pod = pod;
    this.clock = new ProcessClock(cluster.clock, props);
    this.uid = (cluster.peek(Pod, podOf(pod)) ?? putPod(cluster, pod)).metadata.uid;
    this.election = electionForLife({
      client: this.#client,
      lease: { name: 'operator', namespace: 'shop' },
      pod,
      clock: this.clock,
      random: () => 0,
      log: silent,
      onLost,
    });
  }

  start(): this {
    const lead = (leading: AbortSignal): Promise<void> => {
      this.terms += 1;
      const signal = AbortSignal.any([leading, this.#stop.signal]);
      return new Promise((resolve) => signal.addEventListener('abort', () => resolve()));
    };
    this.election.run(lead, this.#stop.signal).then(
      () => (this.ended = 'stopped'),
      (error: unknown) => (this.ended = error),
    );
    return this;
  }

  stop(): void {
    this.#stop.abort();
  }

  get isSure(): boolean {
    return !this.isDead && this.election.isLeading();
  }

  /** Ends the process, and sets the phase as the kubelet does. */
  end(phase: 'Failed' | 'Succeeded'): void {
    this.die();
    const { cluster, pod } = this.#props;
    const metadata = podOf(pod);
    if (cluster.peek(Pod, metadata)) cluster.put(Pod, { metadata, status: { phase } });
  }

  die(): void {
    this.isDead = true;
    this.clock.kill();
  }

  /** Deletes the Pod on a node where nothing can end it. */
  beginDeletion(): void {
    const { cluster, pod } = this.#props;
    if (cluster.peek(Pod, podOf(pod))) cluster.remove(Pod, podOf(pod));
  }

  /** Removes the Pod from the API server, while its process may still run. */
  forget(): void {
    const { cluster, pod } = this.#props;
    if (!cluster.peek(Pod, podOf(pod))) return;
    cluster.api.delete(Pod, podOf(pod), { gracePeriodSeconds: 0 });
  }

  get #client(): Pick<Client, 'get' | 'create' | 'update'> {
    const { client } = this.#props.cluster;
    const reach = <T>(signal: AbortSignal | undefined, call: () => Promise<T>): Promise<T> =>
      new Promise((resolve, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
        if (this.isCut) return;
        const answer = call();
        if (this.isDeaf) answer.catch(() => {});
        else answer.then(resolve, reject);
      });
    return {
      get: (kind, name, options) => reach(options?.signal, () => client.get(kind, name)),
      create: (kind, object, options) => reach(options?.signal, () => client.create(kind, object)),
      update: (kind, object, options) => reach(options?.signal, () => client.update(kind, object)),
    };
  }
}
