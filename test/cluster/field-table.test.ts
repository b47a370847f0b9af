import { expect } from '@jest/globals';
import { fieldTable } from '@tenantry/kube/openapi/field-table';
import { listKeys } from '@tenantry/kube/openapi/list-keys';
import { startCluster } from '@tenantry/testing/controlplane/cluster';
import { ownClusters } from '@tenantry/testing/test/controlplane/shared';
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
