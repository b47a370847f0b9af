import { afterAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openClient } from '../../client/open-client.ts';
import {
  type Connection,
  connectionTo,
  type ConnectionProps,
} from '../../connection/connection.ts';
import { connectionFrom } from '../../connection/connection-from.ts';
import * as core from '../../kinds/core.ts';
import { jsonLog } from '../../log/log.ts';
import { VirtualClock } from '@tenantry/testing/clock/virtual-clock';
import { runs } from '@tenantry/kube/test/yaml/runs';

/** A mark in the middle of every secret of this test. */
const mark = 'S3cr3tMark';
const folder = mkdtempSync(join(tmpdir(), 'tenantry-secrets-'));

/** The server's reaction to a request. The test requests the Secret. */
type Answer = (response: ServerResponse) => void;
const secretText = JSON.stringify({
  kind: 'Secret',
  apiVersion: 'v1',
  metadata: { name: 'a', uid: 'u', resourceVersion: '1' },
  data: { password: mark },
});
const answers: Readonly<Record<string, Answer>> = {
  refused: (r) => r.writeHead(401).end('{"kind":"Status","message":"Unauthorized"}'),
  forbidden: (r) => r.writeHead(403).end('{"kind":"Status","message":"no"}'),
  html: (r) => r.writeHead(502).end('<html><h1>Bad Gateway</h1></html>'),
  moved: (r) => r.writeHead(302, { location: `https://a/?token=${mark}` }).end(),
  late: (r) => r.writeHead(429, { 'retry-after': '86400' }).end(),
  reset: (r) => void r.socket?.destroy(),
  cut: (r) =>
    void r.writeHead(200, { 'content-length': 9999 }).write(secretText, () => r.destroy()),
  short: (r) => r.writeHead(200).end(secretText.slice(0, -3)),
  junk: (r) => r.writeHead(200).end(secretText.replace(`"${mark}"`, `"${mark}"x"`)),
  word: (r) => r.writeHead(200).end(secretText.replace(`"${mark}"`, mark)),
  empty: (r) => r.writeHead(200).end(),
  number: (r) => r.writeHead(200).end('7'),
};
let answer: Answer = answers['empty']!;
const server = createServer((_, response) => answer(response));
await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
const { port } = server.address() as AddressInfo;
const here = `http://127.0.0.1:${port}`;
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
  rmSync(folder, { recursive: true });
});

/** Returns all readable text of an error, and the line that the log writes for it. */
function everything(error: unknown): string {
  let line = '';
  jsonLog({ clock: new VirtualClock(), write: (text) => (line += text) }).error('x', { error });
  const seen: string[] = [line];
  for (let one = error; one instanceof Error; one = one.cause) {
    seen.push(one.message, one.stack ?? '', JSON.stringify({ ...one, cause: undefined }));
  }
  return seen.join('\n');
}

/** Returns what is thrown, or undefined. */
async function thrownBy(run: () => unknown): Promise<unknown> {
  try {
    await run();
    return undefined;
  } catch (error) {
    return error;
  }
}

async function call(connection: Connection, answerName: string): Promise<unknown> {
  answer = answers[answerName]!;
  const client = openClient(connection);
  const asked = await thrownBy(() => client.get(core.Secret, { name: 'a', namespace: 'b' }));
  const watched = await thrownBy(async () => {
    for await (const event of client.watch(core.Secret)) if (event.type === 'DELETED') break;
  });
  client.close();
  return new AggregateError([asked, watched].filter(Boolean), '', { cause: asked ?? watched });
}

const odd = fc.constantFrom('', ' ', '\n', '\u0000', '/', '@', '#', '?', '%', 'ä', '"', '\\', ':');
const secret = fc.tuple(odd, odd, odd).map(([a, b, c]) => `${a}${b}${mark}${c}`);

/** The error of a call contains no secret, whatever the secret is and however it is passed. */
test('no error and no line of the log contains a secret of the connection or of an answer', async () => {
  const way = fc.constantFrom<(text: string) => Partial<ConnectionProps>>(
    (token) => ({ token }),
    (token) => {
      writeFileSync(join(folder, 'token'), token);
      return { token: { file: join(folder, 'token') } };
    },
    (password) => ({ basic: { username: 'a', password } }),
    (key) => ({ key, cert: 'x' }),
    (token) => ({ token, server: 'http://10.255.255.1:1' }),
    (token) => ({ token, proxy: 'http://127.0.0.1:1', server: 'https://127.0.0.1:1' }),
    (password) => ({ server: `https://a:${password}@127.0.0.1:1` }),
    (password) => ({ proxy: `http://a:${password}@127.0.0.1:1`, server: 'https://127.0.0.1:1' }),
  );
  const kinds = fc.constantFrom(...Object.keys(answers));
  await fc.assert(
    fc.asyncProperty(secret, way, kinds, async (text, how, kind) => {
      const error = await thrownBy(async () => {
        throw await call(connectionTo({ server: here, ...how(text) }), kind);
      });
      expect(everything(error)).not.toContain(mark);
    }),
    runs(300),
  );
});

test('no error about a kubeconfig contains a secret of it', async () => {
  const field = fc.constantFrom('token', 'password', 'client-key-data', 'client-certificate-data');
  const clusterField = fc.constantFrom('server', 'proxy-url');
  const breaks = fc.constantFrom<(text: string) => string>(
    (text) => text,
    (text) => `${text}\n  : [`,
    (text) => text.replace('"user":', '"user"'),
    (text) => text.replace(/"(token|password)":"/, '"$1":["'),
    (text) => text.slice(0, -5),
    (text) => `${text}\n---\n${text}`,
    (text) => text.replace('"clusters":[', '"clusters":7,"x":['),
  );
  await fc.assert(
    fc.asyncProperty(secret, field, clusterField, breaks, async (text, name, place, broken) => {
      const config = {
        'current-context': 'c',
        users: [{ name: 'u', user: { username: 'a', [name]: text } }],
        clusters: [{ name: 'k', cluster: { server: 'ftp://a', [place]: `https://a:${text}@b` } }],
        contexts: [{ name: 'c', context: { cluster: 'k', user: 'u' } }],
      };
      const kubeconfig = join(folder, 'config');
      writeFileSync(kubeconfig, broken(JSON.stringify(config)));
      const error = await thrownBy(async () => {
        const connection = await connectionFrom({ kubeconfig, environment: {} });
        throw await call(connection, 'empty');
      });
      expect(everything(error)).not.toContain(mark);
    }),
    runs(300),
  );
});
