import { afterEach, expect } from '@jest/globals';
import { ApiClient } from '@tenantry/runtime/client/api-client';
import type { Client, WatchEvent } from '@tenantry/runtime/client/client';
import { Transport } from '@tenantry/runtime/connection/transport';
import { newNamespace, sharedCluster } from '@tenantry/testing/test/controlplane/shared';
import { until } from '@tenantry/testing/waiting/until';
import { FaultyProxy } from '@tenantry/testing/faults/faulty-proxy';
import { isList, isWatch } from '@tenantry/testing/faults/requests';
import { connectionOfUser } from '@tenantry/runtime/test/connection/user-connection';
import { configMaps } from '@tenantry/runtime/test/kinds/builtin';

const given = await sharedCluster();
const { test } = given;
type ConfigMaps = typeof configMaps;

const started: { stop(): Promise<void> | void }[] = [];
afterEach(async () => {
  for (const one of started.splice(0)) await one.stop();
});

async function faulty(): Promise<{ proxy: FaultyProxy; client: Client; namespace: string }> {
  const namespace = await newNamespace(given.cluster, 'faults');
  const proxy = await FaultyProxy.start(connectionOfUser(given.cluster.admin));
  const transport = new Transport(proxy.connection, { qps: Infinity });
  started.push({ stop: () => transport.close() }, proxy);
  return { proxy, client: new ApiClient(transport), namespace };
}

/** Watches until the watch ends, and records the events and how it ended. */
function watched(
  client: Client,
  namespace: string,
): { received: string[]; ended: Promise<unknown> } {
  const received: string[] = [];
  const note = (event: WatchEvent<ConfigMaps>): void => {
    if (event.type !== 'BOOKMARK') received.push(`${event.type} ${event.object.metadata.name}`);
  };
  const run = async (): Promise<unknown> => {
    const fieldSelector = 'metadata.name!=kube-root-ca.crt';
    for await (const event of client.watch(configMaps, { namespace, fieldSelector })) note(event);
    return 'over';
  };
  return { received, ended: run().catch((error: unknown) => error) };
}

const named = (namespace: string, name: string) => ({ metadata: { namespace, name } });

test('a write whose answer is lost has happened, and the client does not claim otherwise', async () => {
  const { proxy, client, namespace } = await faulty();
  void proxy.next({ kind: 'cut', after: 10 });
  const lost = client.create(configMaps, named(namespace, 'a'));
  await expect(lost).rejects.toMatchObject({ name: 'Unreachable', isUnprocessed: false });
  await expect(client.create(configMaps, named(namespace, 'a'))).rejects.toMatchObject({
    isAlreadyExists: true,
  });
});

test('the client retries a request that the server defers, with the same method', async () => {
  const { proxy, client, namespace } = await faulty();
  void proxy.next({ kind: 'refuse', status: 429, reason: 'TooManyRequests', retryAfter: 0 });
  await client.create(configMaps, named(namespace, 'a'));
  void proxy.next({ kind: 'refuse', status: 503, reason: 'ServiceUnavailable', retryAfter: 0 });
  void proxy.next({ kind: 'reset' });
  expect((await client.get(configMaps, { namespace, name: 'a' })).metadata.name).toBe('a');
  expect(proxy.received.map(({ method }) => method)).toEqual(['POST', 'POST', 'GET', 'GET', 'GET']);
});

test('a cut watch fails, and a watch that the server ends is over', async () => {
  const { proxy, client, namespace } = await faulty();
  await client.create(configMaps, named(namespace, 'a'));
  const [cut, over] = [watched(client, namespace), watched(client, namespace)];
  const both = () => cut.received.length === 1 && over.received.length === 1;
  await until('both have received a', both);
  let count = 0;
  proxy.cut((received) => isWatch(received) && (count += 1) === 1);
  const [first] = await Promise.race([
    cut.ended.then((how) => [how, over] as const),
    over.ended.then((how) => [how, cut] as const),
  ]);
  expect(first).toMatchObject({ name: 'Unreachable' });
  expect(proxy.end(isWatch)).toBe(1);
  expect(await Promise.all([cut.ended, over.ended])).toContain('over');
});

test('unexpected data in a watch is malformed, and a refusal in a watch is reported as such', async () => {
  const { proxy, client, namespace } = await faulty();
  const status = { kind: 'Status', code: 410, reason: 'Expired' };
  const rows: [string, object][] = [
    ['<html>\n', { name: 'Malformed' }],
    [`${JSON.stringify({ type: 'ERROR', object: status })}\n`, { isExpired: true }],
  ];
  for (const [text, error] of rows) {
    const { ended } = watched(client, namespace);
    await until('it is open', () => proxy.insert(text, isWatch) === 1);
    expect(await ended).toMatchObject(error);
    await until('it is closed', () => proxy.open() === 0);
  }
});

test('a frozen watch reports nothing, and continues where it was', async () => {
  const { proxy, client, namespace } = await faulty();
  const { received } = watched(client, namespace);
  await client.create(configMaps, named(namespace, 'a'));
  await until('a is received', () => received.length === 1);
  proxy.freeze();
  const { status } = await given.cluster.admin.create({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    ...named(namespace, 'b'),
  });
  expect([status, received]).toEqual([201, ['ADDED a']]);
  proxy.thaw();
  await until('b is received', () => received.length === 2);
  expect(received).toEqual(['ADDED a', 'ADDED b']);
});

test('a list that is held or hangs does not delay others, and ends by its signal', async () => {
  const { proxy, client, namespace } = await faulty();
  let release = (): void => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  const holding = proxy.next({ kind: 'hold', until: released }, isList);
  const held = client.list(configMaps, { namespace });
  await holding;
  void proxy.next({ kind: 'hang' }, isList);
  const controller = new AbortController();
  const { signal } = controller;
  const hanging = client.list(configMaps, { namespace, signal }).catch(String);
  await client.create(configMaps, named(namespace, 'a'));
  release();
  const names = (await held).items.map(({ metadata }) => metadata.name);
  expect(names).toContain('a');
  controller.abort('enough');
  expect(await hanging).toBe('enough');
  const undo = proxy.always({ kind: 'answer', text: '{}' }, isList);
  await expect(client.list(configMaps)).rejects.toMatchObject({ name: 'Malformed' });
  undo();
  expect((await client.list(configMaps, { namespace })).items).not.toEqual([]);
});
