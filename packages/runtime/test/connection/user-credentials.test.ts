import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from '@jest/globals';
import type { Connection } from '../../connection/connection.ts';
import { connectionFrom } from '../../connection/connection-from.ts';
import { VirtualClock } from '@tenantry/testing/clock/virtual-clock';
import { until } from '@tenantry/testing/waiting/until';

const root = mkdtempSync(join(tmpdir(), 'tenantry-program-'));
afterAll(() => rmSync(root, { recursive: true }));

let folder = root;
beforeEach(() => {
  folder = mkdtempSync(join(root, 'case-'));
});

const apiVersion = 'client.authentication.k8s.io/v1';
const secret = 'S3cr3t-of-the-program';

const credentialOf = (status: object, of: object = {}): string =>
  JSON.stringify({ apiVersion, kind: 'ExecCredential', status, ...of });

/** A program of these lines, which counts its runs. */
function program(...lines: readonly string[]): { readonly command: string; count(): number } {
  const counter = join(folder, 'asked');
  const path = join(folder, 'bin', 'plugin');
  mkdirSync(join(folder, 'bin'), { recursive: true });
  const count = `require('node:fs').appendFileSync(${JSON.stringify(counter)}, '.');`;
  writeFileSync(path, [`#!${process.execPath}`, count, ...lines].join('\n'));
  chmodSync(path, 0o755);
  return {
    command: './bin/plugin',
    count: () => (existsSync(counter) ? readFileSync(counter, 'utf8').length : 0),
  };
}

/** A program that writes a text. */
const writing = (text: string) => program(`process.stdout.write(${JSON.stringify(text)});`);

function connected(
  exec: object,
  { clock = new VirtualClock(), user = {} }: { clock?: VirtualClock; user?: object } = {},
): Promise<Connection> {
  const ca = '-----BEGIN CERTIFICATE-----\nYQ==\n-----END CERTIFICATE-----\n';
  const cluster = {
    server: 'https://a:6443',
    'certificate-authority-data': Buffer.from(ca).toString('base64'),
  };
  const config = {
    clusters: [{ name: 'k', cluster }],
    users: [{ name: 'u', user: { exec: { apiVersion, ...exec }, ...user } }],
    contexts: [{ name: 'c', context: { cluster: 'k', user: 'u' } }],
    'current-context': 'c',
  };
  const kubeconfig = join(folder, 'config');
  writeFileSync(kubeconfig, JSON.stringify(config));
  return connectionFrom({ kubeconfig, clock, environment: { OUTER: 'outer' } });
}

const headersOf = async (connection: Connection, isRefused = false) =>
  (await connection.authorize({ isRefused })).headers;

test('a program returns a token and a certificate, and runs again after a refusal', async () => {
  const status = {
    token: 'given\n',
    clientCertificateData: 'CERT',
    clientKeyData: 'KEY',
    expirationTimestamp: null,
  };
  const { command, count } = writing(credentialOf(status));
  const connection = await connected({ command, args: null, env: null }, { user: { as: 'b' } });
  const expected = {
    headers: { authorization: 'Bearer given', 'Impersonate-User': 'b' },
    tls: { ca: expect.stringContaining('BEGIN'), cert: 'CERT', key: 'KEY' },
  };
  expect(await connection.authorize()).toEqual(expected);
  expect(await connection.authorize()).toEqual(expected);
  expect(count()).toBe(1);
  expect(await connection.authorize({ isRefused: true })).toEqual(expected);
  expect(count()).toBe(2);
});

test('a program gets its arguments, its variables and the expected version, and neither input nor a terminal', async () => {
  const { command } = program(
    `const { OUTER, INNER, KUBERNETES_EXEC_INFO } = process.env;`,
    `const input = require('node:fs').readFileSync(0, 'utf8');`,
    `const received = [OUTER, INNER, KUBERNETES_EXEC_INFO, input, process.stdin.isTTY, ...process.argv.slice(2)];`,
    `const token = Buffer.from(JSON.stringify(received)).toString('base64');`,
    `const status = { token };`,
    `console.log(JSON.stringify({ apiVersion: '${apiVersion}', kind: 'ExecCredential', status }));`,
  );
  const env = [{ name: 'INNER', value: 'inner' }];
  const connection = await connected({ command, args: ['get', 'token'], env });
  const { authorization = '' } = await headersOf(connection);
  const received = Buffer.from(String(authorization).replace('Bearer ', ''), 'base64').toString();
  const info = { apiVersion, kind: 'ExecCredential', spec: { interactive: false } };
  expect(JSON.parse(received)).toEqual([
    'outer',
    'inner',
    JSON.stringify(info),
    '',
    null,
    'get',
    'token',
  ]);
});

test('a credential is used until it expires', async () => {
  const clock = new VirtualClock();
  const expirationTimestamp = new Date(clock.date().getTime() + 60_000).toISOString();
  const { command, count } = writing(credentialOf({ token: 'a', expirationTimestamp }));
  const connection = await connected({ command }, { clock });
  await headersOf(connection);
  await clock.advance(59_999);
  await headersOf(connection);
  expect(count()).toBe(1);
  await clock.advance(1);
  await headersOf(connection);
  expect(count()).toBe(2);
});

test('a refused credential is not used again, even if the program fails from then on', async () => {
  const { command, count } = program(
    `const isFirst = !require('node:fs').existsSync(${JSON.stringify(join(folder, 'first'))});`,
    `require('node:fs').writeFileSync(${JSON.stringify(join(folder, 'first'))}, '');`,
    `if (isFirst) console.log(${JSON.stringify(credentialOf({ token: 'a' }))});`,
    `process.exitCode = isFirst ? 0 : 1;`,
  );
  const connection = await connected({ command });
  await headersOf(connection);
  await expect(headersOf(connection, true)).rejects.toThrow('ended with 1');
  await expect(headersOf(connection)).rejects.toThrow('ended with 1');
  expect(count()).toBe(3);
});

test('a program runs once, however many calls wait for it', async () => {
  const { command, count } = writing(credentialOf({ token: 'a' }));
  const connection = await connected({ command });
  await Promise.all(Array.from({ length: 10 }, (_, i) => headersOf(connection, i % 2 === 0)));
  expect(count()).toBe(1);
});

const useless: [string, string, string][] = [
  ['junk', `{"token": "${secret}" oops`, 'the output must be JSON, got something else'],
  ['nothing', '', 'the output must be JSON, got something else'],
  ['null', 'null', `the output must be an ExecCredential of ${apiVersion}, got something else`],
  [
    'another version',
    credentialOf({ token: secret }, { apiVersion: 'client.authentication.k8s.io/v1beta1' }),
    `the output must be an ExecCredential of ${apiVersion}, got something else`,
  ],
  [
    'another kind',
    credentialOf({ token: secret }, { kind: 'TokenRequest' }),
    `the output must be an ExecCredential of ${apiVersion}, got something else`,
  ],
  ['no status', credentialOf({}, { status: null }), 'status must have a token, or'],
  ['an empty token', credentialOf({ token: ' ' }), 'status must have a token, or'],
  ['a token of another type', credentialOf({ token: [secret] }), 'status must have a token, or'],
  [
    'a key alone',
    credentialOf({ token: 'a', clientKeyData: secret }),
    'status must have clientCertificateData and clientKeyData, got one of them',
  ],
  [
    'a certificate alone',
    credentialOf({ token: 'a', clientCertificateData: secret }),
    'status must have clientCertificateData and clientKeyData, got one of them',
  ],
  [
    'a time that is not a time',
    credentialOf({ token: secret, expirationTimestamp: 'soon' }),
    'status.expirationTimestamp must be a time of RFC 3339, got something else',
  ],
];

test.each(useless)('a program that returns %s is reported, without its output', async (...row) => {
  const [, output, message] = row;
  const { command, count } = writing(output);
  const connection = await connected({ command });
  const error = await connection.authorize().catch((error: unknown) => error as Error);
  expect(error).toMatchObject({
    message: expect.stringContaining(`${join(folder, 'bin', 'plugin')}: ${message}`),
  });
  expect(printable(error)).not.toContain(secret);
  await connection.authorize().catch(() => undefined);
  expect(count()).toBe(2);
});

/** Returns everything that a log could print of an error. */
function printable(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return `${error.message} ${error.stack} ${printable(error.cause)}`;
}

test('a failing program is reported with the last line of its standard error, and without its output', async () => {
  const { command } = program(
    `process.stdout.write('${secret}');`,
    `console.error('first\\nsign in with: cloud login\\n');`,
    `process.exitCode = 3;`,
  );
  const connection = await connected({ command });
  const error = await connection.authorize().catch((error: unknown) => error as Error);
  expect((error as Error).message).toBe(
    `${join(folder, 'bin', 'plugin')} ended with 3: sign in with: cloud login`,
  );
  expect(printable(error)).not.toContain(secret);
});

test('a hanging program is killed after a minute, without waiting for its child processes', async () => {
  const clock = new VirtualClock();
  const { command, count } = program(
    `console.error('waiting for you to sign in');`,
    `require('node:fs').writeFileSync(${JSON.stringify(join(folder, 'pid'))}, String(process.pid));`,
    `require('node:child_process').spawn(process.execPath, ['-e', 'setTimeout(() => {}, 3000)'], { stdio: 'inherit' });`,
    `setInterval(() => {}, 1000);`,
  );
  const connection = await connected({ command }, { clock });
  const failed = connection.authorize().catch((error: unknown) => error as Error);
  const pid = await until('it runs', pidOf);
  await clock.advance(60_000);
  expect(await failed).toMatchObject({
    message: expect.stringContaining('has not ended in 60000 ms'),
  });
  await until('it is gone', () => !isRunning(pid));
  expect([count(), clock.waiting]).toEqual([1, 0]);
});

/** Returns the process id that the program has written; false while the file is empty. */
function pidOf(): number | false {
  return Number(readFileSync(join(folder, 'pid'), 'utf8')) || false;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

test('a program that writes endlessly is killed', async () => {
  const { command } = program(
    `const write = () => process.stdout.write('x'.repeat(65536), write);`,
    `write();`,
  );
  const connection = await connected({ command });
  await expect(connection.authorize()).rejects.toThrow(
    'must write a credential, got 1048576 characters',
  );
});

test('a missing program is reported with its install hint', async () => {
  const connection = await connected({ command: './gone', installHint: 'brew install gone\n' });
  const path = join(folder, 'gone');
  await expect(connection.authorize()).rejects.toThrow(
    `${path} cannot be run: spawn ${path} ENOENT: brew install gone`,
  );
});

test.each([
  [
    { apiVersion: 'client.authentication.k8s.io/v1alpha1', command: 'a' },
    `users[].user.exec.apiVersion must be one of ${apiVersion}, ${apiVersion}beta1, got 'client.authentication.k8s.io/v1alpha1'`,
  ],
  [{ command: '' }, 'users[].user.exec.command must be a program, got nothing'],
  [
    { command: 'a', interactiveMode: 'Always' },
    'users[].user.exec.interactiveMode must be Never or IfAvailable, as there is no terminal, got Always',
  ],
])('a kubeconfig with %j for its program is refused', async (exec, message) => {
  await expect(connected(exec)).rejects.toThrow(message);
});
