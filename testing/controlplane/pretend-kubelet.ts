import { setTimeout as pause } from 'node:timers/promises';
import { listPages, type Client } from '../../runtime/client/client.ts';
import { ApiError } from '../../runtime/errors/api-error.ts';
import { ifExists } from '../../runtime/errors/expected.ts';
import { Node, Pod } from '../../runtime/kinds/core.ts';
import type { Live } from '../../runtime/kinds/kind.ts';
import { isSettled, buildNodeStatus, buildReadyStatus } from './pod-status.ts';

/** The only node of a cluster with fake pods. */
export const nodeName = 'pretend-node';

const podsHere = { fieldSelector: `spec.nodeName=${nodeName}` };

/**
 * A test double of a kubelet. It reports pods as a kubelet would if every image existed, every
 * container started at once and every probe passed. It registers a node, sets pods that are bound to it
 * to Running and Ready, and removes pods that are being deleted. Nothing runs: there is no log, exec,
 * exit code or volume, and no network at the pod's address. It authenticates as
 * system:node:pretend-node, so the API server's node authorizer and the audit log see a node.
 */
export class FakeKubelet {
  readonly #client: Client;
  #address = 1;

  constructor(client: Client) {
    this.#client = client;
  }

  /** Runs until the signal aborts, and retries what fails. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        await this.#register();
        await this.#follow(signal);
      } catch (error) {
        if (signal.aborted) return;
        console.error(error);
        await pause(250);
      }
    }
  }

  async #register(): Promise<void> {
    const labels = { 'kubernetes.io/hostname': nodeName, 'kubernetes.io/os': 'linux' };
    const metadata = { name: nodeName, labels };
    await this.#client.create(Node, { metadata, spec: {} }).catch(ifExists);
    // Every new node has a taint until the node lifecycle controller removes it, and that controller is
    // off.
    await this.#client.patch(Node, { name: nodeName }, { spec: { taints: null } });
    const status = { status: buildNodeStatus(new Date()) };
    await this.#client.patch(Node, { name: nodeName }, status, { subresource: 'status' });
  }

  async #follow(signal: AbortSignal): Promise<void> {
    let resourceVersion = '';
    for await (const page of listPages(this.#client, Pod, podsHere)) {
      for (const pod of page.items) await this.#settle(pod);
      ({ resourceVersion } = page);
    }
    for await (const event of this.#client.watch(Pod, { ...podsHere, resourceVersion, signal })) {
      if (event.type === 'ADDED' || event.type === 'MODIFIED') await this.#settle(event.object);
    }
  }

  /** Updates or removes one pod. A pod that changed or was deleted meanwhile causes another event. */
  async #settle(pod: Live<typeof Pod>): Promise<void> {
    const { uid, resourceVersion, deletionTimestamp } = pod.metadata;
    if (deletionTimestamp !== undefined) {
      const options = { gracePeriodSeconds: 0, preconditions: { uid } };
      await this.#client.delete(Pod, pod.metadata, options).catch(ignoreConflict);
    } else if (!isSettled(pod)) {
      this.#address += 1;
      const podIP = `10.244.${Math.floor(this.#address / 250) % 250}.${this.#address % 250}`;
      const status = buildReadyStatus(pod, podIP, new Date());
      const patch = { metadata: { uid, resourceVersion }, status };
      const options = { subresource: 'status' };
      await this.#client.patch(Pod, pod.metadata, patch, options).catch(ignoreConflict);
    }
  }
}

function ignoreConflict(error: unknown): undefined {
  if (error instanceof ApiError && (error.isNotFound || error.isConflict)) return undefined;
  throw error;
}
