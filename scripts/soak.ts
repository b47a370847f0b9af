/**
 * `npm run test:soak` runs two replicas of an operator on a real API server while objects are written
 * and faults occur at random. It counts missed changes, repeated notifications and leaks.
 */
import { parseArgs } from 'node:util';
import { openClient } from '@tenantry/runtime/client/open-client';
import { connectionOfUser } from '@tenantry/runtime/test/connection/user-connection';
import { report } from '../test/soak/report.ts';
import { soak } from '../test/soak/soak.ts';
import { findBinaries } from '@tenantry/testing/controlplane/binaries';
import { startCluster } from '@tenantry/testing/controlplane/cluster';
import type { Binaries } from '@tenantry/testing/controlplane/programs';

const help = `npm run test:soak -- [options]

Starts a Kubernetes API server, two replicas of an operator with three controllers, and writers. Each
replica is behind a proxy that causes faults. The writers create, change and delete objects at a steady
rate. Faults, crashes and changes of the leader occur at random. At the end the cluster must match the
objects. Every change must have caused a reconcile, and no handler may have received a state twice.
No connection, watch or timer may be left.

  --minutes N   for how long faults occur; 0.1 is possible (default 10)
  --seed N      the same faults and writes in the same order (default: another one each time)
  --help        this text

Exits with 1 when a change was missed, a state was received twice, or anything was left behind.`;

await main().catch((error: unknown) => {
  console.error(`tenantry: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
});
// After thousands of reset connections, Node 24 may wait for ever for one of them while it cleans up.
process.exit();

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      minutes: { type: 'string', default: '10' },
      seed: { type: 'string', default: String(Date.now() % 1_000_000) },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return console.log(help);
  const [minutes, seed] = [Number(values.minutes), Number(values.seed)];
  if (!(minutes > 0 && Number.isFinite(minutes))) {
    throw new Error(`--minutes must be a number above 0, got '${values.minutes}'`);
  }
  if (!Number.isSafeInteger(seed) || seed < 0) {
    throw new Error(`--seed must be a whole number from 0 on, got '${values.seed}'`);
  }
  const { binaries, reason } = await findBinaries();
  if (!binaries) throw new Error(reason);
  await run(binaries, minutes * 60_000, seed);
}

async function run(binaries: Binaries, milliseconds: number, seed: number): Promise<void> {
  await using cluster = await startCluster({ binaries, controllerManager: true });
  const connection = connectionOfUser(cluster.admin);
  const client = openClient(connection, { qps: Infinity });
  console.log(`Kubernetes ${cluster.details.version}, --seed ${seed}`);
  const result = await soak({
    connection,
    client,
    namespace: 'default',
    milliseconds,
    seed,
    report: (line) => console.log(line),
  });
  client.close();
  console.log(report(result));
  if (result.missed > 0 || result.problems.length > 0) process.exitCode = 1;
}
