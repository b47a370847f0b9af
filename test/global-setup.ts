import { addressVariable, serverKey, SharedServer } from '../testing/controlplane/shared-server.ts';
import { CommandServer, commandKey, commandVariable } from './cli/command-server.ts';
import { BuiltPackage, packageKey, runnable } from './packages/built.ts';
import { ClusterPool, clusterPoolKey, clusterPoolVariable } from './testing/controlplane/lender.ts';

/** jest's globalSetup: builds the command, and offers clusters, none of which starts before a test asks. */
// oxlint-disable-next-line import/no-default-export
export default async function setUp(): Promise<void> {
  // Programs in Go that run for seconds, the API server among them: a tenth less of the processor.
  process.env['GOGC'] ??= '400';
  // What is waited for comes in the end, on a machine that is ten times slower too.
  process.env['TENANTRY_WITHIN'] ??= '120000';
  const built = new BuiltPackage();
  const commands = new CommandServer(runnable('cli/main.ts'));
  const server = new SharedServer();
  const lender = new ClusterPool();
  process.env[addressVariable] = await server.listen();
  process.env[clusterPoolVariable] = await lender.listen();
  process.env[commandVariable] = await commands.listen();
  Object.assign(globalThis, {
    [serverKey]: server,
    [clusterPoolKey]: lender,
    [packageKey]: built,
    [commandKey]: commands,
  });
}
