import { afterEach, expect, test } from '@jest/globals';
import { createServer, type AddressInfo } from 'node:net';
import { request as httpsRequest } from 'node:https';
import { TLSSocket } from 'node:tls';
import { VirtualClock } from '@tenantry/testing/clock/virtual-clock';
import { ServingCertificate } from '../../certificates/key-pair.ts';
import { jsonLog } from '../../log/log.ts';
import { Metrics } from '../../metrics/metrics.ts';
import { MetricsServer, type MetricsServerProps } from '../../metrics/metrics-server.ts';
import type { ScrapeDecision } from '../../metrics/scrape-access.ts';
import { Authority } from '@tenantry/testing/controlplane/credentials';
import { until } from '@tenantry/testing/waiting/until';
import { samplesOf } from './scraped.ts';

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

/** Starts a server, and collects its log lines. */
async function running(props: Partial<MetricsServerProps> = {}) {
  const lines: string[] = [];
  const clock = new VirtualClock();
  const metrics = await Metrics.create({ ofProcess: false, clock });
  metrics.controllers.declare('shops', 3);
  const log = jsonLog({ clock, write: (line) => lines.push(line) });
  const server = new MetricsServer({ metrics, log, host: '127.0.0.1', port: 0, clock, ...props });
  const stop = new AbortController();
  const run = server.run(stop.signal);
  stops.push(async () => {
    stop.abort();
    await run;
  });
  await until('it listens', () => server.port !== undefined);
  return { server, metrics, lines, stop, run, clock, url: `http://127.0.0.1:${server.port}` };
}

test('a scrape gets the page, in plain text or compressed', async () => {
  const { url, metrics } = await running();
  const { text } = await metrics.page();
  const plain = await fetch(`${url}/metrics?x=1`, { headers: { 'accept-encoding': 'identity' } });
  expect([plain.status, plain.headers.get('content-encoding')]).toEqual([200, null]);
  expect(plain.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  expect(await plain.text()).toBe(text);
  const small = await fetch(`${url}/metrics`, { headers: { 'accept-encoding': 'gzip' } });
  expect(small.headers.get('content-encoding')).toBe('gzip');
  expect(Number(small.headers.get('content-length'))).toBeLessThan(text.length / 2);
  expect(samplesOf(await small.text())).toEqual(samplesOf(text));
  const refused = await fetch(`${url}/metrics`, { headers: { 'accept-encoding': 'gzip;q=0' } });
  expect(refused.headers.get('content-encoding')).toBeNull();
});

test('the server has no other path, and no method but GET', async () => {
  const { url } = await running();
  const status = async (path: string, method = 'GET') =>
    (await fetch(`${url}${path}`, { method })).status;
  expect(await status('/')).toBe(404);
  expect(await status('/metrics/x')).toBe(404);
  expect(await status('/metrics', 'POST')).toBe(405);
  const head = await fetch(`${url}/metrics`, { method: 'DELETE' });
  expect(head.headers.get('allow')).toBe('GET');
});

test('a page without protection is logged', async () => {
  const { lines, server } = await running();
  expect(JSON.parse(lines[0]!)).toMatchObject({
    msg: 'metrics are served to everybody who can reach the port',
    port: server.port,
    tls: false,
  });
});

test('a page that cannot be built is an internal error, with its reason in the log and not in the answer', async () => {
  const page = () => Promise.reject(new Error('the secret reason'));
  const { url, lines } = await running({ metrics: { page } });
  const answer = await fetch(`${url}/metrics`);
  expect([answer.status, await answer.text()]).toEqual([500, 'see the log\n']);
  expect(lines.at(-1)).toContain('the secret reason');
});

test('a port in use ends the server with an error that names the port', async () => {
  const other = createServer();
  await new Promise<void>((resolve) => {
    other.listen(0, '127.0.0.1', resolve);
  });
  const { port } = other.address() as AddressInfo;
  const log = jsonLog({ clock: new VirtualClock(), write: () => {} });
  const metrics = { page: () => Promise.resolve({ contentType: '', text: '' }) };
  const server = new MetricsServer({ metrics, log, host: '127.0.0.1', port });
  await expect(server.run(new AbortController().signal)).rejects.toThrow(
    `metrics cannot be served on 127.0.0.1:${port}: listen EADDRINUSE`,
  );
  await new Promise((resolve) => {
    other.close(resolve);
  });
});

test('a stopped server does not listen, and one that is stopped before its start never does', async () => {
  const { url, stop, run, server } = await running();
  stop.abort();
  await run;
  expect(server.port).toBeUndefined();
  await expect(fetch(`${url}/metrics`)).rejects.toThrow();
  await server.run(stop.signal);
  expect(server.port).toBeUndefined();
});

test('a stop waits up to a second for running answers', async () => {
  const asked: (() => void)[] = [];
  const page = () =>
    new Promise<{ contentType: string; text: string }>((resolve) => {
      asked.push(() => resolve({ contentType: 'text/plain', text: 'late' }));
    });
  const { url, stop, run, clock } = await running({ metrics: { page } });
  const answers = [1, 2].map(() => fetch(`${url}/metrics`).then((one) => one.text()));
  const settled = Promise.allSettled(answers);
  await until('both requests have arrived', () => asked.length === 2);
  stop.abort();
  asked[0]!();
  expect(await Promise.race(answers)).toBe('late');
  await clock.advance(1000);
  await run;
  expect((await settled).map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
});

const authority = new Authority();
const serving = (commonName: string) => authority.issue({ commonName, hosts: ['127.0.0.1'] });

/** Returns the status of a scrape over TLS, and the name in the certificate. */
function scrape(port: number | undefined, token?: string): Promise<[number, string]> {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const options = {
    port,
    host: '127.0.0.1',
    path: '/metrics',
    ca: authority.pair.certificate,
    headers,
  };
  return new Promise((resolve, reject) => {
    const request = httpsRequest({ ...options, agent: false }, (response) => {
      const { socket } = response;
      const subject = socket instanceof TLSSocket ? socket.getPeerCertificate().subject : undefined;
      response.resume().on('end', () => resolve([response.statusCode ?? 0, String(subject?.CN)]));
    });
    request.on('error', reject).end();
  });
}

test('over TLS the server uses the newest certificate, and waits for the first one', async () => {
  const certificate = new ServingCertificate();
  const { server, lines } = await running({ certificate });
  expect(JSON.parse(lines[0]!)).toMatchObject({ tls: true });
  await expect(scrape(server.port)).rejects.toThrow();
  certificate.set(serving('one'));
  expect(await scrape(server.port)).toEqual([200, 'one']);
  certificate.set(serving('two'));
  expect(await scrape(server.port)).toEqual([200, 'two']);
});

test('a stopped server no longer subscribes to certificates', async () => {
  const listeners = new Set<unknown>();
  const onChange = (tell: unknown) => {
    listeners.add(tell);
    return () => void listeners.delete(tell);
  };
  const { stop, run } = await running({ certificate: { current: serving('one'), onChange } });
  expect(listeners.size).toBe(1);
  stop.abort();
  await run;
  expect(listeners.size).toBe(0);
});

test.each<[ScrapeDecision, number]>([
  ['allowed', 200],
  ['unknown', 401],
  ['forbidden', 403],
  ['busy', 503],
])('a reader that is %s gets a %d', async (decision, status) => {
  const certificate = new ServingCertificate();
  certificate.set(serving('one'));
  const asked: (string | undefined)[][] = [];
  const decide = (...args: (string | undefined)[]) => {
    asked.push(args);
    return Promise.resolve(decision);
  };
  const { server, lines } = await running({ certificate, access: { decide } });
  expect(await scrape(server.port, 'secret')).toEqual([status, 'one']);
  expect(asked).toEqual([['Bearer secret', '/metrics']]);
  expect(lines.join('')).toContain('metrics are served to callers that RBAC allows');
});

test('nobody may read while the cluster cannot be reached', async () => {
  const certificate = new ServingCertificate();
  certificate.set(serving('one'));
  const decide = () => Promise.reject(new Error('no answer'));
  const { server } = await running({ certificate, access: { decide } });
  expect(await scrape(server.port, 'secret')).toEqual([500, 'one']);
});

test('a server with tokens requires TLS, and a port must be a number', () => {
  const log = jsonLog({ clock: new VirtualClock() });
  const metrics = { page: () => Promise.resolve({ contentType: '', text: '' }) };
  const decide = () => Promise.resolve('allowed' as const);
  expect(() => new MetricsServer({ metrics, log, access: { decide } })).toThrow(
    'certificate must be set',
  );
  for (const port of [-1, 1.5, 65_536, Number.NaN]) {
    expect(() => new MetricsServer({ metrics, log, port })).toThrow('port must be a whole number');
  }
});
