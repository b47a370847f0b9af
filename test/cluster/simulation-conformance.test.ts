import { afterAll, expect } from '@jest/globals';
import { crdManifest } from '../../crds/definition.ts';
import { ApiClient } from '../../runtime/client/api-client.ts';
import { Transport } from '../../runtime/connection/transport.ts';
import { isDeepEqual } from '../../kube/equality.ts';
import { Namespace } from '../../runtime/kinds/core.ts';
import { seededRandom, createChance } from '../../testing/simulation/random.ts';
import { VirtualClock } from '../../testing/clock/virtual-clock.ts';
import { runActor } from '../../testing/simulation/actors/actor.ts';
import { clusterActors } from '../../testing/simulation/actors/cluster-actors.ts';
import { SimulatedApiServer } from '../../testing/simulation/server/simulated-api-server.ts';
import { connectionOfUser } from '../runtime/connection/user-connection.ts';
import { newNamespace, sharedCluster } from '../testing/controlplane/shared.ts';
import {
  bare,
  comparable,
  conformanceCases,
  outcomeOf,
  stall,
  type Ground,
} from '../testing/simulation/conformance.ts';
import { settlingCases } from '../testing/simulation/settling.ts';
import { until } from '../../testing/waiting/until.ts';
import { serve } from './crds.ts';

const given = await sharedCluster();
const { test } = given;
const definitions = [stall, bare];
const transports: Transport[] = [];
afterAll(() => transports.forEach((one) => one.close()));

let served: Promise<unknown> | undefined;
const serveAll = (): Promise<unknown> =>
  (served ??= Promise.all(definitions.map((one) => serve(given.cluster.admin, crdManifest(one)))));

async function realGround(): Promise<Ground> {
  await serveAll();
  const [client, other] = ['us', 'them'].map((fieldManager) => {
    const transport = new Transport(connectionOfUser(given.cluster.admin), { qps: Infinity });
    transports.push(transport);
    return new ApiClient(transport, { fieldManager });
  });
  return { client: client!, other: other!, namespace: await newNamespace(given.cluster, 'same') };
}

async function simulatedGround(
  namespace: string,
  server = new SimulatedApiServer({ clock: new VirtualClock(), definitions }),
): Promise<Ground> {
  server.compact();
  const [client, other] = [server.client('us'), server.client('them')];
  await client.create(Namespace, { metadata: { name: namespace } });
  return { client, other, namespace };
}

for (const [sentence, run] of conformanceCases) {
  test(`the simulated server and a real one agree: ${sentence}`, async () => {
    const real = await realGround();
    const { namespace } = real;
    const expected = comparable(await outcomeOf(run(real)), namespace);
    const got = await outcomeOf(run(await simulatedGround(namespace)));
    expect(comparable(got, namespace)).toEqual(expected);
  });
}

for (const { sentence, act, see } of settlingCases) {
  test(`controllers reach the same state on both servers: ${sentence}`, async () => {
    const real = await realGround();
    const { namespace } = real;
    const clock = new VirtualClock();
    const server = new SimulatedApiServer({ clock, definitions });
    const chance = createChance(seededRandom(1));
    for (const actor of clusterActors) runActor(actor, server, clock, chance);
    const simulated = await simulatedGround(namespace, server);
    await act(simulated);
    await clock.advance(600_000);
    const expected = await see(simulated);
    await act(real);
    await until(`the real cluster reaches ${JSON.stringify(expected)}`, async () =>
      isDeepEqual(await see(real), expected),
    );
  });
}
