import { SharedServer, serverKey, addressVariable } from './sharedserver.ts';

/** jest's globalSetup: offers a cluster to the tests of the run. Nothing starts until one asks. */
// oxlint-disable-next-line import/no-default-export
export default async function setUp(): Promise<void> {
  const server = new SharedServer();
  process.env[addressVariable] = await server.listen();
  Object.assign(globalThis, { [serverKey]: server });
}
