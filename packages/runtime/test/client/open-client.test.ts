import { expect, test } from '@jest/globals';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as core from '../../kinds/core.ts';
import { logWarningsOnce, openClient } from '../../client/open-client.ts';
import { VirtualClock } from '@tenantry/testing/clock/virtual-clock';
import { connectionTo } from '../../connection/connection.ts';
import { jsonLog } from '../../log/log.ts';

test('a warning of the server is logged once, and counted each time', async () => {
  const server = createServer((request, response) => {
    const warnings = ['299 - "v1beta1 is deprecated"', '299 - "use v1"'];
    if (request.url?.includes('quiet')) return response.end('{"metadata":{"name":"quiet"}}');
    response.setHeader('warning', warnings).end('{"metadata":{"name":"a"}}');
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  const lines: string[] = [];
  const counted: string[] = [];
  const log = jsonLog({ clock: new VirtualClock(), write: (line) => lines.push(line) });
  const observer = { warned: (warning: string) => void counted.push(warning) };
  const connection = connectionTo({ server: `http://127.0.0.1:${port}` });
  const client = openClient(connection, { log, observer });
  for (const name of ['a', 'quiet', 'a']) await client.get(core.Namespace, { name });
  client.close();
  server.close();
  const request = 'GET /api/v1/namespaces/a';
  expect(lines.map((line): unknown => JSON.parse(line))).toMatchObject([
    { level: 'warn', warning: 'v1beta1 is deprecated', request },
    { level: 'warn', warning: 'use v1', request },
  ]);
  expect(counted).toHaveLength(4);
});

test('each different text is logged, and the last thousand are remembered', () => {
  const lines: string[] = [];
  const log = jsonLog({ clock: new VirtualClock(), write: (line) => lines.push(line) });
  const { warned } = logWarningsOnce(log);
  for (let i = 0; i <= 1000; i += 1) warned?.(`text ${i}`, 'GET /a');
  for (const known of [1, 1000]) warned?.(`text ${known}`, 'GET /a');
  expect(lines).toHaveLength(1001);
  warned?.('text 0', 'GET /a');
  expect(lines).toHaveLength(1002);
});

test.each([
  [true, 1],
  [false, 0],
])('a server whose certificate is not checked (%s) is logged %i times', (isInsecure, times) => {
  const lines: string[] = [];
  const log = jsonLog({ clock: new VirtualClock(), write: (line) => lines.push(line) });
  const connection = connectionTo({ server: 'https://10.0.0.1:6443', isInsecure });
  openClient(connection, { log }).close();
  openClient(connection).close();
  const expected = {
    level: 'warn',
    server: 'https://10.0.0.1:6443',
    msg: expect.stringContaining('is not checked (insecure-skip-tls-verify)'),
  };
  const logged = lines.map((line): unknown => JSON.parse(line));
  expect(logged).toEqual(Array.from({ length: times }, () => expect.objectContaining(expected)));
});
