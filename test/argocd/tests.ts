import { startCluster, type Cluster } from '@tenantry/testing/controlplane/cluster';
import { testUnless } from '../skipping.ts';
import { ownClusters, type ClusterTests } from '@tenantry/testing/test/controlplane/shared';
import { findArgoCd, type ArgoCdPrograms } from './programs.ts';

/** Tests of a file that need a real Argo CD. They are skipped, with the reason, if there is none. */
export interface ArgoCdTests extends ClusterTests {
  /** The programs for `ArgoCd.start`. Read them inside a test only: this throws if there are none. */
  readonly programs: ArgoCdPrograms;
  /** Returns an unshared cluster with controllers, on which namespaces are finalized and pods become ready. */
  newCluster(): Promise<Cluster>;
}

/**
 * Returns the Argo CD tests of a file. Starting Argo CD takes seconds of processor time, so a file has one for all of
 * its tests:
 *
 *     const given = await argoCdTests();
 *     given.test('an Application becomes Synced and Healthy', async () => {
 *       await using cluster = await given.newCluster();
 *       await using argoCd = await ArgoCd.start(cluster, given);
 */
export async function argoCdTests(): Promise<ArgoCdTests> {
  const clusters = await ownClusters();
  if (clusters.reason !== undefined) return skipped(clusters.reason);
  const { programs, reason } = await findArgoCd();
  if (!programs) return skipped(reason);
  const { test, binaries } = clusters;
  const whole = { binaries, controllerManager: true, scheduler: true, readyPods: true };
  return { test, programs, newCluster: () => startCluster(whole) };
}

const skipped = (reason: string): ArgoCdTests => ({
  test: testUnless(reason),
  get programs(): never {
    throw new Error(reason);
  },
  newCluster: () => Promise.reject(new Error(reason)),
});
