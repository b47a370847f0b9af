import { isMapping, listAt } from '../mapping.ts';
import type { Path } from '../problem.ts';

export type Mapping = Readonly<Record<string, unknown>>;

/** A field of a pod that a check refuses. */
export interface PodFault {
  /** The path from the pod, such as `spec.containers[0].securityContext.privileged`. */
  readonly path: Path;
  /** `must be X, got Y`. */
  readonly message: string;
  /** Present if the pod does not set the field, so that an admission plug-in may fill it in before the check. */
  readonly isUnset?: true;
}

/** A check of the Pod Security Standards. */
export interface PodSecurityCheck {
  /** The id of the check in k8s.io/pod-security-admission. */
  readonly id: string;
  /** The most open level that has the check. The levels above it have it too. */
  readonly level: 'baseline' | 'restricted';
  /** The check of baseline that `restricted` leaves out, because this one refuses the same and more. */
  readonly replaces?: string;
  /** The first minor version of the standards with the check. Absent: every version refuses what the check refuses. */
  readonly sinceMinor?: number;
  readonly find: (pod: CheckedPod) => Iterable<PodFault>;
}

/** A container of a pod, of any of the three lists. */
export interface CheckedContainer {
  readonly path: Path;
  readonly fields: Mapping;
  readonly securityContext: Mapping;
}

/** A pod as the checks read it. Parts with a wrong type count as absent: the API server refuses them itself. */
export interface CheckedPod {
  readonly annotations: Mapping;
  readonly spec: Mapping;
  readonly securityContext: Mapping;
  readonly containers: readonly CheckedContainer[];
  /** Whether the pod declares that it runs on Windows, where some fields must not be set. */
  readonly isWindows: boolean;
  /** Whether the pod has a user namespace of its own, in which root is no user of the node. */
  readonly hasOwnUsers: boolean;
}

/** The lists of containers that each check reads. */
const lists = ['initContainers', 'containers', 'ephemeralContainers'];

/** Reads a pod for the checks. */
export function readPod({ metadata, spec }: { metadata: unknown; spec: unknown }): CheckedPod {
  const fields = readMapping(spec);
  return {
    annotations: readMapping(readMapping(metadata)['annotations']),
    spec: fields,
    securityContext: readMapping(fields['securityContext']),
    containers: lists.flatMap((list) => readContainers(fields, list)),
    isWindows: readMapping(fields['os'])['name'] === 'windows',
    hasOwnUsers: fields['hostUsers'] === false,
  };
}

function readContainers(spec: Mapping, list: string): CheckedContainer[] {
  return listAt(spec, [list]).flatMap((fields, i): CheckedContainer[] => {
    if (!isMapping(fields)) return [];
    const securityContext = readMapping(fields['securityContext']);
    return [{ path: ['spec', list, i], fields, securityContext }];
  });
}

/** Returns a value if it is a mapping, otherwise an empty mapping. */
export function readMapping(value: unknown): Mapping {
  return isMapping(value) ? value : {};
}

/** A security context, which a pod and each of its containers can have. */
interface SecurityContext {
  readonly path: Path;
  readonly fields: Mapping;
}

/** Lists the security contexts of the containers. */
export function listContainerContexts({ containers }: CheckedPod): SecurityContext[] {
  return containers.map(({ path, securityContext }) => ({
    path: [...path, 'securityContext'],
    fields: securityContext,
  }));
}

/** Lists the security contexts of the pod and its containers. */
export function listContexts(pod: CheckedPod): SecurityContext[] {
  const ofPod = { path: ['spec', 'securityContext'], fields: pod.securityContext };
  return [ofPod, ...listContainerContexts(pod)];
}
