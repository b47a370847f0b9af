import { afterAll, expect } from '@jest/globals';
import { systemClock } from '@tenantry/runtime/clock/clock';
import { connectionOfUser } from '@tenantry/runtime/test/connection/user-connection';
import { newNamespace, sharedCluster } from '@tenantry/testing/test/controlplane/shared';
import { cellFaults, faultCell, type Target } from './fault-cells.ts';
import { RuntimeClients } from './runtime-clients.ts';

const given = await sharedCluster();
const clients = new RuntimeClients();
afterAll(() => clients.close());

/** The number of towns that run at a time; they spend most of it waiting. */
const mapConcurrently = 4;

/** Tests each fault in a town of its own, several at a time. */
function testFaults(sentence: string, target: Target): void {
  const faults = cellFaults.filter(({ targets }) => targets?.includes(target) ?? true);
  given.test(sentence, async () => {
    const connection = connectionOfUser(given.cluster.admin);
    const client = clients.of(given.cluster.admin);
    const rest = faults.values();
    const found: Record<string, string[]> = {};
    const took: Record<string, number> = {};
    const work = async (): Promise<void> => {
      for (const fault of rest) {
        const began = systemClock.now();
        const namespace = await newNamespace(given.cluster, 'fault');
        const problems = await faultCell({ connection, client, namespace }, fault, target);
        if (problems.length > 0) found[fault.name] = problems;
        took[fault.name] = systemClock.now() - began;
      }
    };
    await Promise.all(Array.from({ length: mapConcurrently }, work));
    expect(found).toEqual({});
    expect(Object.keys(took)).toHaveLength(faults.length);
  });
}

testFaults('no fault of a list in pages causes a miss or a duplicate', 'pages');
testFaults('no fault of a list in a stream causes a miss or a duplicate', 'stream');
testFaults('no fault of a watch causes a miss or a duplicate', 'watch');
testFaults('no fault of a write causes a miss or a duplicate', 'write');
