import { serverKey, type SharedServer } from './sharedserver.ts';

/** jest's globalTeardown: ends the cluster of the run, if one was started. */
// oxlint-disable-next-line import/no-default-export
export default async function tearDown(): Promise<void> {
  await (globalThis as { readonly [serverKey]?: SharedServer })[serverKey]?.close();
}
