import { expect } from '@jest/globals';
import { existsSync } from 'node:fs';
import { ownClusters } from './shared.ts';
import { requestSharedCluster, SharedServer } from './shared-server.ts';

const { test } = await ownClusters();

test('all requests in a run get the same cluster, which ends with the run', async () => {
  const server = new SharedServer();
  const address = await server.listen();
  const [one, other] = await Promise.all([
    requestSharedCluster(address),
    requestSharedCluster(address),
  ]);
  expect(one.details?.server).toMatch(/^https:/);
  expect(other).toEqual(one);
  await server.close();
  expect(existsSync(one.details?.folder ?? '')).toBe(false);
  await expect(requestSharedCluster(address)).rejects.toThrow();
});

test('a request without the secret of the run gets no answer', async () => {
  const server = new SharedServer();
  const [port] = (await server.listen()).split(':');
  await expect(requestSharedCluster(`${port}:guessed`)).rejects.toThrow();
  await server.close();
});
