import { expect, test } from '@jest/globals';
import { define } from '@tenantry/crd/define';
import type { WatchEvent } from '@tenantry/runtime/client/client';
import { ConfigMap, Node, Pod } from '@tenantry/runtime/kinds/core';
import { object } from '@tenantry/crd/schema/language';
import { VirtualClock } from '../../clock/virtual-clock.ts';
import { NotSimulated } from '../../simulation/server/errors.ts';
import { SimulatedApiServer } from '../../simulation/server/simulated-api-server.ts';

const namespace = 'default';

function given() {
  const clock = new VirtualClock();
  const server = new SimulatedApiServer({ clock });
  return { clock, server, client: server.client() };
}

/** Records the events of a watch from now on. */
function recordEvents(watch: AsyncIterable<WatchEvent<typeof ConfigMap>>) {
  const events: string[] = [];
  const listen = async (): Promise<void> => {
    for await (const event of watch) {
      events.push(
        event.type === 'BOOKMARK'
          ? `BOOKMARK ${event.resourceVersion}`
          : `${event.type} ${event.object.metadata.name}`,
      );
    }
    events.push('end');
  };
  listen().catch((error: Error) => events.push(error.message));
  return events;
}

test('a watch sends a bookmark every minute and ends after its timeout', async () => {
  const { clock, client } = given();
  const { resourceVersion } = await client.list(ConfigMap);
  const events = recordEvents(client.watch(ConfigMap, { resourceVersion, timeoutSeconds: 150 }));
  await clock.advance(90_000);
  await client.create(ConfigMap, { metadata: { name: 'one', namespace } });
  await clock.advance(200_000);
  const next = Number(resourceVersion) + 1;
  expect(events).toEqual([`BOOKMARK ${resourceVersion}`, 'ADDED one', `BOOKMARK ${next}`, 'end']);
  expect(clock.waiting).toBe(0);
});

test('a watch or a next page from a compacted version fails, so that the client must list again', async () => {
  const { clock, server, client } = given();
  for (const name of ['a', 'b']) await client.create(ConfigMap, { metadata: { name, namespace } });
  const page = await client.list(ConfigMap, { limit: 1 });
  await client.delete(ConfigMap, { name: 'b', namespace });
  server.compact();
  const events = recordEvents(client.watch(ConfigMap, { resourceVersion: page.resourceVersion }));
  await clock.advance(0);
  expect(events).toEqual(['The resourceVersion for the provided watch or list is too old.']);
  await expect(client.list(ConfigMap, { continue: page.continue })).rejects.toMatchObject({
    isExpired: true,
  });
});

test('a watch without a listener leaves nothing behind', async () => {
  const { clock, client } = given();
  const stop = new AbortController();
  const events = recordEvents(client.watch(ConfigMap, { signal: stop.signal }));
  await clock.advance(0);
  stop.abort(new Error('that will do'));
  await clock.advance(0);
  expect([events, clock.waiting]).toEqual([['that will do'], 0]);
});

test('objects from the server are immutable', async () => {
  const { client } = given();
  const made = await client.create(ConfigMap, { metadata: { name: 'a', namespace }, data: {} });
  expect(() => Object.assign(made.metadata, { name: 'b' })).toThrow(TypeError);
  expect(Object.isFrozen(await client.get(ConfigMap, made.metadata))).toBe(true);
});

test('calls that are not simulated fail with a message, and kinds that are not served fail as on a real server', async () => {
  const { client } = given();
  const pod = { name: 'a', namespace };
  const refusals = [
    client.get(Node, { name: 'a' }),
    client.get(Pod, pod, { subresource: 'log' }),
    client.list(ConfigMap, { resourceVersion: '1', resourceVersionMatch: 'Exact' }),
  ];
  for (const refused of refusals) await expect(refused).rejects.toBeInstanceOf(NotSimulated);
  const nothing = { ...ConfigMap, group: 'example.com', plural: 'nothings', kind: 'Nothing' };
  await expect(client.list(nothing)).rejects.toMatchObject({ isNotFound: true });
  await expect(client.get(ConfigMap, { name: 'a' })).rejects.toThrow('are namespaced');
});

test('definitions whose versions are converted by a webhook are not served', () => {
  const converted = define({
    group: 'example.com',
    kind: 'Shop',
    plural: 'shops',
    scope: 'Namespaced',
    conversion: {
      strategy: 'Webhook',
      webhook: {
        conversionReviewVersions: ['v1'],
        clientConfig: { url: 'https://example.com/convert' },
      },
    },
    versions: { v1: { schema: object('A shop.', {}) } },
  });
  expect(
    () => new SimulatedApiServer({ clock: new VirtualClock(), definitions: [converted] }),
  ).toThrow('shops.example.com must have versions that differ in apiVersion alone to be simulated');
});

test('the server generates the same names and uids in each run', async () => {
  const made = async () => {
    const metadata = { generateName: 'a-', namespace };
    const { name, uid } = (await given().client.create(ConfigMap, { metadata })).metadata;
    return [name, uid];
  };
  expect(await made()).toEqual(await made());
});
