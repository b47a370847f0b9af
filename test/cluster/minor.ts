import { test as plainTest } from '@jest/globals';
import { KUBERNETES_MINOR } from '../../crds/validation/validate.ts';
import type { ClusterTests } from '../testing/controlplane/shared.ts';
import { chosenVersion } from '../../testing/controlplane/versions.ts';

/** The minor of the cluster that the tests of this run share. */
export const clusterMinor = chosenVersion(process.env).minor;

/** Tests of what is the same on the minor whose rules ours are, and not on every other. */
export function testsOfOurMinor(test: ClusterTests['test']): ClusterTests['test'] {
  if (clusterMinor === KUBERNETES_MINOR) return test;
  const reason = `the rules are those of Kubernetes ${KUBERNETES_MINOR}, this is ${clusterMinor}`;
  return (sentence, run) => plainTest.skip(`${sentence} [skipped: ${reason}]`, run);
}
