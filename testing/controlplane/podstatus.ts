import type { Body } from './objects.ts';

export interface Container {
  readonly name: string;
  readonly image?: string;
  /** Always, on an init container, makes it a sidecar. */
  readonly restartPolicy?: string;
}

/** A pod, as far as its status is made from it. */
export interface Pod extends Body {
  spec?: {
    containers?: readonly Container[];
    initContainers?: readonly Container[];
    [field: string]: unknown;
  };
}

/** Whether its status has been told, or it came to an end by other hands. */
export function isSettled({ status }: Pod): boolean {
  const phase = (status as { phase?: string } | undefined)?.phase;
  return phase !== undefined && phase !== 'Pending';
}

/** The status of a pod all of whose containers run and are ready, and whose init containers are done. */
export function containerStatuses(pod: Pod, podIP: string, now: Date): Record<string, unknown> {
  const { containers = [], initContainers = [] } = pod.spec ?? {};
  const time = timeOf(now);
  const statusOf = ({ name, image = '' }: Container, state: object, isRunning: boolean) => ({
    name,
    image,
    imageID: `pretended://${image}`,
    containerID: `pretended://${pod.metadata?.uid}/${name}`,
    ready: true,
    started: isRunning,
    restartCount: 0,
    state,
  });
  const running = (container: Container) =>
    statusOf(container, { running: { startedAt: time } }, true);
  const completed = (container: Container) => {
    const terminated = { exitCode: 0, reason: 'Completed', startedAt: time, finishedAt: time };
    return statusOf(container, { terminated }, false);
  };
  const conditions = ['PodReadyToStartContainers', 'Initialized', 'ContainersReady', 'Ready'];
  return {
    phase: 'Running',
    conditions: conditions.map((type) => ({ type, status: 'True', lastTransitionTime: time })),
    hostIP: '127.0.0.1',
    podIP,
    podIPs: [{ ip: podIP }],
    startTime: time,
    containerStatuses: containers.map(running),
    initContainerStatuses: initContainers.map((container) =>
      container.restartPolicy === 'Always' ? running(container) : completed(container),
    ),
  };
}

/** A node with room for whatever a test asks. */
export function nodeStatus(now: Date): Record<string, unknown> {
  const room = { cpu: '1000', memory: '4000Gi', 'ephemeral-storage': '4000Gi', pods: '1000' };
  const time = timeOf(now);
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

/** To the second, as metav1.Time has it. */
const timeOf = (time: Date): string => `${time.toISOString().slice(0, 19)}Z`;
