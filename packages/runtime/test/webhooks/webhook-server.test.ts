import { afterAll, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { Agent } from 'node:https';
import {
  connect as openTcp,
  createServer as listen,
  type AddressInfo,
  type Socket,
} from 'node:net';
import { text } from 'node:stream/consumers';
import { connect, type TLSSocket } from 'node:tls';
import { ServingCertificate } from '../../certificates/key-pair.ts';
import { VirtualClock } from '@tenantry/testing/clock/virtual-clock';
import { Refused, type Webhook, type WebhookCall } from '../../webhooks/webhook.ts';
import { validatingWebhook } from '../../webhooks/admission/admission-webhook.ts';
import { allowed } from '../../webhooks/admission/verdict.ts';
import { WebhookServer } from '../../webhooks/webhook-server.ts';
import { RecordingLog } from '../certificates/recording-log.ts';
import { until } from '@tenantry/testing/waiting/until';
import { box, boxKind, review } from './admission/reviews.ts';
import { newPair, Served, stopAll } from './served.ts';

afterAll(stopAll);

const hook = (path: string, answer: Webhook['answer'], maxBytes = 1000): Webhook => ({
  path,
  maxBytes,
  answer,
});
const echo = hook('/echo', (review) => Promise.resolve({ review }));
/** Returns a webhook that answers once its signal aborts. */
const slow = (call: (call: WebhookCall) => void = () => {}): Webhook =>
  hook('/slow', (_, given) => {
    call(given);
    return new Promise((resolve) => {
      given.signal.addEventListener('abort', () =>
        resolve({ reason: (given.signal.reason as Error).message }),
      );
    });
  });

test('a request goes to the webhook of its path, whatever its query is', async () => {
  const other = hook('/other', () => Promise.resolve({ other: true }));
  const served = await Served.start([echo, other]);
  expect(await served.ask('/echo?timeout=10s', { a: 1 })).toMatchObject({
    status: 200,
    body: { review: { a: 1 } },
    headers: { 'content-type': 'application/json' },
  });
  expect((await served.ask('/other', {})).body).toEqual({ other: true });
});

test('an integer of 64 bits keeps every digit', async () => {
  let seen: unknown;
  const keeps = hook('/keeps', (review) => Promise.resolve((seen = review) as object));
  const served = await Served.start([keeps]);
  const text = '{"a":9007199254740993}';
  await served.ask('/keeps', undefined, { text });
  expect(seen).toEqual({ a: 9007199254740993n });
});

test('a request for no webhook gets a Status with the reason', async () => {
  const served = await Served.start([echo]);
  const rows = [
    [await served.ask('/', {}), 404, `the path must be one of /echo, got '/'`],
    [
      await served.ask('/echo', undefined, { method: 'PUT' }),
      405,
      'the method must be POST, got PUT',
    ],
    [
      await served.ask('/echo', {}, { type: 'application/yaml' }),
      415,
      `the content type must be application/json, got 'application/yaml'`,
    ],
    [await served.ask('/echo', undefined, { text: '{' }), 400, `the body must be JSON, got '{'`],
    [await served.ask('/echo', undefined, { text: '' }), 400, `the body must be JSON, got ''`],
    [
      await served.ask('/echo', undefined, { text: '['.repeat(501) }),
      400,
      'the body must be nested at most 500 deep, got more',
    ],
    [
      await served.ask('/echo', undefined, { text: Buffer.from([0x22, 0xff, 0x22]) }),
      400,
      'the body must be UTF-8',
    ],
  ] as const;
  for (const [answer, code, message] of rows) {
    expect(answer).toMatchObject({
      status: code,
      body: { kind: 'Status', apiVersion: 'v1', status: 'Failure', message, code },
    });
  }
  const named = await served.ask('/echo', {}, { type: 'Application/JSON; charset=utf-8' });
  expect(named.status).toBe(200);
  expect(served.log.sentences('warn')).toHaveLength(rows.length);
});

/** Sends a request unchanged, and returns the answer. */
async function raw({ server, pair }: Served, ...lines: readonly string[]): Promise<string> {
  const options = { host: '127.0.0.1', port: server.port!, ca: pair.authority };
  const socket = connect(options);
  socket.end([...lines, 'host: a', 'connection: close', '', ''].join('\r\n'));
  return text(socket);
}

test.each(['//[', 'https://[/echo', '//a:b@c:99999/echo', '/\\\\[', '*', '//', '/%'])(
  'a path such as %s gets a Status as well',
  async (path) => {
    const served = await Served.start([echo]);
    const answer = await raw(served, `POST ${path} HTTP/1.1`, 'content-length: 0');
    expect(answer).toMatch(/^HTTP\/1.1 (404|400) /);
    expect((await served.ask('/echo', {})).status).toBe(200);
  },
);

test('a body may be as large as its webhook allows, and not a byte larger', async () => {
  const served = await Served.start([echo]);
  const body = (size: number): string => JSON.stringify('x'.repeat(size - 2));
  const answer = (size: number) => served.ask('/echo', undefined, { text: body(size) });
  expect((await answer(1000)).status).toBe(200);
  const { status, body: answerBody } = await answer(1001);
  expect([status, answerBody['message']]).toEqual([
    413,
    'the body must have at most 1000 bytes, got 1001 or more',
  ]);
});

test('a review can hold two objects of the largest size that an API server accepts', async () => {
  const webhook = validatingWebhook({ kind: boxKind, validate: () => allowed });
  const served = await Served.start([webhook]);
  const large = box({ width: 1, colour: 'x'.repeat(3 * 1024 * 1024 - 200) });
  const given = review({ operation: 'UPDATE', object: large, oldObject: large });
  const { status, body } = await served.ask(webhook.path, given);
  expect([status, body['response']]).toEqual([200, { uid: 'u', allowed: true }]);
});

test('a connection is kept for longer than an API server keeps it', async () => {
  const served = await Served.start([echo]);
  const agent = new Agent({ keepAlive: true });
  const { headers } = await served.ask('/echo', {}, { agent });
  const [, seconds] = /^timeout=(\d+)$/.exec(String(headers['keep-alive'])) ?? [];
  expect(Number(seconds)).toBeGreaterThan(90);
  agent.destroy();
});

test('a connection is closed after the configured number of requests', async () => {
  const served = await Served.start([echo], { requestsPerConnection: 2 });
  const agent = new Agent({ keepAlive: true });
  const ask = async () => (await served.ask('/echo', {}, { agent })).headers['connection'];
  expect([await ask(), await ask(), await ask()]).toEqual(['keep-alive', 'close', 'keep-alive']);
  agent.destroy();
});

test('a body of unknown size is refused as soon as it is too large', async () => {
  const served = await Served.start([echo]);
  const socket = await connected(served, served.pair.authority);
  const head = 'POST /echo HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\n';
  socket.write(`${head}transfer-encoding: chunked\r\n\r\n`);
  socket.write(`3e9\r\n${'x'.repeat(1001)}\r\n`);
  const [answer] = (await once(socket, 'data')) as [Buffer];
  expect(answer.toString()).toMatch(/^HTTP\/1\.1 413 .*connection: close/is);
  socket.destroy();
});

test('bodies that do not fit into memory are refused until there is room', async () => {
  const served = await Served.start([hook('/echo', echo.answer, 10_000)], { maxBytesAtOnce: 3000 });
  const socket = await connected(served, served.pair.authority);
  const head = 'POST /echo HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\n';
  socket.write(`${head}content-length: 2502\r\n\r\n"${'x'.repeat(2499)}`);
  const text = JSON.stringify('y'.repeat(998));
  await untilStatus(served, text, 503);
  socket.write('x"');
  const [answer] = (await once(socket, 'data')) as [Buffer];
  expect(answer.toString()).toMatch(/^HTTP\/1\.1 200 /);
  expect((await served.ask('/echo', undefined, { text })).status).toBe(200);
  socket.destroy();
});

test('a webhook that throws is answered with 500, and the reason is only in the log', async () => {
  const error = new Error('the password is 1234');
  const served = await Served.start([
    hook('/a', () => Promise.reject(error)),
    hook('/b', () => {
      throw error;
    }),
    hook('/c', () => Promise.reject(new Refused(422, 'no'))),
  ]);
  for (const path of ['/a', '/b']) {
    expect(await served.ask(path, {})).toMatchObject({
      status: 500,
      body: { message: 'the webhook failed', reason: 'InternalServerError' },
    });
  }
  expect(await served.ask('/c', {})).toMatchObject({ status: 422, body: { message: 'no' } });
  const failed = { level: 'error', sentence: 'a webhook failed', fields: { error } };
  expect(served.log.lines.filter(({ level }) => level === 'error')).toEqual([failed, failed]);
});

test.each([
  ['?timeout=10s', 9500, '10 s'],
  ['?timeout=1m30s', 89_500, '90 s'],
  ['?timeout=1s', 900, '1 s'],
  ['', 9500, '10 s'],
  ['?timeout=soon', 9500, '10 s'],
])('with %j a webhook is aborted after %d ms', async (query, milliseconds, inWords) => {
  const clock = new VirtualClock();
  const served = await Served.start([slow()], { clock });
  const answer = served.ask(`/slow${query}`, {});
  await until('the webhook is called', () => clock.waiting === 1);
  await clock.advance(milliseconds - 1);
  expect(clock.waiting).toBe(1);
  await clock.advance(1);
  const reason = `there was no answer within ${inWords}`;
  expect((await answer).body).toEqual({ reason });
  await served.stop();
});

test('a webhook is aborted when its client disconnects', async () => {
  let call: WebhookCall | undefined;
  const served = await Served.start([slow((given) => (call = given))]);
  const gone = new AbortController();
  const answer = served.ask('/slow', {}, { signal: gone.signal });
  await until('the webhook is called', () => call !== undefined);
  gone.abort();
  await expect(answer).rejects.toThrow('aborted');
  await until('the signal is aborted', () => call!.signal.aborted);
  expect((call!.signal.reason as Error).message).toBe('the client has disconnected');
});

test('a new certificate serves new connections, and open ones continue', async () => {
  const served = await Served.start([echo]);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  await served.ask('/echo', {}, { agent });
  const [sent] = Object.values(agent.freeSockets).flat();
  const next = newPair();
  served.certificates.set(next);
  expect((await served.ask('/echo', {}, { ca: next.authority })).status).toBe(200);
  await expect(served.ask('/echo', {})).rejects.toThrow();
  expect((await served.ask('/echo', {}, { agent })).status).toBe(200);
  expect(Object.values(agent.freeSockets).flat()).toEqual([sent]);
  agent.destroy();
});

test('a client that refuses the certificate is logged once a minute', async () => {
  const clock = new VirtualClock();
  const served = await Served.start([echo], { clock });
  const hello = await clientHello();
  // A fatal alert: bad_certificate (RFC 8446, 6.2).
  const alert = Buffer.from([0x15, 3, 3, 0, 2, 2, 42]);
  const refused = async (): Promise<void> => {
    const socket = openTcp(served.server.port!, '127.0.0.1');
    socket.write(hello);
    await once(socket, 'data');
    socket.end(alert);
    await once(socket.resume(), 'close');
  };
  const sentence = 'a client rejected the certificate of the webhooks';
  const countWarnings = (): number =>
    served.log.sentences('warn').filter((one) => one === sentence).length;
  await refused();
  await until('the refusal is logged', () => countWarnings() === 1);
  await refused();
  await served.ask('/echo', {});
  expect(countWarnings()).toBe(1);
  await clock.advance(60_000);
  await refused();
  await until('the second refusal is logged', () => countWarnings() === 2);
});

test('the server listens as soon as there is a certificate, and not before', async () => {
  const served = new Served([echo]);
  expect([served.server.isServing, served.server.port]).toEqual([false, undefined]);
  served.certificates.set(served.pair);
  await until('it listens', () => served.server.isServing);
  expect((await served.ask('/echo', {})).status).toBe(200);
});

test('a stop waits for running requests, and accepts no new ones', async () => {
  let finish: (() => void) | undefined;
  const held = hook('/held', () => new Promise((resolve) => (finish = () => resolve({}))));
  const served = await Served.start([held]);
  const { port } = served.server;
  const answer = served.ask('/held', {});
  const idle = await connected(served, served.pair.authority);
  await until('the webhook is called', () => finish !== undefined);
  const stopped = served.stop();
  const refused = once(openTcp(port!, '127.0.0.1'), 'connect');
  await expect(refused).rejects.toThrow('ECONNREFUSED');
  finish?.();
  expect((await answer).status).toBe(200);
  await stopped;
  idle.destroy();
});

test('idle connections do not delay a stop', async () => {
  const served = await Served.start([echo], { clock: new VirtualClock() });
  const silent = await connected(served, served.pair.authority);
  const agent = new Agent({ keepAlive: true });
  await served.ask('/echo', {}, { agent });
  await served.stop();
  await until('they are closed', () => silent.destroyed);
  agent.destroy();
});

test('requests that do not end are cut off after the grace period', async () => {
  const clock = new VirtualClock();
  let call: WebhookCall | undefined;
  const served = await Served.start([slow((given) => (call = given))], {
    clock,
    gracefulStop: 5000,
  });
  const answer = served.ask('/slow?timeout=30s', {});
  answer.catch(() => {});
  await until('the webhook is called', () => call !== undefined);
  const stopped = served.stop();
  await until('it waits', () => clock.waiting === 2);
  await clock.advance(5000);
  await stopped;
  expect((call!.signal.reason as Error).message).toBe('the webhook server stops');
  await expect(answer).rejects.toThrow();
});

test('a port in use ends the server with the error', async () => {
  const { port } = (await Served.start([echo])).server;
  const certificates = new ServingCertificate();
  const source = {
    current: newPair(),
    onChange: certificates.onChange.bind(certificates),
    run: () => new Promise<void>(() => {}),
  };
  const props = { webhooks: [], log: new RecordingLog(), port, host: '127.0.0.1' };
  const server = new WebhookServer({ ...props, certificates: source });
  await expect(server.run(new AbortController().signal)).rejects.toThrow('EADDRINUSE');
});

test('two webhooks with one path, and an invalid path, are refused at once', () => {
  const started =
    (...paths: string[]) =>
    () => {
      const webhooks = paths.map((path) => hook(path, echo.answer));
      new WebhookServer({ webhooks, certificates: neverOne, log: new RecordingLog() });
    };
  expect(started('/a', '/b')).not.toThrow();
  expect(started('/a', '/a')).toThrow(`two webhooks must not have one path, got '/a'`);
  const must = 'the path of a webhook must begin with / and have no ?';
  expect(started('a')).toThrow(`${must}, got 'a'`);
  expect(started('/a?b')).toThrow(`${must}, got '/a?b'`);
});

const neverOne = {
  current: undefined,
  onChange: () => () => {},
  run: () => Promise.resolve(),
};

/** Builds the ClientHello of a TLS 1.2 client, which can send unencrypted alerts after it. */
async function clientHello(): Promise<Buffer> {
  const listener = listen().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as AddressInfo;
  const client = connect({ port, host: '127.0.0.1', maxVersion: 'TLSv1.2' });
  client.on('error', () => {});
  const [socket] = (await once(listener, 'connection')) as [Socket];
  const [hello] = (await once(socket, 'data')) as [Buffer];
  for (const one of [client, socket]) one.destroy();
  listener.close();
  return hello;
}

async function connected(served: Served, ca: string): Promise<TLSSocket> {
  const socket = connect({ port: served.server.port, host: '127.0.0.1', ca });
  socket.on('error', () => {});
  await once(socket, 'secureConnect');
  return socket;
}

async function untilStatus(served: Served, text: string, status: number): Promise<void> {
  for (;;) if ((await served.ask('/echo', undefined, { text })).status === status) return;
}
