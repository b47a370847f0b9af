import { afterEach, expect, test } from '@jest/globals';
import { ApiClient } from '../../client/api-client.ts';
import { Transport } from '../../connection/transport.ts';
import { Deployment } from '../../kinds/apps.ts';
import { Lease } from '../../kinds/coordination.ts';
import { Pod } from '../../kinds/core.ts';
import { scaleOf } from '../../kinds/kind.ts';
import { refuse, reply, ScriptedServer } from '@tenantry/testing/faults/scripted-server';
import { MemoryTracer } from '../tracing/memory-tracer.ts';

const started: { stop(): Promise<void> | void }[] = [];
afterEach(async () => {
  for (const one of started.splice(0)) await one.stop();
});

function traced(): MemoryTracer {
  const tracer = new MemoryTracer();
  started.push({ stop: () => tracer.end() });
  return tracer;
}

function clientOf(server: string): ApiClient {
  const authorize = async () => ({ headers: {}, tls: {} });
  const transport = new Transport({ server, authorize }, { qps: Infinity });
  started.unshift({ stop: () => transport.close() });
  return new ApiClient(transport);
}

/** Starts a server that sends these refusals, and then an object or an empty list. */
async function serverThat(refusals: readonly [code: number, reason: string][] = []) {
  let count = 0;
  const server = await ScriptedServer.start((_, response) => {
    const refusal = refusals[count++];
    if (refusal) return refuse(response, ...refusal, { 'retry-after': '0' });
    const metadata = { name: 'a', namespace: 'shop', uid: '1', resourceVersion: '7' };
    reply(response, { metadata, items: [] });
  });
  started.push(server);
  return server;
}

const name = { name: 'a', namespace: 'shop' };

test('a request is a span that follows the HTTP conventions, and carries its traceparent', async () => {
  const { spans } = traced();
  const server = await serverThat();
  const { hostname, port } = new URL(server.url);
  await clientOf(server.url).patch(Deployment, name, {}, { subresource: 'status', dryRun: true });
  expect(spans).toMatchObject([
    { name: 'PATCH deployments.apps/status', kind: 'CLIENT', hasEnded: true, status: undefined },
  ]);
  const path = '/apis/apps/v1/namespaces/shop/deployments/a/status';
  expect(spans[0]?.attributes).toEqual({
    'http.request.method': 'PATCH',
    'http.response.status_code': 200,
    'server.address': hostname,
    'server.port': Number(port),
    'tenantry.resource': 'deployments.apps/status',
    'url.full': `${server.url}${path}?dryRun=All&fieldValidation=Strict&fieldManager=tenantry`,
  });
  expect(server.received[0]?.headers['traceparent']).toBe(spans[0]?.traceparent);
});

test('the span of every call names the verb and the resource', async () => {
  const { spans } = traced();
  const client = clientOf((await serverThat()).url);
  await client.get(Pod, name);
  await client.get(scaleOf(Deployment), name);
  await client.list(Pod);
  await client.create(Pod, { metadata: name });
  await client.update(Pod, { metadata: name });
  await client.apply(Pod, { metadata: name });
  await client.delete(Pod, name);
  await client.deleteCollection(Pod, { namespace: 'shop' });
  await expect(async () => {
    for await (const event of client.watch(Pod)) expect(event).toBeUndefined();
  }).rejects.toThrow('of a watch');
  expect(spans.map(({ name }) => name)).toEqual([
    'GET pods',
    'GET deployments.apps/scale',
    'GET pods',
    'POST pods',
    'PUT pods',
    'PATCH pods',
    'DELETE pods',
    'DELETE pods',
    'GET pods',
  ]);
  expect(spans.every(({ hasEnded }) => hasEnded)).toBe(true);
});

test('each retry is a span of its own, and a refusal is a failed span', async () => {
  const { spans } = traced();
  const server = await serverThat([
    [429, 'TooManyRequests'],
    [404, 'NotFound'],
  ]);
  await expect(clientOf(server.url).get(Pod, name)).rejects.toMatchObject({ status: 404 });
  const outcomes = spans.map(({ attributes, status }) => [
    attributes['http.response.status_code'],
    attributes['error.type'],
    attributes['http.request.resend_count'],
    status,
  ]);
  expect(outcomes).toEqual([
    [429, '429', undefined, { code: 'ERROR' }],
    [404, '404', 1, { code: 'ERROR' }],
  ]);
  expect(new Set(server.received.map(({ headers }) => headers['traceparent'])).size).toBe(2);
});

test('the span of a request without an answer, or without permission, has the reason', async () => {
  const { spans } = traced();
  await expect(clientOf('http://127.0.0.1:1').get(Pod, name)).rejects.toThrow('cannot be reached');
  const server = await serverThat();
  const permit = () => {
    throw new Error('nobody leads');
  };
  await expect(clientOf(server.url).get(Pod, name, { permit })).rejects.toThrow('nobody leads');
  expect(spans.map(({ attributes, exceptions }) => [attributes['error.type'], exceptions])).toEqual(
    [
      ['ECONNREFUSED', [expect.stringContaining('ECONNREFUSED')]],
      ['Error', ['Error: nobody leads']],
    ],
  );
});

test('the renewal of a lease is not traced, and without an SDK nothing is', async () => {
  const server = await serverThat();
  await clientOf(server.url).get(Pod, name);
  const { spans } = traced();
  await clientOf(server.url).update(Lease, { metadata: name }, { isUrgent: true });
  expect(spans).toEqual([]);
  expect(server.received.map(({ headers }) => headers['traceparent'])).toEqual([
    undefined,
    undefined,
  ]);
});
