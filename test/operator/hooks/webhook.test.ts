import type { ServerResponse } from 'node:http';
import { afterEach, expect, test } from '@jest/globals';
import type { Hook } from '../../../crds/types.ts';
import { attemptDelivery } from '../../../operator/hooks/attempt.ts';
import { timeoutOf } from '../../../operator/hooks/receipts.ts';
import { HookRefused } from '../../../operator/hooks/sender.ts';
import { systemClock, type Clock } from '@tenantry/runtime/clock/clock';
import { VirtualClock } from '@tenantry/testing/clock/virtual-clock';
import { Authority } from '@tenantry/testing/controlplane/credentials';
import {
  ScriptedServer,
  type RequestHandler,
  type Received,
} from '@tenantry/testing/faults/scripted-server';
import { until } from '@tenantry/testing/waiting/until';
import { WebhookReceiver } from './doubles/webhook-receiver.ts';
import { call, MountedSecrets, otherKey, signingKey } from './given.ts';
import { signedHeaders, parseSigningKey } from '../../../operator/hooks/webhook.ts';

const authority = new Authority();
const served = authority.issue({ commonName: 'localhost', hosts: ['127.0.0.1'] });
const elsewhere = authority.issue({ commonName: 'other', hosts: ['other.example.com'] });

const started: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const stop of started.splice(0)) await stop();
});

async function serve(
  answer: RequestHandler,
  pair: typeof served | undefined = served,
): Promise<ScriptedServer> {
  const server = await ScriptedServer.start(answer, pair);
  started.push(() => server.stop());
  return server;
}

/** Serves a double over TLS. */
const by =
  (double: WebhookReceiver): RequestHandler =>
  ({ method, url, headers, body }, response) => {
    const query = new URLSearchParams();
    const { status, body: text } = double.answer({ method, path: url, query, headers, body });
    response.writeHead(status).end(text);
  };

function secretsOf(data: Readonly<Record<string, string>>): MountedSecrets {
  const secrets = new MountedSecrets().put('cmdb', data);
  started.push(() => secrets[Symbol.dispose]());
  return secrets;
}

/** Makes one attempt at the webhook; returns the reference, or the reason for the failure. */
async function deliver(
  url: string,
  secrets: MountedSecrets = secretsOf({ 'signing-key': signingKey }),
  more: Partial<Hook> = {},
  clock: Clock = systemClock,
): Promise<string | HookRefused> {
  const hook: Hook = {
    name: 'cmdb',
    events: ['Onboarded'],
    secret: 'cmdb-hook',
    webhook: { url },
    authorities: authority.pair.certificate,
    ...more,
  };
  const stop = new AbortController().signal;
  const one = { hook, call, isAgain: false, time: timeoutOf(hook), clock, stop };
  return attemptDelivery({ credentials: secrets.folder }, one).catch((error: unknown) => {
    if (error instanceof HookRefused) return error;
    throw error;
  });
}

async function refused(...given: Parameters<typeof deliver>): Promise<HookRefused> {
  const end = await deliver(...given);
  if (typeof end === 'string') throw new Error(`it was delivered: ${end}`);
  return end;
}

test('an event is posted as a signed CloudEvent that a conforming receiver accepts', async () => {
  const receiver = new WebhookReceiver([signingKey]);
  const { url, received } = await serve(by(receiver));
  expect(await deliver(`${url}/tenants?of=eu`)).toBe('HTTP 202');
  expect(received.map((one) => `${one.method} ${one.url}`)).toEqual(['POST /tenants?of=eu']);
  expect([...receiver.events.values()]).toEqual([
    {
      specversion: '1.0',
      id: call.key,
      source: '/clusters/eu',
      type: 'dev.tenantry.tenant.onboarded',
      subject: 'acme',
      time: call.at,
      datacontenttype: 'application/json',
      data: { tenant: call.tenant },
    },
  ]);
});

test('no text of a tenant becomes a header', async () => {
  const { url, received } = await serve(by(new WebhookReceiver([signingKey])));
  await deliver(url);
  expect(Object.keys(received[0]!.headers).toSorted()).toEqual([
    'connection',
    'content-length',
    'content-type',
    'host',
    'user-agent',
    'webhook-id',
    'webhook-signature',
    'webhook-timestamp',
  ]);
});

test('keys can be rotated without a lost delivery, by the receiver first or by the operator first', async () => {
  const receiver = new WebhookReceiver([signingKey]);
  const { url } = await serve(by(receiver));
  const secrets = secretsOf({ 'signing-key': otherKey, 'previous-signing-key': signingKey });
  expect(await deliver(url, secrets)).toBe('HTTP 202');
  receiver.secrets = [otherKey];
  expect(await deliver(url, secrets)).toBe('HTTP 202');
  secrets.put('cmdb', { 'signing-key': otherKey });
  expect(await deliver(url, secrets)).toBe('HTTP 202');
  secrets.put('cmdb', { 'signing-key': signingKey });
  expect(await refused(url, secrets)).toMatchObject({ message: 'post the event: answered 401' });
});

test('a token in the Secret is sent', async () => {
  const receiver = new WebhookReceiver([signingKey]);
  receiver.token = 'planted-token';
  const { url } = await serve(by(receiver));
  const without = await refused(url);
  expect([without.message, without.final]).toEqual(['post the event: answered 401', false]);
  const secrets = secretsOf({ 'signing-key': signingKey, token: 'planted-token\n' });
  expect(await deliver(url, secrets)).toBe('HTTP 202');
});

const say =
  (status: number, headers: Readonly<Record<string, string>> = {}, body = 'planted in the body') =>
  (_: Received, response: ServerResponse): void => {
    response.writeHead(status, headers).end(body);
  };

test.each([
  [400, true],
  [401, false],
  [403, false],
  [404, true],
  [408, false],
  [410, true],
  [422, true],
  [425, false],
  [429, false],
  [500, false],
  [502, false],
  [503, false],
  [301, true],
  [304, true],
])('an answer %i is a refusal, and whether it is permanent is %s', async (status, final) => {
  const { url } = await serve(say(status));
  const { message, final: isFinal } = await refused(url);
  expect([message, isFinal]).toEqual([`post the event: answered ${status}`, final]);
});

test('a retry delay is respected as seconds or as a date, up to an hour', async () => {
  const after = async (value: string): Promise<number | undefined> => {
    const { url } = await serve(say(429, { 'retry-after': value }));
    return (await refused(url)).retryAfter;
  };
  expect(await after('30')).toBe(30);
  expect(await after('99999')).toBe(3600);
  expect(await after('soon')).toBeUndefined();
  const inTwoMinutes = await after(new Date(Date.now() + 120_000).toUTCString());
  expect(inTwoMinutes).toBeGreaterThan(60);
  expect(inTwoMinutes).toBeLessThanOrEqual(120);
  const { url } = await serve(say(400, { 'retry-after': '30' }));
  expect((await refused(url)).retryAfter).toBeUndefined();
});

test('a redirect is not followed', async () => {
  const other = await serve(by(new WebhookReceiver([signingKey])));
  const { url } = await serve(say(307, { location: other.url }));
  expect((await refused(url)).final).toBe(true);
  expect(other.received).toEqual([]);
});

test('a call without an answer ends after the timeout of the hook', async () => {
  const { url, received } = await serve(() => undefined);
  const clock = new VirtualClock();
  const end = refused(url, undefined, { timeoutSeconds: 20 }, clock);
  await until('the request has arrived', () => received.length === 1);
  await clock.advance(19_999);
  expect(clock.waiting).toBe(1);
  await clock.advance(1);
  const { message, final, isBusy } = await end;
  expect([message, final, isBusy]).toEqual([
    `no answer of ${new URL(url).host} in time`,
    false,
    true,
  ]);
  expect([received.length, clock.waiting]).toEqual([1, 0]);
});

test('a call whose answer never ends also ends after the timeout', async () => {
  const { url, received } = await serve((_, response) => void response.writeHead(200).write('{'));
  const clock = new VirtualClock();
  const end = refused(url, undefined, { timeoutSeconds: 20 }, clock);
  await until('the request has arrived', () => received.length === 1);
  await clock.advance(20_000);
  const { message } = await end;
  expect(message).toBe(`no answer of ${new URL(url).host} in time`);
});

test('a connection that is reset or refused may be tried again', async () => {
  const server = await serve((_, response) => void response.destroy());
  const { url } = server;
  expect(await refused(url)).toMatchObject({
    message: `no answer of ${new URL(url).host} (ECONNRESET)`,
    final: false,
  });
  await server.stop();
  expect(await refused(url)).toMatchObject({
    message: `no answer of ${new URL(url).host} (ECONNREFUSED)`,
    isBusy: true,
  });
});

test('at most one mebibyte of an answer is read', async () => {
  const { url } = await serve((_, response) => {
    response.writeHead(200);
    response.end(Buffer.alloc(2 * 1024 * 1024));
  });
  expect((await refused(url)).message).toBe('answered with more than 1048576 bytes');
});

test('a server with a certificate of another authority or host gets no request', async () => {
  const { url, received } = await serve(by(new WebhookReceiver([signingKey])));
  const other = { authorities: new Authority().pair.certificate };
  expect((await refused(url, undefined, other)).message).toMatch(
    /\((UNABLE_TO_|CERT_SIG)[A-Z_]+\)$/,
  );
  const wrong = await serve(by(new WebhookReceiver([signingKey])), elsewhere);
  expect((await refused(wrong.url)).message).toMatch(/\(ERR_TLS_CERT_ALTNAME_INVALID\)$/);
  expect([...received, ...wrong.received]).toEqual([]);
});

test('without credentials nothing is sent, and the message names the Secret and the missing key', async () => {
  const { url, received } = await serve(say(200));
  expect(await refused(url, secretsOf({}))).toMatchObject({
    message: `Secret cmdb-hook must have the key 'signing-key', and it is not there, or empty`,
    final: false,
  });
  const weak = await refused(url, secretsOf({ 'signing-key': 'hunter2' }));
  expect(weak.message).toMatch(/^'signing-key' of the Secret must be whsec_ /);
  expect(weak.message).not.toContain('hunter2');
  const odd = secretsOf({ 'signing-key': signingKey, token: 'planted\ntoken' });
  const { message } = await refused(url, odd);
  expect(message).not.toContain('planted');
  expect(received).toEqual([]);
});

const keyOf = (text: string): Buffer => parseSigningKey(text)!;

// https://github.com/standard-webhooks/standard-webhooks/blob/main/libraries/javascript/src/webhook.test.ts
test('a message is signed as in the example of the specification', () => {
  const message = {
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    timestamp: 1614265330,
    body: '{"test": 2432232314}',
  };
  expect(signedHeaders(message, [keyOf(signingKey)])).toEqual({
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  });
});

test('during a key rotation a message has a signature of each key', () => {
  const message = { id: 'a', timestamp: 1, body: '{}' };
  const [first, second] = [signingKey, otherKey].map(
    (key) => signedHeaders(message, [keyOf(key)])['webhook-signature'],
  );
  const both = signedHeaders(message, [keyOf(signingKey), keyOf(otherKey)]);
  expect(both['webhook-signature']).toBe(`${first} ${second}`);
});

test('a signing key has at least 24 bytes in base64, with or without its prefix', () => {
  const of = (length: number): string => Buffer.alloc(length, 1).toString('base64');
  expect(parseSigningKey(`whsec_${of(24)}`)).toEqual(Buffer.alloc(24, 1));
  expect(parseSigningKey(of(24))).toEqual(Buffer.alloc(24, 1));
  expect(parseSigningKey(`whsec_${of(23)}`)).toBeUndefined();
  expect(parseSigningKey('correct horse battery staple and more')).toBeUndefined();
  expect(parseSigningKey('')).toBeUndefined();
});
