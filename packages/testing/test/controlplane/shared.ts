import { afterAll } from '@jest/globals';
import { TENANT_LABEL } from '@tenantry/kube/cascade-root';
import { ClusterAccess, startCluster } from '../../controlplane/cluster.ts';
import { AuditLog } from '../../controlplane/audit-log.ts';
import { findBinaries } from '../../controlplane/binaries.ts';
import {
  addressVariable,
  requestSharedCluster,
  startFullCluster,
  type SharedClusterReply,
} from './shared-server.ts';
import type { Metadata } from '../../controlplane/objects.ts';
import type { Binaries } from '../../controlplane/programs.ts';
import { uniqueName } from './unique-name.ts';
import { testUnless, type Test } from '@tenantry/test-tools/skipping';
import { borrowCluster, clusterPoolVariable, type OwnCluster } from './lender.ts';

export { uniqueName } from './unique-name.ts';

/** Tests of a file that need a real cluster. They are skipped, with the reason, if there is none. */
export interface ClusterTests {
  /** The `test` of jest, or one that skips and whose titles end with `[skipped: reason]`. */
  readonly test: Test;
}

export interface SharedClusterTests extends ClusterTests {
  /** The cluster. Read it inside a test only: it throws if there is no cluster. */
  readonly cluster: ClusterAccess;
}

/**
 * Returns the cluster of this run of jest, with controllers and ready pods; the first file that needs it starts it.
 *
 * All files use it at the same time. Name objects with `uniqueName`, and use a namespace per test where possible:
 *
 *     const given = await sharedCluster();
 *     given.test('a deleted role binding comes back', async () => {
 *       const namespace = await newNamespace(given.cluster, 'bindings');
 *       ...
 */
export async function sharedCluster(): Promise<SharedClusterTests> {
  const answer = await askRun();
  if (answer.error !== undefined) throw new Error(answer.error);
  if (answer.details) {
    const { details } = answer;
    // Skip the many requests that other files made before.
    const cluster = new ClusterAccess(details, AuditLog.fromNow(details.folder));
    return { test: testUnless(undefined), cluster };
  }
  const { reason } = answer;
  return {
    test: testUnless(reason),
    get cluster(): never {
      throw new Error(reason);
    },
  };
}

/**
 * Requests the shared cluster. A runner without the globalSetup of this repository starts one for this file instead.
 */
async function askRun(): Promise<SharedClusterReply> {
  const address = process.env[addressVariable];
  if (address) return requestSharedCluster(address);
  const started = await startFullCluster();
  if (typeof started === 'string') return { reason: started };
  afterAll(() => started.stop());
  return { details: started.details };
}

export interface OwnClusterTests extends ClusterTests {
  /** For tests that start a control plane with more than an API server, or with other flags. */
  readonly binaries: Binaries;
  /** The reason why there are no binaries and the tests are skipped. */
  readonly reason: string | undefined;
  /**
   * Borrows a control plane without controllers in its initial state. No other test uses it until it is stopped:
   *
   *     await using cluster = await given.newCluster();
   */
  newCluster(): Promise<OwnCluster>;
}

/** Returns clusters for tests that do not share one. */
export async function ownClusters(): Promise<OwnClusterTests> {
  const { binaries, reason } = await findBinaries();
  const address = process.env[clusterPoolVariable];
  if (binaries) {
    // A runner without the globalSetup of this repository has no pool of clusters.
    const newCluster = () => (address ? borrowCluster(address) : startCluster({ binaries }));
    return { test: testUnless(undefined), reason: undefined, binaries, newCluster };
  }
  return {
    test: testUnless(reason),
    reason,
    get binaries(): never {
      throw new Error(reason);
    },
    newCluster: () => Promise.reject(new Error(reason)),
  };
}

/** Makes a namespace with a unique name and returns the name. */
export async function newNamespace(cluster: ClusterAccess, prefix: string): Promise<string> {
  return createNamespace(cluster, { name: uniqueName(prefix) });
}

/**
 * Makes a namespace of a tenant with the same unique name, and returns the name. Once a test has applied the policy
 * `tenant-adoption` to the cluster, a tenant's objects are accepted in such namespaces only.
 */
export async function newTenantNamespace(cluster: ClusterAccess, prefix: string): Promise<string> {
  const name = uniqueName(prefix);
  return createNamespace(cluster, { name, labels: { [TENANT_LABEL]: name } });
}

async function createNamespace(cluster: ClusterAccess, metadata: Metadata): Promise<string> {
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata };
  const { status, body } = await cluster.admin.create(namespace);
  if (status !== 201) throw new Error(`no namespace ${metadata.name}: ${body.message}`);
  return metadata.name!;
}
