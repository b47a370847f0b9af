import { KUBERNETES_MINOR } from '../../crds/validation/validate.ts';
import { testUnless } from '../skipping.ts';
import type { ClusterTests } from '../testing/controlplane/shared.ts';
import { resolveVersion } from '../../testing/controlplane/versions.ts';

/** The minor of the cluster that the tests of this run share. */
export const clusterMinor = resolveVersion(process.env).minor;

/** Tests of what is the same on the minor whose rules ours are, and not on every other. */
export function testsOfOurMinor(test: ClusterTests['test']): ClusterTests['test'] {
  const isOurs = clusterMinor === KUBERNETES_MINOR;
  const reason = `the rules are those of Kubernetes ${KUBERNETES_MINOR}, this is ${clusterMinor}`;
  return testUnless(isOurs ? undefined : reason, test);
}
