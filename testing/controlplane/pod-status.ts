import type {
  Container,
  ContainerState,
  ContainerStatus,
  NodeStatus,
  Pod,
  PodStatus,
} from '../../runtime/kinds/core.ts';
import type { Immutable, Live } from '../../runtime/kinds/kind.ts';

/** A pod as the API server has it. */
export type LivePod = Live<typeof Pod>;

/** Whether the kubelet has set its status, or it ended in another way. */
export function isSettled({ status }: LivePod): boolean {
  return status?.phase !== undefined && status.phase !== 'Pending';
}

/**
 * Builds the status of a pod whose containers all run and are ready, and whose init containers are
 * done. Conditions that others wrote are kept.
 */
export function buildReadyStatus(pod: LivePod, podIP: string, now: Date): Immutable<PodStatus> {
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
export function buildNodeStatus(now: Date): Immutable<NodeStatus> {
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
