import { setTimeout as pause } from 'node:timers/promises';
import { listPages, type Client } from '@tenantry/runtime/client/client';
import { ApiError } from '@tenantry/runtime/errors/api-error';
import { ifExists } from '@tenantry/runtime/errors/reaction';
import {
  Node,
  Pod,
  type Container,
  type ContainerState,
  type ContainerStatus,
  type NodeStatus,
  type PodStatus,
} from '@tenantry/runtime/kinds/core';
import type { Live, Immutable } from '@tenantry/runtime/kinds/kind';

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

/** A pod as the API server has it. */
type LivePod = Live<typeof Pod>;

/** Whether the kubelet has set its status, or it ended in another way. */
function isSettled({ status }: LivePod): boolean {
  return status?.phase !== undefined && status.phase !== 'Pending';
}

/**
 * Builds the status of a pod whose containers all run and are ready, and whose init containers are
 * done. Conditions that others wrote are kept.
 */
function buildReadyStatus(pod: LivePod, podIP: string, now: Date): Immutable<PodStatus> {
  const { containers = [], initContainers = [] } = pod.spec ?? {};
  const time = formatTime(now);
  const types = ['PodReadyToStartContainers', 'Initialized', 'ContainersReady', 'Ready'];
  const others = (pod.status?.conditions ?? []).filter(({ type }) => !types.includes(type));
  const own = types.map((type) => ({ type, status: 'True', lastTransitionTime: time }));
  const running = (container: Immutable<Container>): ContainerStatus =>
    buildContainerStatus(pod, container, { running: { startedAt: time } });
  const completed = (container: Immutable<Container>): ContainerStatus => {
    const ended = { exitCode: 0, reason: 'Completed', startedAt: time, finishedAt: time };
    return buildContainerStatus(pod, container, { terminated: ended });
  };
  return {
    phase: 'Running',
    conditions: [...others, ...own],
    hostIP: '127.0.0.1',
    podIP,
    podIPs: [{ ip: podIP }],
    startTime: time,
    containerStatuses: containers.map(running),
    // An init container that is always restarted is a sidecar.
    initContainerStatuses: initContainers.map((container) =>
      container.restartPolicy === 'Always' ? running(container) : completed(container),
    ),
  };
}

function buildContainerStatus(
  { metadata: { uid } }: LivePod,
  { name, image = '' }: Immutable<Container>,
  state: ContainerState,
): ContainerStatus {
  return {
    name,
    image,
    imageID: `pretended://${image}`,
    containerID: `pretended://${uid}/${name}`,
    ready: true,
    started: state.running !== undefined,
    restartCount: 0,
    state,
  };
}

/** Builds the status of a node that has room for all pods of a test. */
function buildNodeStatus(now: Date): Immutable<NodeStatus> {
  const room = { cpu: '1000', memory: '4000Gi', 'ephemeral-storage': '4000Gi', pods: '1000' };
  const time = formatTime(now);
  return {
    capacity: room,
    allocatable: room,
    addresses: [{ type: 'InternalIP', address: '127.0.0.1' }],
    conditions: [
      {
        type: 'Ready',
        status: 'True',
        reason: 'Pretended',
        message: 'no kubelet runs here',
        lastHeartbeatTime: time,
        lastTransitionTime: time,
      },
    ],
    nodeInfo: {
      kubeletVersion: 'pretended',
      kubeProxyVersion: '',
      containerRuntimeVersion: 'pretended://0',
      operatingSystem: 'linux',
      architecture: process.arch === 'x64' ? 'amd64' : process.arch,
      osImage: '',
      kernelVersion: '',
      machineID: '',
      systemUUID: '',
      bootID: '',
    },
  };
}

/** Formats a time to the second, as metav1.Time does. */
const formatTime = (time: Date): string => `${time.toISOString().slice(0, 19)}Z`;
