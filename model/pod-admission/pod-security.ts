import {
  listPodSecurityViolations,
  type PodSecurityLevel,
  type PodSecurityViolation,
} from '@tenantry/kube/pod-security';
import { valueAt } from '@tenantry/kube/mapping';

/** What decides which pods Pod Security Admission refuses in a namespace. */
export interface PodSecurityBounds {
  readonly level: PodSecurityLevel;
  /** The minor version of the standards, such as 36. */
  readonly minor: number;
  /** Whether the cluster fills in what `restricted` requires, by `hardening.podDefaults` of the class. */
  readonly hasDefaults: boolean;
}

/**
 * Lists the fields for which a namespace refuses a pod, after the cluster filled in defaults. An older version of a
 * level refuses at least what is listed.
 */
export function listPodSecurityRefusals(
  pod: { readonly metadata: unknown; readonly spec: unknown },
  { level, minor, hasDefaults }: PodSecurityBounds,
): PodSecurityViolation[] {
  // The policy that fills in defaults leaves out pods for Windows.
  const isCompleted = hasDefaults && valueAt(pod.spec, ['os', 'name']) !== 'windows';
  return listPodSecurityViolations(pod, level).filter(
    ({ sinceMinor = 0, isUnset }) => sinceMinor <= minor && !(isUnset && isCompleted),
  );
}
