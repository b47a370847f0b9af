import { afterAll, expect } from '@jest/globals';
import { crdManifest } from '@tenantry/crd/definition';
import { ApiClient } from '@tenantry/runtime/client/api-client';
import { Transport } from '@tenantry/runtime/connection/transport';
import { isDeepEqual } from '@tenantry/kube/json';
import { Namespace } from '@tenantry/runtime/kinds/core';
import { seededRandom, createChance } from '@tenantry/testing/simulation/random';
import { VirtualClock } from '@tenantry/testing/clock/virtual-clock';
import { runActor, clusterActors } from '@tenantry/testing/simulation/cluster-actors';
import { SimulatedApiServer } from '@tenantry/testing/simulation/server/simulated-api-server';
import { connectionOfUser } from '@tenantry/runtime/test/connection/user-connection';
import { newNamespace, sharedCluster } from '@tenantry/testing/test/controlplane/shared';
import {
  bare,
  comparable,
  conformanceCases,
  outcomeOf,
  stall,
  type Ground,
} from '@tenantry/testing/test/simulation/conformance';
import { settlingCases } from '@tenantry/testing/test/simulation/settling';
import { until } from '@tenantry/testing/waiting/until';
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
