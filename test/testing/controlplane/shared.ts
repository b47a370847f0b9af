import { afterAll } from '@jest/globals';
import { TENANT_LABEL } from '../../../kube/holder.ts';
import { ClusterAccess } from '../../../testing/controlplane/access.ts';
import { AuditLog } from '../../../testing/controlplane/audit-log.ts';
import { findBinaries } from '../../../testing/controlplane/binaries.ts';
import { startCluster } from '../../../testing/controlplane/cluster.ts';
import {
  addressVariable,
  requestSharedCluster,
  startFullCluster,
  type SharedClusterReply,
} from '../../../testing/controlplane/shared-server.ts';
import type { Metadata } from '../../../testing/controlplane/objects.ts';
import type { Binaries } from '../../../testing/controlplane/programs.ts';
import { uniqueName } from '../../../testing/controlplane/unique-name.ts';
import { testUnless, type Test } from '../../skipping.ts';
import { borrowCluster, clusterPoolVariable, type OwnCluster } from './lender.ts';

export { uniqueName } from '../../../testing/controlplane/unique-name.ts';

/** Tests of a file that need a real cluster: run where there is one, skipped with the reason elsewhere. */
export interface ClusterTests {
  /** jest's `test`; or one that skips, whose titles end with `[skipped: reason]`. */
  readonly test: Test;
}

export interface SharedClusterTests extends ClusterTests {
  /** To be asked within a test: it throws where there is none. */
  readonly cluster: ClusterAccess;
}

/**
 * The cluster of this run of jest, with controllers and ready pods, started by the first file that
 * asks. All files use it at the same time, so whatever a test makes has a name from `uniqueName`,
 * and lies in a namespace of its own where it can:
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
    // What other files asked before is nobody's business, and much.
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

/** A runner without our globalSetup has no cluster to share: then the file gets its own. */
async function askRun(): Promise<SharedClusterReply> {
  const address = process.env[addressVariable];
  if (address) return requestSharedCluster(address);
  const started = await startFullCluster();
  if (typeof started === 'string') return { reason: started };
  afterAll(() => started.stop());
  return { details: started.details };
}

export interface OwnClusterTests extends ClusterTests {
  /** For those that start a control plane which has more than an API server, or other flags. */
  readonly binaries: Binaries;
  /** Why there are none, and tests skip. */
  readonly reason: string | undefined;
  /**
   * A control plane without controllers, as new, that no other test has before it is stopped:
   *
   *     await using cluster = await given.newCluster();
   */
  newCluster(): Promise<OwnCluster>;
}

/** For tests that share no cluster. */
export async function ownClusters(): Promise<OwnClusterTests> {
  const { binaries, reason } = await findBinaries();
  const address = process.env[clusterPoolVariable];
  if (binaries) {
    // A runner without our globalSetup has nobody who lends.
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
 * Makes a namespace of a tenant with the same unique name. Objects of a tenant go nowhere else once a test has applied
 * the policy `tenant-adoption` to the cluster.
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
