import { addressVariable, serverKey, SharedServer } from '../testing/controlplane/sharedserver.ts';
import { BuiltPackage, packageKey } from './packages/built.ts';

/** jest's globalSetup: builds the command, and offers a cluster, which does not start until a test asks. */
// oxlint-disable-next-line import/no-default-export
export default async function setUp(): Promise<void> {
  // Programs in Go that run for seconds, the API server among them: a tenth less of the processor.
  process.env['GOGC'] ??= '400';
  const built = new BuiltPackage();
  const server = new SharedServer();
  process.env[addressVariable] = await server.listen();
  Object.assign(globalThis, { [serverKey]: server, [packageKey]: built });
}
