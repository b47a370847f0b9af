import { expect } from '@jest/globals';
import { fieldTable } from '../../kube/openapi/field-table.ts';
import { listKeys } from '../../kube/openapi/list-keys.ts';
import { startCluster } from '../../testing/controlplane/cluster.ts';
import { ownClusters } from '../testing/controlplane/shared.ts';
import { ALL_VERSIONS, liveTables } from './field-table.ts';
import { testsOfOurMinor } from './minor.ts';

const { test: clusterTest, binaries } = await ownClusters();
const test = testsOfOurMinor(clusterTest);

test('the tables of fields and list keys match an API server', async () => {
  await using cluster = await startCluster({ binaries, apiServerFlags: ALL_VERSIONS });
  const { fields, lists } = await liveTables(cluster.admin);
  expect(fields).toBe(fieldTable.trim());
  expect(lists).toBe(listKeys.trim());
});
