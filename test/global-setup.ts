import {
  addressVariable,
  serverKey,
  SharedServer,
} from '@tenantry/testing/test/controlplane/shared-server';
import { CommandServer, commandKey, commandVariable } from './cli/command-server.ts';
import { BuiltPackage, packageKey } from './packages/built.ts';
import {
  ClusterPool,
  clusterPoolKey,
  clusterPoolVariable,
} from '@tenantry/testing/test/controlplane/lender';

/** The globalSetup of jest: offers the built command and clusters, which are made when a test first needs them. */
// oxlint-disable-next-line import/no-default-export
export default async function setUp(): Promise<void> {
  // Saves Go programs that run for seconds, such as the API server, a tenth of their processor time.
  process.env['GOGC'] ??= '400';
  // Every wait must succeed on a machine that is ten times slower, too.
  process.env['TENANTRY_WITHIN'] ??= '120000';
  const built = new BuiltPackage();
  const commands = new CommandServer(built.command);
  const server = new SharedServer();
  const pool = new ClusterPool();
  process.env[addressVariable] = await server.listen();
  process.env[clusterPoolVariable] = await pool.listen();
  process.env[commandVariable] = await commands.listen();
  Object.assign(globalThis, {
    [serverKey]: server,
    [clusterPoolKey]: pool,
    [packageKey]: built,
    [commandKey]: commands,
  });
}
