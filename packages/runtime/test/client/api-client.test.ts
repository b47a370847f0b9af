import { afterEach, expect, test } from '@jest/globals';
import { ApiClient } from '../../client/api-client.ts';
import { listPages, type Client, type WatchEvent } from '../../client/client.ts';
import { Transport } from '../../connection/transport.ts';
import { type Kind, scaleOf } from '../../kinds/kind.ts';
import { until } from '@tenantry/testing/waiting/until';
import {
  refuse,
  reply,
  ScriptedServer,
  type RequestHandler,
  type Received,
} from '@tenantry/testing/faults/scripted-server';
import { configMaps, deployments, namespaces } from '../kinds/builtin.ts';

const started: { stop(): Promise<void> | void }[] = [];
afterEach(async () => {
  for (const one of started.splice(0)) await one.stop();
});

interface Given {
  readonly client: Client;
  readonly received: readonly Received[];
}

async function given(answer: RequestHandler): Promise<Given> {
  const server = await ScriptedServer.start(answer);
  const authorize = () => Promise.resolve({ headers: {}, tls: {} });
  const transport = new Transport({ server: server.url, authorize }, { qps: Infinity });
  started.push({ stop: () => transport.close() }, server);
  return { client: new ApiClient(transport, { fieldManager: 'shop' }), received: server.received };
}

const metadata = { name: 'a', namespace: 'n', uid: 'u', resourceVersion: '7' };
const object: RequestHandler = (_, response) =>
  reply(response, { apiVersion: 'v1', kind: 'X', metadata });
const name = { namespace: 'n', name: 'a' };
const written = { metadata: { namespace: 'n', name: 'a' } };
const strict = 'fieldValidation=Strict&fieldManager=shop';
const own = { apiVersion: 'v1', kind: 'ConfigMap' };
const deleting = { apiVersion: 'v1', kind: 'DeleteOptions' };

const calls: [string, (client: Client) => Promise<unknown>, string, unknown?, string?][] = [
  ['get', (c) => c.get(configMaps, name), 'GET /api/v1/namespaces/n/configmaps/a'],
  [
    'get of a subresource',
    (c) => c.get(deployments, name, { subresource: 'status' }),
    'GET /apis/apps/v1/namespaces/n/deployments/a/status',
  ],
  ['get of the cluster', (c) => c.get(namespaces, { name: 'a' }), 'GET /api/v1/namespaces/a'],
  [
    'create',
    (c) => c.create(configMaps, { ...written, data: { b: 'c' } }),
    `POST /api/v1/namespaces/n/configmaps?${strict}`,
    { ...own, ...written, data: { b: 'c' } },
    'application/json',
  ],
  [
    'create of a subresource',
    (c) => c.create(configMaps, written, { subresource: 'x' }),
    `POST /api/v1/namespaces/n/configmaps/a/x?${strict}`,
    { ...own, ...written },
  ],
  [
    'create with a generated name',
    (c) => c.create(namespaces, { metadata: { generateName: 'a-' } }, { dryRun: true }),
    `POST /api/v1/namespaces?dryRun=All&${strict}`,
    { apiVersion: 'v1', kind: 'Namespace', metadata: { generateName: 'a-' } },
  ],
  [
    'update',
    (c) => c.update(configMaps, written, { fieldManager: 'me', fieldValidation: 'Warn' }),
    'PUT /api/v1/namespaces/n/configmaps/a?fieldValidation=Warn&fieldManager=me',
    { ...own, ...written },
  ],
  [
    'update of status',
    (c) => c.update(deployments, { ...written, status: {} }, { subresource: 'status' }),
    `PUT /apis/apps/v1/namespaces/n/deployments/a/status?${strict}`,
    { apiVersion: 'apps/v1', kind: 'Deployment', ...written, status: {} },
  ],
  [
    'get of a scale',
    (c) => c.get(scaleOf(deployments), name),
    'GET /apis/apps/v1/namespaces/n/deployments/a/scale',
  ],
  [
    'update of a scale',
    (c) => c.update(scaleOf(deployments), { ...written, spec: { replicas: 2 } }),
    `PUT /apis/apps/v1/namespaces/n/deployments/a/scale?${strict}`,
    { apiVersion: 'autoscaling/v1', kind: 'Scale', ...written, spec: { replicas: 2 } },
  ],
  [
    'patch',
    (c) => c.patch(configMaps, name, { data: { b: null } }),
    `PATCH /api/v1/namespaces/n/configmaps/a?${strict}`,
    { data: { b: null } },
    'application/merge-patch+json',
  ],
  [
    'apply',
    (c) => c.apply(configMaps, written),
    `PATCH /api/v1/namespaces/n/configmaps/a?force=false&${strict}`,
    { ...own, ...written },
    'application/apply-patch+yaml',
  ],
  [
    'apply that takes over fields of others',
    (c) => c.apply(configMaps, written, { force: true }),
    `PATCH /api/v1/namespaces/n/configmaps/a?force=true&${strict}`,
    { ...own, ...written },
  ],
  [
    'delete',
    (c) => c.delete(configMaps, name),
    'DELETE /api/v1/namespaces/n/configmaps/a',
    deleting,
  ],
  [
    'delete with options',
    (c) =>
      c.delete(configMaps, name, {
        dryRun: true,
        gracePeriodSeconds: 0,
        propagationPolicy: 'Orphan',
        preconditions: { uid: 'u', resourceVersion: '1' },
      }),
    'DELETE /api/v1/namespaces/n/configmaps/a',
    {
      ...deleting,
      dryRun: ['All'],
      gracePeriodSeconds: 0,
      propagationPolicy: 'Orphan',
      preconditions: { uid: 'u', resourceVersion: '1' },
    },
  ],
  [
    'deleteCollection',
    (c) => c.deleteCollection(configMaps, { namespace: 'n', labelSelector: 'a=b' }),
    'DELETE /api/v1/namespaces/n/configmaps?labelSelector=a%3Db',
    deleting,
  ],
];

test.each(calls.map((row) => [row[0], row] as const))('%s is one request', async (_, row) => {
  const [, call, expected, body, contentType] = row;
  const { client, received } = await given(object);
  await call(client);
  expect(received.map(({ method, url }) => `${method} ${url}`)).toEqual([expected]);
  const [{ body: sent, headers } = { body: '', headers: {} }] = received;
  expect(sent === '' ? undefined : JSON.parse(sent)).toEqual(body);
  if (contentType) expect(headers['content-type']).toBe(contentType);
});

const wrong: [string, (client: Client) => Promise<unknown>, string][] = [
  ...['', '.', '..', 'a/b', 'a%2e'].map((bad): (typeof wrong)[number] => [
    `the name '${bad}'`,
    (c) => c.delete(namespaces, { name: bad }),
    `a name of namespaces must have no / and no %, and not be empty, . or .., got '${bad}'`,
  ]),
  [
    'an empty namespace',
    (c) => c.delete(configMaps, { namespace: '', name: 'a' }),
    `a namespace must have no / and no %, and not be empty, . or .., got ''`,
  ],
  [
    'an empty subresource',
    (c) => c.get(namespaces, { name: 'a' }, { subresource: '' }),
    `a subresource of namespaces must have no / and no %, and not be empty, . or .., got ''`,
  ],
  [
    'no namespace',
    (c) => c.delete(deployments, { name: 'a' }),
    'deployments.apps are namespaced: metadata.namespace must be set',
  ],
  [
    'no namespace of a collection',
    (c) => c.deleteCollection(configMaps, {}),
    'configmaps are namespaced: metadata.namespace must be set',
  ],
  [
    'a namespace for a cluster-scoped kind',
    (c) => c.list(namespaces, { namespace: 'n' }),
    `namespaces are not namespaced, got 'n'`,
  ],
  [
    'no name',
    (c) => c.update(configMaps, { metadata: { namespace: 'n' } }),
    'metadata.name must be set',
  ],
  [
    'a list of scales',
    (c) => c.list(scaleOf(deployments)),
    'the scale of deployments.apps must be requested by name',
  ],
  [
    'an object of another version',
    (c) => c.create(deployments, { ...written, apiVersion: 'apps/v1beta1' }),
    'the object must be of apps/v1 Deployment, got apps/v1beta1 Deployment',
  ],
];

test.each(wrong)('%s is not sent', async (_, call, message) => {
  const { client, received } = await given(object);
  await expect(call(client)).rejects.toThrow(message);
  expect(received).toEqual([]);
});

test('a deletion returns the object if it waits for finalizers, and nothing if it is gone', async () => {
  const waiting = { ...metadata, deletionTimestamp: '2026-01-01T00:00:00Z' };
  const gone = { apiVersion: 'v1', kind: 'Status', metadata: {}, status: 'Success' };
  const answers = [{ ...own, metadata: waiting }, { ...own, metadata }, gone];
  const results = answers.map(async (answer) => {
    const { client } = await given((_, response) => reply(response, answer));
    return client.delete(configMaps, name);
  });
  expect(await Promise.all(results)).toEqual([{ ...own, metadata: waiting }, undefined, undefined]);
});

test('an answer without metadata is malformed', async () => {
  const { client } = await given((_, response) => reply(response, { kind: 'ConfigMap' }));
  await expect(client.get(configMaps, name)).rejects.toMatchObject({
    name: 'Malformed',
    message: `the answer must be an object with metadata, got '{"kind":"ConfigMap"}'`,
  });
});

test('a list returns its objects with apiVersion and kind, and the version of the list', async () => {
  const items = [{ metadata }, { kind: 'PartialObjectMetadata', metadata }];
  const { client, received } = await given((_, response) =>
    reply(response, { metadata: { resourceVersion: '9', continue: '' }, items }),
  );
  expect(await client.list(deployments)).toEqual({
    items: items.map(() => ({ apiVersion: 'apps/v1', kind: 'Deployment', metadata })),
    resourceVersion: '9',
  });
  expect(received[0]?.url).toBe('/apis/apps/v1/deployments?limit=500');
});

test('a selection and metadata only are sent to the server', async () => {
  const { client, received } = await given((_, response) =>
    reply(response, { metadata: { resourceVersion: '9' }, items: null }),
  );
  const list = await client.list(configMaps, {
    namespace: 'n',
    labelSelector: 'a=b',
    fieldSelector: 'metadata.name=c',
    limit: 2,
    continue: 'token',
    resourceVersion: '0',
    resourceVersionMatch: 'NotOlderThan',
    metadataOnly: true,
  });
  expect(list.items).toEqual([]);
  const [{ url, headers } = { url: '', headers: {} }] = received;
  expect(Object.fromEntries(new URL(url, 'http://a').searchParams)).toEqual({
    labelSelector: 'a=b',
    fieldSelector: 'metadata.name=c',
    limit: '2',
    continue: 'token',
    resourceVersion: '0',
    resourceVersionMatch: 'NotOlderThan',
  });
  expect(headers.accept).toBe('application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1');
});

test.each([{ items: [] }, { metadata: {}, items: {} }, { metadata: {}, items: [1] }, []])(
  '%j is not a list',
  async (answer) => {
    const { client } = await given((_, response) => reply(response, answer));
    await expect(client.list(configMaps)).rejects.toMatchObject({ name: 'Malformed' });
  },
);

test('the pages of a list follow each other, and only the first request has a version', async () => {
  const { client, received } = await given(({ url }, response) => {
    const next = new URL(url, 'http://a').searchParams.get('continue');
    const token = next === null ? 'one' : next === 'one' ? 'two' : '';
    reply(response, { metadata: { resourceVersion: '9', continue: token }, items: [{ metadata }] });
  });
  let items = 0;
  const options = { resourceVersion: '5', limit: 1 };
  for await (const page of listPages(client, namespaces, options)) items += page.items.length;
  expect(items).toBe(3);
  expect(received.map(({ url }) => url)).toEqual([
    '/api/v1/namespaces?limit=1&resourceVersion=5',
    '/api/v1/namespaces?limit=1&continue=one',
    '/api/v1/namespaces?limit=1&continue=two',
  ]);
});

/** Returns the events of a watch whose body arrives in these pieces. */
async function watched(...pieces: string[]): Promise<(WatchEvent<Kind> | Error)[]> {
  const { client } = await given(async (_, response) => {
    for (const piece of pieces) {
      response.write(piece);
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
    }
    response.end();
  });
  const events: (WatchEvent<Kind> | Error)[] = [];
  try {
    for await (const event of client.watch(configMaps)) events.push(event);
  } catch (error) {
    events.push(error as Error);
  }
  return events;
}

const line = (type: string, object: unknown): string => `${JSON.stringify({ type, object })}\n`;

test('the events of a watch arrive as the server sends them, wherever its text is cut', async () => {
  const live = { apiVersion: 'v1', kind: 'ConfigMap', metadata };
  const bookmark = (annotations?: object) => ({ metadata: { resourceVersion: '8', annotations } });
  const text = [
    line('ADDED', live),
    '\n',
    line('MODIFIED', { kind: 'PartialObjectMetadata', metadata }),
    line('BOOKMARK', bookmark()),
    line('BOOKMARK', bookmark({ 'k8s.io/initial-events-end': 'true' })),
    line('DELETED', live),
  ].join('');
  const expected = [
    { type: 'ADDED', object: live },
    { type: 'MODIFIED', object: live },
    { type: 'BOOKMARK', resourceVersion: '8', isInitialEventsEnd: false },
    { type: 'BOOKMARK', resourceVersion: '8', isInitialEventsEnd: true },
    { type: 'DELETED', object: live },
  ];
  expect(await watched(text)).toEqual(expected);
  expect(await watched(...text.match(/[^]{1,37}/g)!)).toEqual(expected);
});

test('an ERROR of a watch is thrown as the refusal that it contains', async () => {
  const status = { kind: 'Status', code: 410, reason: 'Expired', message: 'too old' };
  const [first, error] = await watched(line('ADDED', { metadata }) + line('ERROR', status));
  expect(first).toMatchObject({ type: 'ADDED' });
  expect(error).toMatchObject({ name: 'ApiError', isExpired: true, message: 'too old' });
});

test.each([
  ['no JSON', '{"type"\n'],
  ['no object', '7\n'],
  ['nothing', 'null\n'],
  ['no known type', line('MOVED', { metadata })],
  ['an object without metadata', line('ADDED', {})],
  ['an ERROR that is no Status', line('ERROR', { metadata })],
  ['half a line at the end', line('ADDED', { metadata }).trimEnd()],
])('%s in a watch is malformed, and the event before it is received', async (_, text) => {
  const events = await watched(line('ADDED', { metadata }) + text);
  expect(events).toHaveLength(2);
  expect(events[1]).toMatchObject({
    name: 'Malformed',
    request: 'GET /api/v1/configmaps',
  });
});

test('a watch requests bookmarks, and passes on its options', async () => {
  const { client, received } = await given((_, response) => void response.end());
  const options = {
    labelSelector: 'a=b',
    resourceVersion: '5',
    resourceVersionMatch: 'NotOlderThan',
    sendInitialEvents: true,
    timeoutSeconds: 290,
    metadataOnly: true,
  } as const;
  for await (const event of client.watch(namespaces, options)) expect(event).toBeUndefined();
  const [{ url, headers } = { url: '', headers: {} }] = received;
  expect(Object.fromEntries(new URL(url, 'http://a').searchParams)).toEqual({
    labelSelector: 'a=b',
    resourceVersion: '5',
    resourceVersionMatch: 'NotOlderThan',
    sendInitialEvents: 'true',
    timeoutSeconds: '290',
    watch: 'true',
    allowWatchBookmarks: 'true',
  });
  expect(headers.accept).toBe('application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1');
});

test('a watch is closed when its reader leaves or aborts', async () => {
  let closed = 0;
  const { client } = await given((_, response) => {
    response.on('close', () => (closed += 1));
    response.write(line('ADDED', { metadata }));
  });
  for await (const _ of client.watch(configMaps)) break;
  await until('the first is closed', () => closed === 1);
  const reason = new Error('stop');
  const controller = new AbortController();
  const events = client.watch(configMaps, { signal: controller.signal })[Symbol.asyncIterator]();
  await events.next();
  const ended = expect(events.next()).rejects.toBe(reason);
  controller.abort(reason);
  await ended;
  await until('the second is closed', () => closed === 2);
});

test('the log of a pod is text, and its options are sent to the server', async () => {
  const text = '{"not": JSON\nsecond line';
  const { client, received } = await given((_, response) => void response.end(text));
  const sinceTime = new Date('2026-01-02T03:04:05.678Z');
  const all = { container: 'web', previous: true, sinceSeconds: 60, sinceTime, tailLines: 10 };
  expect(await client.podLog(name)).toBe(text);
  await client.podLog(name, { ...all, limitBytes: 1000, timestamps: true });
  const { pathname, searchParams } = new URL(received[1]?.url ?? '', 'http://a');
  expect(received[0]?.url).toBe('/api/v1/namespaces/n/pods/a/log');
  expect(pathname).toBe('/api/v1/namespaces/n/pods/a/log');
  expect(Object.fromEntries(searchParams)).toEqual({
    container: 'web',
    previous: 'true',
    sinceSeconds: '60',
    sinceTime: '2026-01-02T03:04:05.678Z',
    tailLines: '10',
    limitBytes: '1000',
    timestamps: 'true',
  });
  expect(received[0]?.headers.accept).toBe('application/json, */*');
});

test('a followed pod log arrives line by line, until the container ends', async () => {
  let goOn = (): void => {};
  const { client, received } = await given((_, response) => {
    response.write('first\nsec');
    goOn = () => void response.end('ond\n\r\n\nlast');
  });
  const lines: string[] = [];
  for await (const line of client.followPodLog(name, { tailLines: 2 })) {
    lines.push(line);
    if (lines.length === 1) goOn();
  }
  expect(lines).toEqual(['first', 'second', '\r', '', 'last']);
  expect(received[0]?.url).toBe('/api/v1/namespaces/n/pods/a/log?tailLines=2&follow=true');
});

test('a log that cannot be read throws the refusal, and one that is no longer followed is closed', async () => {
  const refusing = await given((_, response) => refuse(response, 400, 'BadRequest'));
  await expect(refusing.client.podLog(name)).rejects.toMatchObject({ status: 400 });
  const { signal } = new AbortController();
  await expect(async () => {
    for await (const line of refusing.client.followPodLog(name, { signal })) expect(line).toBe('');
  }).rejects.toMatchObject({ status: 400 });
  let isClosed = false;
  const { client } = await given((_, response) => {
    response.on('close', () => (isClosed = true));
    response.write('first\n');
  });
  for await (const line of client.followPodLog(name)) if (line === 'first') break;
  await until('it is closed', () => isClosed);
});

test('an apply is retried only where that does no harm', async () => {
  const { client, received } = await given((_, response) =>
    received.length % 2 === 1
      ? refuse(response, 503, 'ServiceUnavailable', { 'retry-after': '0' })
      : reply(response, { metadata }),
  );
  await client.apply(configMaps, written);
  expect(received).toHaveLength(2);
  const ofOneState = { metadata: { ...written.metadata, resourceVersion: '7' } };
  for (const write of [
    () => client.apply(configMaps, ofOneState),
    () => client.update(configMaps, written),
  ]) {
    await expect(write()).rejects.toMatchObject({ status: 503 });
    await client.get(configMaps, name).catch(() => {});
  }
});

test('an urgent call does not wait for other calls', async () => {
  const server = await ScriptedServer.start(object);
  const authorize = () => Promise.resolve({ headers: {}, tls: {} });
  const transport = new Transport({ server: server.url, authorize }, { qps: 1e-6, burst: 1 });
  started.push({ stop: () => transport.close() }, server);
  const client = new ApiClient(transport);
  await client.get(configMaps, name);
  const waiting = client.get(configMaps, name).catch(() => 'closed');
  await client.update(configMaps, written, { isUrgent: true });
  transport.close();
  expect(await waiting).toBe('closed');
  expect(server.received.map(({ method }) => method)).toEqual(['GET', 'PUT']);
});
