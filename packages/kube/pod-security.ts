import { readPod, type PodFault, type PodSecurityCheck } from './pod-security/check.ts';
import { hostAccessChecks } from './pod-security/host-access.ts';
import { kernelSettingChecks } from './pod-security/kernel-settings.ts';
import { privilegeChecks } from './pod-security/privileges.ts';
import { volumeChecks } from './pod-security/volumes.ts';

/** The levels of the Pod Security Standards, from the most open to the strictest. */
export type PodSecurityLevel = 'privileged' | 'baseline' | 'restricted';

/** A field of a pod that its level refuses. */
export interface PodSecurityViolation extends PodFault {
  /** The id of the check in k8s.io/pod-security-admission, such as `capabilities_restricted`. */
  readonly check: string;
  /** The first minor version of the standards with the check. Absent: every version refuses the field. */
  readonly sinceMinor?: number;
}

/** All checks of the Pod Security Standards, as of Kubernetes 1.36. */
export const podSecurityChecks: readonly PodSecurityCheck[] = [
  ...hostAccessChecks,
  ...kernelSettingChecks,
  ...privilegeChecks,
  ...volumeChecks,
];

/**
 * Lists the fields for which Pod Security Admission refuses a pod, as Kubernetes 1.36 checks `latest`. Init and
 * ephemeral containers are checked like the others.
 *
 * Older versions of the standards are not modeled. They allow no field that `latest` refuses, except where a check is
 * newer than they are (`sinceMinor`). They refuse some that `latest` allows: newer safe kernel parameters, and what
 * 1.35 allows pods with their own user namespace (`hostUsers: false`).
 *
 * Values with a wrong type count as absent, because the API server refuses them before it checks the level.
 *
 * Sources:
 * https://kubernetes.io/docs/concepts/security/pod-security-standards/
 * https://github.com/kubernetes/enhancements/tree/master/keps/sig-auth/2579-psp-replacement
 * https://github.com/kubernetes/enhancements/tree/master/keps/sig-node/127-user-namespaces
 * k8s.io/pod-security-admission policy (the test on an API server compares each check)
 */
export function listPodSecurityViolations(
  pod: { readonly metadata: unknown; readonly spec: unknown },
  level: PodSecurityLevel,
): PodSecurityViolation[] {
  const checks = checksOfLevel[level];
  if (checks.length === 0) return [];
  const checked = readPod(pod);
  return checks.flatMap(({ id, sinceMinor, find }) =>
    Array.from(find(checked), (fault) => ({
      ...fault,
      check: id,
      ...(sinceMinor !== undefined && { sinceMinor }),
    })),
  );
}

const replaced = new Set(podSecurityChecks.map(({ replaces }) => replaces));

/** The checks of each level. */
const checksOfLevel: Readonly<Record<PodSecurityLevel, readonly PodSecurityCheck[]>> = {
  privileged: [],
  baseline: podSecurityChecks.filter(({ level }) => level === 'baseline'),
  restricted: podSecurityChecks.filter(({ id }) => !replaced.has(id)),
};
