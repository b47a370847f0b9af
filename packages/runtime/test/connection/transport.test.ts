import { afterEach, expect, test } from '@jest/globals';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { VirtualClock } from '@tenantry/testing/clock/virtual-clock';
import type { Call } from '../../connection/call.ts';
import type { Authorization, Connection } from '../../connection/connection.ts';
import { Transport, type TransportOptions } from '../../connection/transport.ts';
import { ApiError } from '../../errors/api-error.ts';
import { Malformed, Unreachable } from '../../errors/client-errors.ts';
import { Authority } from '@tenantry/testing/controlplane/credentials';
import { until } from '@tenantry/testing/waiting/until';
import {
  refuse,
  reply,
  ScriptedServer,
  type RequestHandler,
} from '@tenantry/testing/faults/scripted-server';
import { probesWhile } from './probes.ts';

const authority = new Authority();
const pair = authority.issue({ commonName: 'localhost', hosts: ['localhost', '127.0.0.1'] });
const trusted: Authorization = { headers: {}, tls: { ca: authority.pair.certificate } };

const started: { stop(): Promise<void> | void }[] = [];
afterEach(async () => {
  for (const one of started.splice(0)) await one.stop();
});

async function serverOf(answer: RequestHandler, tls?: typeof pair): Promise<ScriptedServer> {
  const server = await ScriptedServer.start(answer, tls);
  started.unshift(server);
  return server;
}

function transportTo(
  server: string,
  options: TransportOptions = {},
  authorize: Connection['authorize'] = () => Promise.resolve(trusted),
): Transport {
  const transport = new Transport({ server, authorize }, options);
  started.unshift({ stop: () => transport.close() });
  return transport;
}

const get: Call = { method: 'GET', path: '/api/v1/pods' };
const post: Call = { method: 'POST', path: '/api/v1/pods', body: { a: 1 } };

/** Returns the error that the call rejects with. */
async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => new Error('it succeeded'),
    (error: unknown) => error,
  );
}

test('200 calls in sequence use one connection and one handshake', async () => {
  const server = await serverOf((_, response) => reply(response, {}), pair);
  const transport = transportTo(server.url, { qps: Infinity });
  for (let i = 0; i < 200; i += 1) await transport.call(get);
  expect([server.received.length, server.connections]).toEqual([200, 1]);
});

test('changed certificates get a new connection, and unchanged ones do not', async () => {
  const server = await serverOf((_, response) => reply(response, {}), pair);
  const other = new Authority().pair.certificate;
  const given = (...ca: string[]): Authorization => ({ headers: {}, tls: { ca: ca.join('') } });
  let now = (): Authorization => given(authority.pair.certificate);
  const transport = transportTo(server.url, {}, () => Promise.resolve(now()));
  for (let i = 0; i < 3; i += 1) await transport.call(get);
  now = () => given(authority.pair.certificate, other);
  for (let i = 0; i < 3; i += 1) await transport.call(get);
  expect([server.received.length, server.connections]).toEqual([6, 2]);
});

const onLinux = process.platform === 'linux' ? test : test.skip;

onLinux('the other end of a kept connection is probed after 30 s of silence', async () => {
  const server = await serverOf((_, response) => reply(response, {}), pair);
  const transport = transportTo(server.url);
  const probes = await probesWhile(async () => {
    for (let i = 0; i < 3; i += 1) await transport.call(get);
  });
  expect(probes).toHaveLength(1);
  expect(probes[0]).toBeGreaterThan(20);
});

test('a kept connection keeps nothing of earlier calls', async () => {
  const sockets: Socket[] = [];
  const note = (message: unknown): unknown => sockets.push((message as { socket: Socket }).socket);
  subscribe('net.client.socket', note);
  for (const tls of [pair, undefined]) {
    const server = await serverOf((_, response) => reply(response, {}), tls);
    const transport = transportTo(server.url, { qps: Infinity });
    await transport.call(get);
    const listeners = (): number[] =>
      sockets.flatMap((socket) => socket.eventNames().map((name) => socket.listenerCount(name)));
    const before = listeners();
    for (let i = 0; i < 5; i += 1) await transport.call(get);
    expect([before.length > 0, listeners()]).toEqual([true, before]);
  }
  unsubscribe('net.client.socket', note);
});

test('method, path, query, headers and body arrive as passed', async () => {
  const server = await serverOf((_, response) => reply(response, { ok: true }));
  const transport = transportTo(`${server.url}/clusters/a/`, { userAgent: 'shop' }, () =>
    Promise.resolve({ headers: { authorization: 'Bearer t' }, tls: {} }),
  );
  const query = { labelSelector: 'a in (b,c)', limit: 5, watch: true, continue: undefined };
  const path = '/api/v1/namespaces/a%20b/pods';
  const body = { big: 9007199254740993n, text: 'ü' };
  const contentType = 'application/merge-patch+json';
  const call: Call = { method: 'PATCH', path, query, body, contentType, accept: 'x/y' };
  expect(await transport.call(call)).toEqual({ ok: true });
  expect(server.received[0]).toMatchObject({
    method: 'PATCH',
    url: `/clusters/a${path}?labelSelector=a+in+%28b%2Cc%29&limit=5&watch=true`,
    body: '{"big":9007199254740993,"text":"ü"}',
    headers: {
      accept: 'x/y',
      'content-type': contentType,
      'user-agent': 'shop',
      authorization: 'Bearer t',
    },
  });
});

test('a path is sent unchanged, including its dots', async () => {
  const server = await serverOf((_, response) => reply(response, {}));
  await transportTo(server.url).call({ method: 'GET', path: '/api/v1/a/../b/%2E%2E' });
  expect(server.received[0]?.url).toBe('/api/v1/a/../b/%2E%2E');
});

test('a refusal is an ApiError that names the call', async () => {
  const server = await serverOf((_, response) => refuse(response, 404, 'NotFound'));
  const error = await failureOf(transportTo(server.url).call(get));
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({ status: 404, reason: 'NotFound', request: 'GET /api/v1/pods' });
});

const html = '<html><head><title>502</title></head><body><h1>Bad Gateway</h1></body></html>';

test.each<[string, RequestHandler, object]>([
  [
    'HTML of a proxy',
    (_, response) => void response.writeHead(502).end(html),
    { name: 'ApiError', status: 502, message: '502 Bad Gateway' },
  ],
  [
    'a page of a proxy with 200',
    (_, response) => void response.end(html),
    { name: 'Malformed', message: expect.stringContaining(`must be JSON, got '<html>`) },
  ],
  [
    'nothing',
    (_, response) => void response.end(),
    { name: 'Malformed', message: `the answer must be JSON, got ''` },
  ],
  [
    'a Status without a code',
    (_, response) => void response.writeHead(403).end('{"kind":"Status","message":"no"}'),
    { name: 'ApiError', status: 403, reason: 'Forbidden', message: 'no' },
  ],
  [
    'a 429 without Retry-After',
    (_, response) => void response.writeHead(429).end(),
    { name: 'ApiError', status: 429, retryAfter: undefined },
  ],
  [
    'a redirect',
    (_, response) => void response.writeHead(307, { location: '/login?a=b' }).end(),
    {
      name: 'ApiError',
      status: 307,
      message: 'the server answered 307 with a redirect to /login, which is not followed',
    },
  ],
  [
    'a day to wait',
    (_, response) => void response.writeHead(503, { 'retry-after': '86400' }).end(),
    { name: 'ApiError', status: 503, retryAfter: 1_000_000 },
  ],
])('%s is reported once, and not retried', async (_, answer, expected) => {
  const server = await serverOf(answer);
  expect(await failureOf(transportTo(server.url).call(get))).toMatchObject(expected);
  expect(server.received).toHaveLength(1);
});

test('an answer that is not JSON is malformed', async () => {
  const server = await serverOf((_, response) => void response.end('<html>'));
  const error = await failureOf(transportTo(server.url).call(get));
  expect(error).toBeInstanceOf(Malformed);
  expect(error).toMatchObject({ message: "the answer must be JSON, got '<html>'" });
});

test('a call to a port without a listener was not processed', async () => {
  const server = await ScriptedServer.start(() => {});
  const { url } = server;
  await server.stop();
  const error = await failureOf(transportTo(url).call(post));
  expect(error).toBeInstanceOf(Unreachable);
  expect(error).toMatchObject({ isUnprocessed: true, request: 'POST /api/v1/pods' });
});

test('a server with an untrusted certificate receives nothing', async () => {
  const server = await serverOf((_, response) => reply(response, {}), pair);
  const transport = transportTo(server.url, {}, () => Promise.resolve({ headers: {}, tls: {} }));
  const error = await failureOf(transport.call(post));
  expect(error).toBeInstanceOf(Unreachable);
  expect(error).toMatchObject({ isUnprocessed: true });
  expect(server.received).toEqual([]);
});

test('a name that the certificate does not have is refused, and another name can be configured', async () => {
  const server = await serverOf((_, response) => reply(response, {}), pair);
  const named = (servername: string): Transport =>
    transportTo(server.url, {}, () =>
      Promise.resolve({ headers: {}, tls: { ...trusted.tls, servername } }),
    );
  expect(await failureOf(named('elsewhere').call(get))).toBeInstanceOf(Unreachable);
  expect(await named('localhost').call(get)).toEqual({});
});

test('a reset before the answer is an error, and the call may have been processed', async () => {
  const server = await serverOf((_, response) => void response.socket?.resetAndDestroy());
  const error = await failureOf(transportTo(server.url).call(get));
  expect(error).toBeInstanceOf(Unreachable);
  expect(error).toMatchObject({ isUnprocessed: false });
  expect(server.received).toHaveLength(1);
});

test('an answer that breaks off is an error', async () => {
  const server = await serverOf((_, response) => {
    response.writeHead(200, { 'content-length': 100 });
    response.write('{"a":1}');
    setImmediate(() => response.socket?.resetAndDestroy());
  });
  const error = await failureOf(transportTo(server.url).call(get));
  expect(error).toBeInstanceOf(Unreachable);
  expect(error).toMatchObject({ message: expect.stringContaining('broke off') });
});

test('a call without an answer fails after its timeout', async () => {
  const clock = new VirtualClock();
  const server = await serverOf(() => {});
  const failed = failureOf(transportTo(server.url, { clock }).call({ ...get, timeout: 5000 }));
  await until('the call arrives', () => server.received.length === 1);
  await clock.advance(4999);
  expect(clock.waiting).toBe(1);
  await clock.advance(1);
  const error = await failed;
  expect(error).toBeInstanceOf(Unreachable);
  expect(error).toMatchObject({ isUnprocessed: false });
});

test('a call with an endless answer fails after its timeout', async () => {
  const clock = new VirtualClock();
  const server = await serverOf((_, response) => void response.write('{'));
  const failed = failureOf(transportTo(server.url, { clock }).call(get));
  await until('the call arrives', () => server.received.length === 1);
  await clock.advance(30_000);
  expect(await failed).toBeInstanceOf(Unreachable);
});

test('a call that times out in the queue was not processed', async () => {
  const clock = new VirtualClock();
  const server = await serverOf((_, response) => reply(response, {}));
  const transport = transportTo(server.url, { clock, qps: 0.01, burst: 1 });
  await transport.call(get);
  const failed = failureOf(transport.call(post));
  await clock.advance(30_000);
  expect(await failed).toMatchObject({ name: 'Unreachable', isUnprocessed: true });
  expect(server.received).toHaveLength(1);
});

test('a lease is renewed while lists wait in the queue', async () => {
  const clock = new VirtualClock();
  const server = await serverOf((_, response) => reply(response, {}));
  const transport = transportTo(server.url, { clock, qps: 0.01, burst: 1 });
  await transport.call(get);
  const waiting = failureOf(transport.call({ ...get, priority: 'list' }));
  await transport.call({ ...get, path: '/lease', priority: 'lease' });
  expect(server.received.map(({ url }) => url)).toEqual(['/api/v1/pods', '/lease']);
  transport.close();
  expect(await waiting).toMatchObject({ message: expect.stringContaining('is closed') });
});

test('at most a hundred calls run at once, apart from watches and leases', async () => {
  const held: (() => void)[] = [];
  const server = await serverOf(({ url }, response) => {
    if (url === '/watch') response.write('{}');
    else held.push(() => reply(response, {}));
  });
  const transport = transportTo(server.url);
  const { chunks } = await transport.open({ ...get, path: '/watch' });
  const calls = Array.from({ length: 150 }, () => transport.call(get));
  await until('a hundred have arrived', () => held.length === 100);
  const lease = transport.call({ ...get, path: '/lease', priority: 'lease' });
  await until('the lease has arrived', () => held.length === 101);
  for (const answer of held.splice(0)) answer();
  await lease;
  await until('the others have arrived', () => held.length === 50);
  for (const answer of held.splice(0)) answer();
  expect(await Promise.all(calls)).toHaveLength(150);
  for await (const chunk of chunks) {
    expect(chunk).toBe('{}');
    break;
  }
});

test('a call that waits for its retry frees its slot for others', async () => {
  const clock = new VirtualClock();
  let isBusy = true;
  const server = await serverOf(({ url }, response) => {
    if (url === '/busy' && isBusy) refuse(response, 429, 'later', { 'retry-after': '5' });
    else reply(response, {});
  });
  const transport = transportTo(server.url, { clock, atOnce: 1 });
  const busy = transport.call({ ...get, path: '/busy' });
  await until('it waits', () => clock.waiting === 2);
  expect(await transport.call(get)).toEqual({});
  isBusy = false;
  await clock.advance(5000);
  expect(await busy).toEqual({});
});

test('a signal ends a call with its reason: before it is sent, while it waits, and during its answer', async () => {
  const server = await serverOf(({ url }, response) => {
    if (url.endsWith('answering')) response.write('{');
  });
  const transport = transportTo(server.url);
  const reason = new Error('enough');
  expect(await failureOf(transport.call({ ...get, signal: AbortSignal.abort(reason) }))).toBe(
    reason,
  );
  expect(server.received).toEqual([]);
  for (const path of ['/asking', '/answering']) {
    const controller = new AbortController();
    const failed = failureOf(transport.call({ method: 'GET', path, signal: controller.signal }));
    await until('the call arrives', () => server.received.some(({ url }) => url === path));
    controller.abort(reason);
    expect(await failed).toBe(reason);
  }
});

test('the listeners of a long-lived signal do not accumulate', async () => {
  const server = await serverOf((_, response) => reply(response, {}));
  const transport = transportTo(server.url, { qps: Infinity });
  const { signal } = new AbortController();
  let listeners = 0;
  const add = signal.addEventListener.bind(signal);
  const remove = signal.removeEventListener.bind(signal);
  signal.addEventListener = (...args: Parameters<typeof add>) =>
    void ((listeners += 1), add(...args));
  signal.removeEventListener = (...args: Parameters<typeof add>) =>
    void ((listeners -= 1), remove(...args));
  for (let i = 0; i < 5; i += 1) await transport.call({ ...get, signal });
  const { chunks } = await transport.open({ ...get, signal });
  for await (const chunk of chunks) expect(chunk).toBe('{}');
  await until('no listener is left', () => listeners === 0);
});

test('after a 401 the credentials are read again, once', async () => {
  const server = await serverOf(({ headers }, response) =>
    headers.authorization === 'Bearer new'
      ? reply(response, { ok: true })
      : refuse(response, 401, 'Unauthorized'),
  );
  const asked: (boolean | undefined)[] = [];
  const transport = transportTo(server.url, {}, ({ isRefused } = {}) => {
    asked.push(isRefused);
    return Promise.resolve({
      headers: { authorization: isRefused ? 'Bearer new' : 'Bearer old' },
      tls: {},
    });
  });
  expect(await transport.call(post)).toEqual({ ok: true });
  expect(asked).toEqual([false, true]);
  const hopeless = transportTo(server.url);
  expect(await failureOf(hopeless.call(post))).toMatchObject({ status: 401 });
  expect(server.received).toHaveLength(4);
});

test('nothing is sent without credentials', async () => {
  const server = await serverOf((_, response) => reply(response, {}));
  const cause = new Error('ENOENT: token');
  const transport = transportTo(server.url, {}, () => Promise.reject(cause));
  expect(await failureOf(transport.call(get))).toMatchObject({
    name: 'Unreachable',
    message: `no credentials for ${server.url}: ENOENT: token`,
    isUnprocessed: true,
    cause,
  });
  expect(server.received).toEqual([]);
});

test('a call does not wait for credentials beyond its timeout', async () => {
  const clock = new VirtualClock();
  const transport = transportTo('http://127.0.0.1:1', { clock }, () => new Promise(() => {}));
  const failed = failureOf(transport.call(get));
  await clock.advance(30_000);
  expect(await failed).toMatchObject({ name: 'Unreachable', isUnprocessed: true });
});

test('credentials are not sent over the network unencrypted', async () => {
  const authorize = () => Promise.resolve({ headers: { Authorization: 'Bearer t' }, tls: {} });
  const transport = transportTo('http://192.0.2.1', {}, authorize);
  expect(await failureOf(transport.call(get))).toMatchObject({
    message: "the server must be https where it gets credentials, got 'http://192.0.2.1/'",
  });
});

test.each([
  ...['', 'example.com', 'ftp://a', 'https://a?b'].map((server) => [server, server]),
  ...['https://user@a', 'https://:pass@a', 'https://u:p/a@a'].map((one) => [one, 'https://***@a']),
])('%j is not a server', (server = '', shown = '') => {
  expect(() => new Transport({ server, authorize: () => Promise.resolve(trusted) })).toThrow(
    `the server must be a URL such as 'https://10.0.0.1:6443', got '${shown}'`,
  );
});

/** Expects that the call is sent for the nth time exactly this many milliseconds after the previous refusal. */
async function isSentAgain(
  { clock, server }: { readonly clock: VirtualClock; readonly server: ScriptedServer },
  nth: number,
  milliseconds: number,
): Promise<void> {
  // Two timers wait: the timeout of the call, and the delay of the retry.
  await until('the client waits', () => clock.waiting === 2);
  await clock.advance(milliseconds - 1);
  expect(server.received).toHaveLength(nth - 1);
  await clock.advance(1);
  await until('it is sent again', () => server.received.length === nth);
}

test('after a 429 with Retry-After, every call is retried at that time', async () => {
  const clock = new VirtualClock();
  let refusals = 2;
  const server = await serverOf((_, response) => {
    refusals -= 1;
    if (refusals < 0) reply(response, { ok: true });
    else refuse(response, 429, 'TooManyRequests', { 'retry-after': '3' });
  });
  const answered = transportTo(server.url, { clock }).call(post);
  await isSentAgain({ clock, server }, 2, 3000);
  await isSentAgain({ clock, server }, 3, 3000);
  expect(await answered).toEqual({ ok: true });
});

test.each([
  ['a 429 without Retry-After', 429, {}, get],
  ['a 429 with Retry-After beyond the timeout of the call', 429, { 'retry-after': '30' }, get],
  [
    'a 503 with Retry-After, for a call that may have been processed',
    503,
    { 'retry-after': '1' },
    post,
  ],
  ['a 500 without Retry-After', 500, {}, get],
  ['a 403 with Retry-After', 403, { 'retry-after': '1' }, get],
])('%s is returned at once', async (_, status, headers, call) => {
  const clock = new VirtualClock();
  const server = await serverOf((_, response) => refuse(response, status, 'No', headers));
  expect(await failureOf(transportTo(server.url, { clock }).call(call))).toMatchObject({ status });
  expect([server.received.length, clock.waiting]).toEqual([1, 0]);
});

test.each([
  ['a read', get],
  ['an idempotent write', { ...post, isIdempotent: true }],
])('%s is retried after a 503 with Retry-After', async (_, call) => {
  const clock = new VirtualClock();
  const server = await serverOf((_, response) =>
    server.received.length > 1
      ? reply(response, {})
      : refuse(response, 503, 'ServiceUnavailable', { 'retry-after': '1' }),
  );
  const answered = transportTo(server.url, { clock }).call(call);
  await isSentAgain({ clock, server }, 2, 1000);
  expect(await answered).toEqual({});
});

test('a call that is refused with Retry-After 0 again and again fails in the end', async () => {
  const server = await serverOf((_, response) =>
    refuse(response, 429, 'TooManyRequests', { 'retry-after': '0' }),
  );
  expect(await failureOf(transportTo(server.url).call(get))).toMatchObject({ status: 429 });
  expect(server.received).toHaveLength(11);
});

test('a read on a kept connection that the server closed succeeds, and a write is reported as failed', async () => {
  let isOpen = true;
  const server = await serverOf((_, response) => {
    if (isOpen) reply(response, {});
    else response.socket?.resetAndDestroy();
    isOpen = true;
  });
  const transport = transportTo(server.url);
  await transport.call(get);
  isOpen = false;
  expect(await transport.call(get)).toEqual({});
  isOpen = false;
  expect(await failureOf(transport.call(post))).toMatchObject({
    name: 'Unreachable',
    isUnprocessed: false,
  });
  expect(server.received.map(({ method }) => method)).toEqual(['GET', 'GET', 'GET', 'POST']);
});

test('a stream returns its text as it arrives, in whole characters', async () => {
  const bytes = Buffer.from('ü\n');
  const server = await serverOf((_, response) => {
    response.write(bytes.subarray(0, 1));
    setImmediate(() => response.end(bytes.subarray(1)));
  });
  const { chunks } = await transportTo(server.url).open(get);
  let text = '';
  for await (const chunk of chunks) text += chunk;
  expect(text).toBe('ü\n');
});

test('a started stream has no timeout, and ends by a reset or the signal', async () => {
  const clock = new VirtualClock();
  const server = await serverOf((_, response) => void response.write('a'));
  const transport = transportTo(server.url, { clock });
  const controller = new AbortController();
  const opened = await Promise.all([
    transport.open(get),
    transport.open({ ...get, signal: controller.signal }),
  ]);
  const [first, second] = opened.map(({ chunks }) => chunks[Symbol.asyncIterator]());
  expect(await first!.next()).toEqual({ value: 'a', done: false });
  expect(await second!.next()).toEqual({ value: 'a', done: false });
  await clock.advance(3_600_000);
  const reason = new Error('stop');
  const ended = failureOf(second!.next());
  controller.abort(reason);
  expect(await ended).toBe(reason);
  const broken = failureOf(first!.next());
  server.resetAll();
  expect(await broken).toBeInstanceOf(Unreachable);
});

test('a stream that broke before it was read fails when it is read', async () => {
  let isClosed = false;
  const server = await serverOf((_, response) => {
    response.on('close', () => (isClosed = true));
    response.write('a');
  });
  const { chunks } = await transportTo(server.url).open(get);
  server.resetAll();
  await until('it is closed', () => isClosed);
  const read = async (): Promise<void> => {
    for await (const chunk of chunks) expect(chunk).toBe('a');
  };
  expect(await failureOf(read())).toBeInstanceOf(Unreachable);
});

test('the connection is closed when its reader leaves', async () => {
  let isClosed = false;
  const server = await serverOf((_, response) => {
    response.on('close', () => (isClosed = true));
    response.write('a');
  });
  const { chunks } = await transportTo(server.url).open(get);
  for await (const _ of chunks) break;
  await until('the server sees it', () => isClosed);
});

test('a stream waits for a slow reader', async () => {
  let written = 0;
  const piece = 'x'.repeat(65_536);
  const server = await serverOf((_, response) => {
    const write = (): void => {
      while (written < 2000) {
        written += 1;
        if (!response.write(piece)) return void response.once('drain', write);
      }
      response.end();
    };
    write();
  });
  const { chunks } = await transportTo(server.url).open(get);
  let read = 0;
  for await (const chunk of chunks) {
    read += chunk.length;
    // Written and unread data is in buffers, and there are few of them.
    expect(written * piece.length - read).toBeLessThan(32 * 1024 * 1024);
  }
  expect(read).toBe(2000 * piece.length);
});

test('closing the client ends calls and streams, and nothing more is sent', async () => {
  const server = await serverOf(({ url }, response) => {
    if (url === '/stream') response.write('a');
  });
  const transport = transportTo(server.url);
  const { chunks } = await transport.open({ method: 'GET', path: '/stream' });
  const stream = chunks[Symbol.asyncIterator]();
  await stream.next();
  const failed = [failureOf(stream.next()), failureOf(transport.call(get))];
  await until('both arrive', () => server.received.length === 2);
  transport.close();
  failed.push(failureOf(transport.call(get)), failureOf(transport.open(get)));
  for (const error of await Promise.all(failed)) {
    expect(error).toMatchObject({ message: `the client of ${server.url} is closed` });
  }
  expect(server.received).toHaveLength(2);
});

test('the observer gets the method, host and status of every request, and the warnings of the server', async () => {
  const notifications: unknown[] = [];
  const server = await serverOf(({ url }, response) => {
    if (url === '/reset') return void response.socket?.resetAndDestroy();
    response.setHeader('warning', ['299 - "unknown field \\"a\\""', '199 - "other"']);
    refuse(response, 404, 'NotFound');
  });
  const observer = {
    requested: ({ method, host, code }: { method: string; host: string; code: string }) =>
      void notifications.push([method, host, code]),
    warned: (warning: string, request: string) => void notifications.push([warning, request]),
  };
  const transport = transportTo(server.url, { observer });
  await failureOf(transport.call(get));
  await failureOf(transport.call({ method: 'DELETE', path: '/reset' }));
  const { host } = new URL(server.url);
  expect(notifications).toEqual([
    ['GET', host, '404'],
    ['unknown field "a"', 'GET /api/v1/pods'],
    ['DELETE', host, '<error>'],
  ]);
});

test('a call that is not permitted at the time of sending is not sent', async () => {
  const server = await serverOf((_, response) => reply(response, {}), pair);
  const clock = new VirtualClock();
  const transport = transportTo(server.url, { qps: 1, burst: 1, clock });
  let isPermitted = true;
  const permit = (): void => {
    if (!isPermitted) throw new Error('not any more');
  };
  expect(await transport.call({ ...post, permit })).toEqual({});
  // The call waits in the queue, and the permission is checked only after that.
  const later = failureOf(transport.call({ ...post, permit }));
  isPermitted = false;
  await clock.advance(1000);
  expect(await later).toEqual(new Error('not any more'));
  expect([server.received.length, server.connections]).toEqual([1, 1]);
  // The same applies to a call that waits for a new connection.
  const other = transportTo(server.url);
  expect(await failureOf(other.call({ ...post, permit }))).toEqual(new Error('not any more'));
  isPermitted = true;
  expect(await other.call({ ...post, permit })).toEqual({});
  expect(server.received.length).toBe(2);
});

test('a retried call must be permitted again', async () => {
  let asked = 0;
  const server = await serverOf((_, response) =>
    refuse(response, 429, 'later', { 'retry-after': '5' }),
  );
  const clock = new VirtualClock();
  const transport = transportTo(server.url, { clock });
  const permit = (): void => {
    asked += 1;
    if (asked === 2) throw new Error('not any more');
  };
  const failure = failureOf(transport.call({ ...post, permit }));
  await until('the client waits', () => clock.waiting === 2);
  await clock.advance(5000);
  expect([await failure, server.received.length]).toEqual([new Error('not any more'), 1]);
});
