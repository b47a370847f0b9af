import { expect, test } from '@jest/globals';
import { Transport } from '../../connection/transport.ts';
import { ApiClient } from '../../client/api-client.ts';
import { ConfigMap } from '../../kinds/core.ts';
import { createFencedClient, NotLeading } from '../../leader/leader-election.ts';
import { reply, ScriptedServer } from '@tenantry/testing/faults/scripted-server';

const metadata = { name: 'a', namespace: 'shop' };
const stored = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { ...metadata, uid: 'u' } };

test('a replica that is not sure to lead writes nothing, but still reads', async () => {
  const server = await ScriptedServer.start(({ method, url }, response) =>
    reply(
      response,
      method === 'GET' && url.includes('limit')
        ? { metadata: { resourceVersion: '1' }, items: [] }
        : stored,
    ),
  );
  const connection = { server: server.url, authorize: async () => ({ headers: {}, tls: {} }) };
  const transport = new Transport(connection);
  let isLeading = true;
  const client = createFencedClient(new ApiClient(transport), { isLeading: () => isLeading });
  const writes = [
    () => client.create(ConfigMap, { metadata }),
    () => client.update(ConfigMap, { metadata }),
    () => client.patch(ConfigMap, metadata, { data: { a: 'b' } }),
    () => client.apply(ConfigMap, { metadata }),
    () => client.delete(ConfigMap, metadata),
    () => client.deleteCollection(ConfigMap, { namespace: 'shop' }),
  ];
  const methods = (): string[] => server.received.splice(0).map(({ method }) => method);
  for (const write of writes) await write();
  expect(methods()).toEqual(['POST', 'PUT', 'PATCH', 'PATCH', 'DELETE', 'DELETE']);
  isLeading = false;
  for (const write of writes) await expect(write()).rejects.toEqual(new NotLeading());
  expect(methods()).toEqual([]);
  expect(await client.get(ConfigMap, metadata)).toEqual(stored);
  await client.list(ConfigMap, { namespace: 'shop' });
  expect(methods()).toEqual(['GET', 'GET']);
  transport.close();
  await server.stop();
});

test('the lead may be lost while a write waits to be sent', async () => {
  const server = await ScriptedServer.start((_, response) => reply(response, stored));
  let isLeading = true;
  const authorize = async () => {
    isLeading = false;
    return { headers: {}, tls: {} };
  };
  const transport = new Transport({ server: server.url, authorize });
  const client = createFencedClient(new ApiClient(transport), { isLeading: () => isLeading });
  await expect(client.create(ConfigMap, { metadata })).rejects.toEqual(new NotLeading());
  expect(server.received).toEqual([]);
  transport.close();
  await server.stop();
});

test('a call may have an additional condition of its own', async () => {
  const refused = new Error('not this one');
  const permit = (): void => {
    throw refused;
  };
  const transport = new Transport({
    server: 'http://127.0.0.1:1',
    authorize: async () => ({ headers: {}, tls: {} }),
  });
  const client = createFencedClient(new ApiClient(transport), { isLeading: () => true });
  await expect(client.create(ConfigMap, { metadata }, { permit })).rejects.toBe(refused);
  transport.close();
});
