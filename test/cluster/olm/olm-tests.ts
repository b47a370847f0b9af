import { afterAll, beforeAll } from '@jest/globals';
import { startCluster, type Cluster } from '@tenantry/testing/controlplane/cluster';
import type { Binaries } from '@tenantry/testing/controlplane/programs';
import { testUnless } from '../../skipping.ts';
import { ownClusters, type ClusterTests } from '@tenantry/testing/test/controlplane/shared';
import { findOlm } from './program.ts';
import { RealOlm, type OlmProgram } from './real-olm.ts';
import { SERVICE_ADDRESSES } from './service-addresses.ts';

interface Running {
  readonly cluster: Cluster;
  readonly olm: RealOlm;
}

export interface OlmTests extends ClusterTests {
  /**
   * The cluster and its OLM. Controllers run, pods become ready, and OLM handles ClusterServiceVersions. Only
   * available within a test.
   */
  readonly running: Running;
}

/** Starts a control plane with OLM for the tests of a file. OLM acts in all namespaces. */
export async function olmTests(): Promise<OlmTests> {
  const given = await ownClusters();
  const found = await findOlm();
  const reason = found.reason ?? given.reason;
  let running: Running | undefined;
  if (found.reason === undefined && given.reason === undefined) {
    beforeAll(async () => {
      running = await start(given.binaries, found);
    });
    afterAll(async () => {
      await running?.olm.stop();
      await running?.cluster.stop();
    });
  }
  return {
    test: testUnless(reason, given.test),
    get running() {
      if (!running) throw new Error(reason);
      return running;
    },
  };
}

async function start(binaries: Binaries, program: OlmProgram): Promise<Running> {
  const whole = { controllerManager: true, scheduler: true, readyPods: true };
  const apiServerFlags = [`--service-cluster-ip-range=${SERVICE_ADDRESSES}`];
  const cluster = await startCluster({ binaries, ...whole, apiServerFlags });
  try {
    return { cluster, olm: await RealOlm.start(cluster, program) };
  } catch (error) {
    await cluster.stop();
    throw error;
  }
}
