import { isMapping, listAt, valueAt } from '../mapping.ts';
import { show } from '../problem.ts';
import {
  listContainerContexts,
  listContexts,
  type CheckedContainer,
  type CheckedPod,
  type PodFault,
  type PodSecurityCheck,
} from './check.ts';

/** The checks about what a pod shares with its node. */
export const hostAccessChecks: readonly PodSecurityCheck[] = [
  { id: 'hostNamespaces', level: 'baseline', find: findHostNamespaces },
  { id: 'hostPorts', level: 'baseline', find: findHostPorts },
  {
    id: 'hostProbesAndHostLifecycle',
    level: 'baseline',
    sinceMinor: 34,
    find: ({ containers }) => containers.flatMap((one) => [...findHandlerHosts(one)]),
  },
  { id: 'privileged', level: 'baseline', find: findPrivileged },
  { id: 'windowsHostProcess', level: 'baseline', find: findHostProcesses },
];

const hostNamespaces = ['hostNetwork', 'hostPID', 'hostIPC'];

function* findHostNamespaces({ spec }: CheckedPod): Generator<PodFault> {
  for (const field of hostNamespaces) {
    if (spec[field] !== true) continue;
    yield { path: ['spec', field], message: 'must be false or left out, got true' };
  }
}

/**
 * Finds ports of the node. In the network of the node, the API server completes each port of a container to one of the
 * node before it checks the pod.
 * Source: k8s.io/kubernetes pkg/apis/core/v1 SetDefaults_Pod
 */
function* findHostPorts({ spec, containers }: CheckedPod): Generator<PodFault> {
  const isCompleted = spec['hostNetwork'] === true;
  for (const { path, fields } of containers) {
    for (const [i, port] of listAt(fields, ['ports']).entries()) {
      if (!isMapping(port)) continue;
      const at = [...path, 'ports', i];
      const { hostPort, containerPort } = port;
      if (isPort(hostPort)) {
        const message = `must be left out, got ${show(hostPort)}`;
        yield { path: [...at, 'hostPort'], message };
      } else if (isCompleted && isPort(containerPort) && path[1] !== 'ephemeralContainers') {
        const message = `must be left out with hostNetwork, which makes it a port of the node, got ${show(containerPort)}`;
        yield { path: [...at, 'containerPort'], message };
      }
    }
  }
}

const isPort = (value: unknown): boolean => typeof value === 'number' && value !== 0;

/** The fields of a container that make the kubelet open a connection. */
const handlers = [
  ['livenessProbe'],
  ['readinessProbe'],
  ['startupProbe'],
  ['lifecycle', 'postStart'],
  ['lifecycle', 'preStop'],
];

function* findHandlerHosts({ path, fields }: CheckedContainer): Generator<PodFault> {
  for (const handler of handlers) {
    for (const action of ['httpGet', 'tcpSocket']) {
      const at = [...handler, action, 'host'];
      const host = valueAt(fields, at);
      if (typeof host !== 'string' || host === '') continue;
      const message = `must be left out, so that the node connects to the pod only, got ${show(host)}`;
      yield { path: [...path, ...at], message };
    }
  }
}

function* findPrivileged(pod: CheckedPod): Generator<PodFault> {
  for (const { path, fields } of listContainerContexts(pod)) {
    if (fields['privileged'] !== true) continue;
    yield { path: [...path, 'privileged'], message: 'must be false or left out, got true' };
  }
}

function* findHostProcesses(pod: CheckedPod): Generator<PodFault> {
  for (const { path, fields } of listContexts(pod)) {
    const field = ['windowsOptions', 'hostProcess'];
    if (valueAt(fields, field) !== true) continue;
    yield { path: [...path, ...field], message: 'must be false or left out, got true' };
  }
}
