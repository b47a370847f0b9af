import type { KubeObject } from '../../../kube/object.ts';
import { newVolumes, reclaimedVolumes } from './claims.ts';
import { podDefaults } from './defaults.ts';
import { imagePullPolicy, podVolumes } from './pods.ts';

/** The first minor version that serves MutatingAdmissionPolicies of v1 (KEP-3962). */
const MUTATING_MINOR = 36;

/**
 * Builds the hardening policies and their bindings.
 * @param kubernetesVersion the version of the cluster, such as '1.36'. Default: one that serves no
 * MutatingAdmissionPolicy
 */
export function buildHardeningPolicies(kubernetesVersion?: string): readonly KubeObject[] {
  const minor = Number(kubernetesVersion?.split('.')[1] ?? 0);
  return [
    ...imagePullPolicy,
    ...podVolumes,
    ...newVolumes,
    ...reclaimedVolumes,
    ...(minor >= MUTATING_MINOR ? podDefaults : []),
  ];
}
