import { serverKey, type SharedServer } from '@tenantry/testing/test/controlplane/shared-server';
import { commandKey, type CommandServer } from './cli/command-server.ts';
import { packageKey, type BuiltPackage } from './packages/built.ts';
import { clusterPoolKey, type ClusterPool } from '@tenantry/testing/test/controlplane/lender';

interface OfTheRun {
  readonly [serverKey]?: SharedServer;
  readonly [clusterPoolKey]?: ClusterPool;
  readonly [packageKey]?: BuiltPackage;
  readonly [commandKey]?: CommandServer;
}

/** The globalTeardown of jest: ends the clusters of the run, if any was started, and removes the build. */
// oxlint-disable-next-line import/no-default-export
export default async function tearDown(): Promise<void> {
  const ofTheRun = globalThis as OfTheRun;
  const { [serverKey]: server, [clusterPoolKey]: lender, [packageKey]: built } = ofTheRun;
  await ofTheRun[commandKey]?.close();
  built?.remove();
  await Promise.all([server?.close(), lender?.close()]);
}
