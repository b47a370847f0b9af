import { listAt } from '../mapping.ts';
import { formatList, show } from '../problem.ts';
import {
  listContainerContexts,
  listContexts,
  type CheckedPod,
  type PodFault,
  type PodSecurityCheck,
} from './check.ts';

/** The checks about the rights of the processes in containers. */
export const privilegeChecks: readonly PodSecurityCheck[] = [
  {
    id: 'capabilities_baseline',
    level: 'baseline',
    find: (pod) => findAddedCapabilities(pod, runtimeCapabilities),
  },
  {
    id: 'capabilities_restricted',
    level: 'restricted',
    replaces: 'capabilities_baseline',
    sinceMinor: 22,
    find: (pod) =>
      pod.isWindows
        ? []
        : [...findKeptCapabilities(pod), ...findAddedCapabilities(pod, ['NET_BIND_SERVICE'])],
  },
  {
    id: 'allowPrivilegeEscalation',
    level: 'restricted',
    sinceMinor: 8,
    find: (pod) => (pod.isWindows ? [] : findEscalations(pod)),
  },
  {
    id: 'runAsNonRoot',
    level: 'restricted',
    find: (pod) => (pod.hasOwnUsers ? [] : findPossibleRoots(pod)),
  },
  {
    id: 'runAsUser',
    level: 'restricted',
    sinceMinor: 23,
    find: (pod) => (pod.hasOwnUsers ? [] : findRoots(pod)),
  },
];

/** The capabilities that container runtimes grant by default, without NET_RAW. */
const runtimeCapabilities = [
  'AUDIT_WRITE',
  'CHOWN',
  'DAC_OVERRIDE',
  'FOWNER',
  'FSETID',
  'KILL',
  'MKNOD',
  'NET_BIND_SERVICE',
  'SETFCAP',
  'SETGID',
  'SETPCAP',
  'SETUID',
  'SYS_CHROOT',
];

function* findAddedCapabilities(pod: CheckedPod, allowed: readonly string[]): Generator<PodFault> {
  for (const { path, fields } of listContainerContexts(pod)) {
    const list = ['capabilities', 'add'];
    for (const [i, capability] of listAt(fields, list).entries()) {
      if (typeof capability !== 'string' || allowed.includes(capability)) continue;
      const message = `must be ${allowed.length > 1 ? 'one of ' : ''}${allowed.join(', ')}, got ${show(capability)}`;
      yield { path: [...path, ...list, i], message };
    }
  }
}

function* findKeptCapabilities(pod: CheckedPod): Generator<PodFault> {
  for (const { path, fields } of listContainerContexts(pod)) {
    const list = ['capabilities', 'drop'];
    const dropped = listAt(fields, list);
    if (dropped.includes('ALL')) continue;
    const isUnset = dropped.length === 0;
    const got = isUnset ? 'nothing' : formatList(dropped.map(show));
    const message = `must contain 'ALL', got ${got}`;
    yield { path: [...path, ...list], message, ...(isUnset && { isUnset }) };
  }
}

function* findEscalations(pod: CheckedPod): Generator<PodFault> {
  for (const { path, fields } of listContainerContexts(pod)) {
    const value = fields['allowPrivilegeEscalation'] ?? undefined;
    if (value === false) continue;
    const at = [...path, 'allowPrivilegeEscalation'];
    const message = `must be false, got ${show(value)}`;
    yield { path: at, message, ...(value === undefined && { isUnset: true }) };
  }
}

/**
 * Finds what lets a container run as root. The value of a container counts before that of the pod. A pod with `false`
 * is refused even if each container overrides it.
 */
function* findPossibleRoots(pod: CheckedPod): Generator<PodFault> {
  for (const { path, fields } of listContexts(pod)) {
    if (fields['runAsNonRoot'] !== false) continue;
    yield { path: [...path, 'runAsNonRoot'], message: 'must be true, got false' };
  }
  const isUnset = (value: unknown): boolean => typeof value !== 'boolean';
  const isLacking = pod.containers.some((one) => isUnset(one.securityContext['runAsNonRoot']));
  if (!isLacking || !isUnset(pod.securityContext['runAsNonRoot'])) return;
  const path = ['spec', 'securityContext', 'runAsNonRoot'];
  yield { path, message: 'must be true, got nothing', isUnset: true };
}

function* findRoots(pod: CheckedPod): Generator<PodFault> {
  for (const { path, fields } of listContexts(pod)) {
    if (fields['runAsUser'] !== 0) continue;
    yield { path: [...path, 'runAsUser'], message: 'must be above 0, got 0' };
  }
}
