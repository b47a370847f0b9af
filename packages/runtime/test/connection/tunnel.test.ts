import { afterEach, expect, test } from '@jest/globals';
import { createServer, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { connectionTo } from '../../connection/connection.ts';
import { Transport } from '../../connection/transport.ts';
import { Authority } from '@tenantry/testing/controlplane/credentials';
import { reply, ScriptedServer } from '@tenantry/testing/faults/scripted-server';
import { probesWhile } from './probes.ts';

const authority = new Authority();
const pairFor = (host: string) => authority.issue({ commonName: host, hosts: [host] });
const authorize = () => Promise.resolve({ headers: {}, tls: { ca: authority.pair.certificate } });
const get = { method: 'GET', path: '/' } as const;

const started: { stop(): Promise<void> | void }[] = [];
afterEach(async () => {
  for (const one of started.splice(0)) await one.stop();
});

/** Starts a proxy that records its CONNECT targets. */
async function proxyOf(status: number): Promise<{ url: string; asked: string[] }> {
  const asked: string[] = [];
  const sockets = new Set<Socket>();
  const server: Server = createServer();
  server.on('connect', ({ url = '', headers }, socket: Socket) => {
    asked.push(`${url} ${headers['proxy-authorization'] ?? ''}`);
    sockets.add(socket.on('error', () => {}));
    if (status !== 200) return void socket.end(`HTTP/1.1 ${status} No\r\n\r\n`);
    const [host, port] = url.split(':');
    const target = connect(Number(port), host).on('error', () => {});
    sockets.add(target);
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
    socket.pipe(target).pipe(socket);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  started.push({
    stop: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  });
  return { url: `127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

test('calls go through the proxy, in one tunnel', async () => {
  const server = await ScriptedServer.start(
    (_, response) => reply(response, { ok: true }),
    pairFor('127.0.0.1'),
  );
  const proxy = await proxyOf(200);
  const transport = new Transport({
    server: server.url,
    proxy: `http://me:s%3Acret@${proxy.url}`,
    authorize,
  });
  started.unshift({ stop: () => transport.close() }, server);
  for (let i = 0; i < 3; i += 1) expect(await transport.call(get)).toEqual({ ok: true });
  const { host } = new URL(server.url);
  expect(proxy.asked).toEqual([`${host} Basic ${Buffer.from('me:s:cret').toString('base64')}`]);
  expect(server.connections).toBe(1);
});

const onLinux = process.platform === 'linux' ? test : test.skip;

onLinux('the proxy of a silent watch is probed after 30 s', async () => {
  const server = await ScriptedServer.start(
    (_, response) => void response.writeHead(200).write('{'),
    pairFor('127.0.0.1'),
  );
  const proxy = await proxyOf(200);
  const proxied = { server: server.url, proxy: `http://${proxy.url}`, authorize };
  const transport = new Transport(proxied);
  started.unshift({ stop: () => transport.close() }, server);
  const probes = await probesWhile(() => transport.open(get));
  expect(Math.max(...probes.filter((probe) => !Number.isNaN(probe)))).toBeGreaterThan(20);
});

test('a server with the certificate of another server is not trusted behind a proxy either', async () => {
  const server = await ScriptedServer.start(
    (_, response) => reply(response, {}),
    pairFor('localhost'),
  );
  const proxy = await proxyOf(200);
  const transport = new Transport({ server: server.url, proxy: `http://${proxy.url}`, authorize });
  started.unshift({ stop: () => transport.close() }, server);
  await expect(transport.call(get)).rejects.toMatchObject({
    name: 'Unreachable',
    isUnprocessed: true,
  });
  expect(server.received).toEqual([]);
});

test('the certificate must cover the configured address, behind a proxy and without one', async () => {
  const { certificate: cert, key } = pairFor('10.96.0.1');
  const names: unknown[] = [];
  const listening = createTlsServer({ cert, key }, (_, response) => response.end('{}'));
  listening.on('secureConnection', ({ servername }) => names.push(servername));
  await new Promise<void>((resolve) => {
    listening.listen(0, '127.0.0.1', resolve);
  });
  started.unshift({ stop: () => void listening.close() });
  const server = `https://127.0.0.1:${(listening.address() as AddressInfo).port}`;
  const url = `http://${(await proxyOf(200)).url}`;
  for (const proxy of [undefined, url]) {
    for (const [servername, isRight] of [
      ['10.96.0.1', true],
      ['10.96.0.2', false],
      ['fd00::1', false],
      ['127.0.0.1', false],
      [undefined, false],
    ] as const) {
      const ca = authority.pair.certificate;
      const connection = connectionTo({ server, ca, servername, proxy });
      const transport = new Transport(connection);
      const code = await transport.call(get).then(
        () => 'right',
        (error: Error) => (error.cause as NodeJS.ErrnoException).code,
      );
      transport.close();
      expect([proxy, servername, code]).toEqual([
        proxy,
        servername,
        isRight ? 'right' : 'ERR_TLS_CERT_ALTNAME_INVALID',
      ]);
    }
  }
  expect(new Set(names)).toEqual(new Set([false]));
});

test('with a proxy that refuses or does not exist, the server is unreachable', async () => {
  const proxy = await proxyOf(403);
  const server = 'https://127.0.0.1:1';
  const refused = new Transport({ server, proxy: `http://${proxy.url}`, authorize });
  const gone = new Transport({ server, proxy: 'http://127.0.0.1:1', authorize });
  started.unshift({ stop: () => refused.close() }, { stop: () => gone.close() });
  await expect(refused.call(get)).rejects.toMatchObject({
    name: 'Unreachable',
    isUnprocessed: true,
    message: `${server} cannot be reached: the proxy ${proxy.url} answered 403 for 127.0.0.1:1`,
  });
  await expect(gone.call(get)).rejects.toMatchObject({ name: 'Unreachable', isUnprocessed: true });
});

test.each([
  [
    'https://a',
    'socks5://p',
    `the proxy must be a URL such as 'http://proxy:3128', as SOCKS is not supported, got 'socks5://p'`,
  ],
  ['https://a', 'p', `the proxy must be a URL such as 'http://proxy:3128', got 'p'`],
  ['http://a', 'http://p', `the server must be https where it is reached by a proxy, got 'http'`],
])('%s through %s is refused', (server, proxy, message) => {
  expect(() => new Transport({ server, proxy, authorize })).toThrow(message);
});
