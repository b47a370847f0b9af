import { afterAll, expect } from '@jest/globals';
import { connectionOfUser } from '@tenantry/runtime/test/connection/user-connection';
import { report } from '../soak/report.ts';
import { soak } from '../soak/soak.ts';
import { newNamespace, sharedCluster } from '@tenantry/testing/test/controlplane/shared';
import { RuntimeClients } from './runtime-clients.ts';

const given = await sharedCluster();
const { test } = given;
const clients = new RuntimeClients();
afterAll(() => clients.close());

test('two replicas miss nothing while everything breaks', async () => {
  const { admin } = given.cluster;
  const namespace = await newNamespace(given.cluster, 'soak');
  const result = await soak({
    connection: connectionOfUser(admin),
    client: clients.of(admin),
    namespace,
    milliseconds: 12_000,
    seed: 7,
  });
  const { missed, problems, changes, reconciles, notificationCount, faults } = result;
  expect({ missed, problems }).toEqual({ missed: 0, problems: [] });
  expect(Math.min(changes, reconciles, notificationCount)).toBeGreaterThan(10);
  expect(faults.size).toBeGreaterThan(5);
  expect(report(result)).toMatch(
    /\nseed 7: nothing missed, nothing delivered twice, nothing left behind$/,
  );
});
