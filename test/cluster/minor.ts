import { KUBERNETES_MINOR } from '@tenantry/crd/validation/validate';
import { testUnless } from '../skipping.ts';
import type { ClusterTests } from '@tenantry/testing/test/controlplane/shared';
import { resolveVersion } from '@tenantry/testing/controlplane/programs';

/** The minor version of the cluster that the tests of this run share. */
export const clusterMinor = resolveVersion(process.env).minor;

/**
 * Returns a test function for behavior that other minor versions may not share; it skips unless the cluster has our
 * version.
 */
export function testsOfOurMinor(test: ClusterTests['test']): ClusterTests['test'] {
  const isOurs = clusterMinor === KUBERNETES_MINOR;
  const reason = `the rules are those of Kubernetes ${KUBERNETES_MINOR}, this is ${clusterMinor}`;
  return testUnless(isOurs ? undefined : reason, test);
}
