import { afterAll, expect } from '@jest/globals';
import { crdManifest } from '../../crds/definition.ts';
import { ApiClient } from '../../runtime/client/apiclient.ts';
import { Transport } from '../../runtime/connection/transport.ts';
import { Namespace } from '../../runtime/kinds/core.ts';
import { VirtualClock } from '../../testing/clock/virtualclock.ts';
import { SimulatedApiServer } from '../../testing/simulation/server/simulatedapiserver.ts';
import { connectionOfUser } from '../runtime/connection/userconnection.ts';
import { newNamespace, sharedCluster } from '../testing/controlplane/shared.ts';
import {
  bare,
  comparable,
  conformanceCases,
  outcomeOf,
  stall,
  type Ground,
} from '../testing/simulation/conformance.ts';
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

async function simulatedGround(namespace: string): Promise<Ground> {
  const server = new SimulatedApiServer({ clock: new VirtualClock(), definitions });
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
