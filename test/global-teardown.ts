import { serverKey, type SharedServer } from '@tenantry/testing/test/controlplane/shared-server';
import { commandKey, type CommandServer } from './cli/command-server.ts';
import { packageKey, type BuiltPackage } from './packages/built.ts';
import { clusterPoolKey, type ClusterPool } from '@tenantry/testing/test/controlplane/lender';

interface RunGlobals {
  readonly [serverKey]?: SharedServer;
  readonly [clusterPoolKey]?: ClusterPool;
  readonly [packageKey]?: BuiltPackage;
  readonly [commandKey]?: CommandServer;
}

/** The globalTeardown of jest: ends the clusters of the run, if any was started, and removes the build. */
// oxlint-disable-next-line import/no-default-export
export default async function tearDown(): Promise<void> {
  const runGlobals = globalThis as RunGlobals;
  const { [serverKey]: server, [clusterPoolKey]: pool, [packageKey]: built } = runGlobals;
  await runGlobals[commandKey]?.close();
  built?.remove();
  await Promise.all([server?.close(), pool?.close()]);
}
