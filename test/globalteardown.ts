import { serverKey, type SharedServer } from '../testing/controlplane/sharedserver.ts';
import { packageKey, type BuiltPackage } from './packages/built.ts';

interface OfTheRun {
  readonly [serverKey]?: SharedServer;
  readonly [packageKey]?: BuiltPackage;
}

/** jest's globalTeardown: ends the cluster of the run, if one was started, and removes what was built. */
// oxlint-disable-next-line import/no-default-export
export default async function tearDown(): Promise<void> {
  const { [serverKey]: server, [packageKey]: built } = globalThis as OfTheRun;
  built?.remove();
  await server?.close();
}
