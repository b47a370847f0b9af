import { expect } from '@jest/globals';
import { fieldTable as ours } from '../../kube/openapi/fieldtable.ts';
import { startCluster } from '../../testing/controlplane/cluster.ts';
import { ownClusters } from '../testing/controlplane/shared.ts';
import { ALL_VERSIONS, liveFieldTable } from './fieldtable.ts';
import { testsOfOurMinor } from './minor.ts';

const { test: clusterTest, binaries } = await ownClusters();
const test = testsOfOurMinor(clusterTest);

test('the fields of Kubernetes’ own kinds are those that an API server has', async () => {
  await using cluster = await startCluster({ binaries, apiServerFlags: ALL_VERSIONS });
  expect(await liveFieldTable(cluster.admin)).toBe(ours.trim());
});
