import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from './client.ts';
import { connectionOf } from './connection.ts';
import { referenceTo, type Body } from './objects.ts';
import { containerStatuses, isSettled, nodeStatus, type Pod } from './podstatus.ts';

/** The one node of a cluster whose pods are pretended. */
export const nodeName = 'pretend-node';

const node = { apiVersion: 'v1', kind: 'Node', name: nodeName };
const podsHere = { fieldSelector: `spec.nodeName=${nodeName}` };

/**
 * Not a kubelet: a double that says about pods what a kubelet would say if every image were there,
 * every container started at once and every probe passed. It registers a node, answers a pod that is
 * bound to it with Running and Ready, and removes a pod that is to be deleted. Nothing runs: there is
 * no log, no exec, no exit code, no volume, no network behind the pod's address. It asks as
 * system:node:pretend-node, so the API server's node authorizer and the audit log see a node.
 */
export class PretendKubelet {
  readonly #client: Client;
  #address = 1;

  constructor(client: Client) {
    this.#client = client;
  }

  /** Runs until the signal says otherwise; what fails is tried again. */
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
    const { apiVersion, kind } = node;
    const metadata = { name: nodeName, labels };
    expectDone(await this.#client.create({ apiVersion, kind, metadata, spec: {} }), 409);
    // Every new node gets a taint until the node lifecycle controller, which is off, takes it away.
    const untainted = { spec: { taints: null } };
    expectDone(await this.#client.patch(node, untainted));
    const status = { status: nodeStatus(new Date()) };
    const options = { type: 'strategic', subresource: 'status' } as const;
    expectDone(await this.#client.patch(node, status, options));
  }

  async #follow(signal: AbortSignal): Promise<void> {
    const pods = { apiVersion: 'v1', kind: 'Pod' };
    const list = await this.#client.list(pods, podsHere);
    expectDone(list);
    for (const item of list.body.items ?? []) await this.#settle({ ...pods, ...item });
    const resourceVersion = list.body.metadata?.resourceVersion ?? '';
    const events = this.#client.watch(pods, { ...podsHere, resourceVersion }, signal);
    for await (const { type, object } of events) {
      if (type === 'ERROR') return;
      if (type === 'ADDED' || type === 'MODIFIED') await this.#settle(object);
    }
  }

  async #settle(pod: Pod): Promise<void> {
    const reference = referenceTo(pod);
    const { uid = '', deletionTimestamp } = pod.metadata ?? {};
    if (deletionTimestamp !== undefined) {
      const options = { gracePeriodSeconds: 0, preconditions: { uid } };
      expectDone(await this.#client.delete(reference, options), 404, 409);
    } else if (!isSettled(pod)) {
      this.#address += 1;
      const podIP = `10.244.${Math.floor(this.#address / 250) % 250}.${this.#address % 250}`;
      const patch = { metadata: { uid }, status: containerStatuses(pod, podIP, new Date()) };
      const options = { type: 'strategic', subresource: 'status' } as const;
      expectDone(await this.#client.patch(reference, patch, options), 404, 409);
    }
  }
}

function expectDone({ status, body }: { status: number; body: Body }, ...or: number[]): void {
  if (status >= 300 && !or.includes(status)) throw new Error(`${status}: ${body.message}`);
}

if (import.meta.main) {
  const [kubeconfig = ''] = process.argv.slice(2);
  const client = new Client(connectionOf(readFileSync(kubeconfig, 'utf8')));
  await new PretendKubelet(client).run(new AbortController().signal);
}
