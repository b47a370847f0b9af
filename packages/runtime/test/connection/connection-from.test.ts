import { KubeConfig as ClientNodeConfig } from '@kubernetes/client-node';
import { afterAll, beforeEach, expect, test } from '@jest/globals';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { RequestOptions } from 'node:https';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { VirtualClock } from '@tenantry/testing/clock/virtual-clock';
import { connectionFrom, connectInCluster } from '../../connection/connection-from.ts';
import { connectViaClientNode } from '../../connection/user-credentials.ts';
import { resolveContext, mergeKubeconfigs } from '../../connection/kubeconfig.ts';
import { connectionTo } from '../../connection/connection.ts';
import { newPair } from '../webhooks/served.ts';

const root = mkdtempSync(join(tmpdir(), 'tenantry-connection-'));
afterAll(() => rmSync(root, { recursive: true }));

let folder = root;
beforeEach(() => {
  folder = mkdtempSync(join(root, 'case-'));
});

/** Writes a file in the test's folder, and returns its path. */
function file(name: string, text: string): string {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

const pem = (what: string): string => `-----BEGIN ${what}-----\nYQ==\n-----END ${what}-----\n`;
const base64 = (text: string): string => Buffer.from(text).toString('base64');

interface Parts {
  readonly cluster?: object;
  readonly user?: object | null;
  readonly context?: object;
  readonly current?: string | null;
}

const kubeconfigOf = ({ cluster, user = {}, context, current = 'c' }: Parts): string =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    preferences: {},
    clusters: [{ name: 'k', cluster: { server: 'https://a:6443', ...cluster } }],
    users: [{ name: 'u', user }],
    contexts: [{ name: 'c', context: { cluster: 'k', user: 'u', ...context } }],
    'current-context': current,
  });

const environment = {};
const connected = (parts: Parts) =>
  connectionFrom({ kubeconfig: file('config', kubeconfigOf(parts)), environment });
const authorized = async (parts: Parts) => (await connected(parts)).authorize();

test('a kubeconfig sets the server, the namespace, the proxy and the name of the certificate', async () => {
  const cluster = {
    'proxy-url': 'http://p:1',
    'tls-server-name': 'api',
    'certificate-authority-data': base64(pem('CERTIFICATE')),
  };
  const connection = await connected({ cluster, context: { namespace: 'shop' } });
  expect(connection).toMatchObject({
    server: 'https://a:6443',
    namespace: 'shop',
    proxy: 'http://p:1',
    isInsecure: false,
  });
  expect(await connection.authorize()).toEqual({
    headers: {},
    tls: { ca: pem('CERTIFICATE'), servername: 'api' },
  });
});

test('the proxy of the environment applies if the kubeconfig sets none', async () => {
  const environment = { HTTPS_PROXY: 'http://e:1', NO_PROXY: '10.0.0.0/8' };
  const proxyOf = async (cluster: object) => {
    const kubeconfig = file('config', kubeconfigOf({ cluster }));
    return (await connectionFrom({ kubeconfig, environment })).proxy;
  };
  expect(await proxyOf({})).toBe('http://e:1');
  expect(await proxyOf({ server: 'https://10.0.0.1:6443' })).toBeUndefined();
  expect(await proxyOf({ server: 'https://10.0.0.1', 'proxy-url': 'http://p:1' })).toBe(
    'http://p:1',
  );
});

test('a connection reports that the certificate of its cluster is not checked', async () => {
  const connection = await connected({ cluster: { 'insecure-skip-tls-verify': true } });
  expect(connection.isInsecure).toBe(true);
  expect((await connection.authorize()).tls).toEqual({ rejectUnauthorized: false });
});

const impersonation = { as: 'b', 'as-uid': '7', 'as-groups': ['x', 'y'] };

test.each([
  ['a token', { token: 't' }, { authorization: 'Bearer t' }],
  ['a password', { username: 'a', password: 'b:c' }, { authorization: `Basic ${base64('a:b:c')}` }],
  [
    'somebody else',
    { token: 't', ...impersonation, 'as-user-extra': { 'a/b': ['1', '2'] } },
    {
      authorization: 'Bearer t',
      'Impersonate-User': 'b',
      'Impersonate-Uid': '7',
      'Impersonate-Group': ['x', 'y'],
      'Impersonate-Extra-a%2Fb': ['1', '2'],
    },
  ],
  ['nobody', null, {}],
])('a user may be %s', async (_, user, headers) => {
  expect(await authorized({ user })).toEqual({ headers, tls: {} });
});

test('data overrides files, a token file overrides the token, and paths are relative to the kubeconfig', async () => {
  file('pki/cert.pem', pem('CERT FILE'));
  file('pki/key.pem', pem('KEY FILE'));
  file('pki/token', ' from-file\n');
  const files = {
    'client-certificate': 'pki/cert.pem',
    'client-key': join(folder, 'pki/key.pem'),
    tokenFile: './pki/token',
    token: 'inline',
  };
  expect(await authorized({ user: files })).toEqual({
    headers: { authorization: 'Bearer from-file' },
    tls: { cert: pem('CERT FILE'), key: pem('KEY FILE') },
  });
  const data = {
    'client-certificate-data': base64(pem('CERT')),
    'client-key-data': base64(pem('KEY')),
  };
  expect((await authorized({ user: { ...files, ...data } })).tls).toEqual({
    cert: pem('CERT'),
    key: pem('KEY'),
  });
});

test('changed files are read again after a minute, or after a refusal', async () => {
  const path = file('token', 'one');
  const clock = new VirtualClock();
  const kubeconfig = file('config', kubeconfigOf({ user: { tokenFile: 'token' } }));
  const connection = await connectionFrom({ kubeconfig, clock, environment });
  const token = async (isRefused = false): Promise<unknown> =>
    (await connection.authorize({ isRefused })).headers['authorization'];
  expect(await token()).toBe('Bearer one');
  file('token', 'two');
  await clock.advance(59_999);
  expect(await token()).toBe('Bearer one');
  await clock.advance(1);
  expect(await token()).toBe('Bearer two');
  file('token', 'three');
  expect(await token(true)).toBe('Bearer three');
  rmSync(path);
  await clock.advance(60_000);
  expect(await token()).toBe('Bearer three');
  file('token', ' \n');
  await clock.advance(60_000);
  expect(await token(true)).toBe('Bearer three');
  file('token', 'four');
  expect(await token()).toBe('Bearer four');
});

test('a file that is empty on the first read is read again on the next', async () => {
  const path = file('token', '\n');
  const connection = await connected({ user: { tokenFile: 'token' } });
  await expect(connection.authorize()).rejects.toThrow(`${path} must hold something, got nothing`);
  file('token', 'one');
  expect((await connection.authorize()).headers['authorization']).toBe('Bearer one');
});

test.each(['a\nb', 'a\r\n b', 'ä', '\u0000'])('a token such as %j is refused', async (token) => {
  const wrong = connectionTo({ server: 'https://a', token });
  await expect(wrong.authorize()).rejects.toThrow('token must hold one token, got line breaks');
});

test('a certificate and a key that are written one after the other are loaded once they match', async () => {
  const [a, b] = [newPair(), newPair()];
  const clock = new VirtualClock();
  file('cert', a.certificate);
  file('key', a.key);
  const where = { 'client-certificate': 'cert', 'client-key': 'key' };
  const kubeconfig = file('config', kubeconfigOf({ user: where }));
  const connection = await connectionFrom({ kubeconfig, clock, environment });
  const key = async (): Promise<unknown> => (await connection.authorize()).tls.key;
  expect(await key()).toBe(a.key);
  await clock.advance(30_000);
  file('cert', b.certificate);
  await clock.advance(30_000);
  expect(await key()).toBe(a.key);
  expect((await connection.authorize()).tls.cert).toBe(a.certificate);
  file('key', b.key);
  expect(await key()).toBe(b.key);
  expect((await connection.authorize()).tls.cert).toBe(b.certificate);
});

test('a kubeconfig that is a folder is reported with its path', async () => {
  await expect(connectionFrom({ kubeconfig: folder, environment })).rejects.toThrow(
    `${folder} must be a kubeconfig that can be read, got EISDIR`,
  );
});

test('a missing file is reported when it is needed', async () => {
  const connection = await connected({ user: { tokenFile: 'gone' } });
  await expect(connection.authorize()).rejects.toThrow('ENOENT');
});

const broken: [string, Parts, string][] = [
  ['no context', { current: null }, 'current-context must name a context, got nothing'],
  ['a missing context', { current: 'x' }, `contexts must have 'x', got c`],
  [
    'a missing cluster',
    { context: { cluster: 'x' } },
    `contexts['c'].context.cluster must name a cluster, got 'x'`,
  ],
  [
    'a missing user',
    { context: { user: 'x' } },
    `contexts['c'].context.user must name a user, got 'x'`,
  ],
  [
    'data that is not PEM',
    { user: { 'client-key-data': 'eHl6' } },
    'client-key-data must be PEM in base64, got something else',
  ],
  [
    'a server that is not a URL',
    { cluster: { server: 'a:6443' } },
    `clusters[].cluster.server must be a URL such as 'https://10.0.0.1:6443', got 'a:6443'`,
  ],
  [
    'a proxy of another kind',
    { cluster: { 'proxy-url': 'socks5://p' } },
    `clusters[].cluster.proxy-url must be a URL such as 'http://proxy:3128', as SOCKS is not supported, got 'socks5://p'`,
  ],
  [
    'groups of nobody',
    { user: { 'as-groups': ['x'] } },
    'users[].user.as must be set with as-uid, as-groups, as-user-extra',
  ],
];

test.each(broken)('a kubeconfig with %s is refused with its path', async (_, parts, message) => {
  await expect(connected(parts)).rejects.toThrow(`${join(folder, 'config')} ${message}`);
});

test('all errors in the text of a kubeconfig are reported together, with line and column', async () => {
  const text = [
    'clusters:',
    '- name: k',
    '  cluster: {}',
    'users:',
    '- name: u',
    '  user: {token: [a]}',
    'somebody-elses-field: 1',
    '',
  ].join('\n');
  const path = file('config', text);
  const failed = connectionFrom({ kubeconfig: path, environment });
  await expect(failed).rejects.toMatchObject({
    name: 'InvalidInput',
    problems: [
      { file: path, line: 3, path: 'clusters[0].cluster.server' },
      { file: path, line: 6, column: 17, path: 'users[0].user.token' },
    ],
  });
  const second = file('other', 'a: {\n');
  const both = connectionFrom({ environment: { KUBECONFIG: [path, second].join(delimiter) } });
  await expect(both).rejects.toMatchObject({ problems: { length: 3 } });
});

test('a kubeconfig must be one document', async () => {
  const kubeconfig = file('config', 'users: []\n---\nusers: []\n');
  await expect(connectionFrom({ kubeconfig, environment })).rejects.toThrow(
    `${kubeconfig}:3:1 must be one document, got several`,
  );
});

test('of several kubeconfigs the first one with a name counts, and a missing file is skipped', async () => {
  const first = file('one/config', 'current-context: c\nclusters: null\nusers: null\n');
  const second = file('two/config', kubeconfigOf({ user: { tokenFile: 'token' }, current: 'x' }));
  file('two/token', 'of two');
  const third = file(
    'three/config',
    kubeconfigOf({ cluster: { server: 'https://late' }, current: 'y' }),
  );
  const paths = [join(folder, 'gone'), first, second, third];
  const connection = await connectionFrom({ environment: { KUBECONFIG: paths.join(delimiter) } });
  expect(connection.server).toBe('https://a:6443');
  expect((await connection.authorize()).headers).toEqual({ authorization: 'Bearer of two' });
});

test.each(['kubeconfig', 'KUBECONFIG'])('a missing %s is reported', async (way) => {
  const path = join(folder, 'gone');
  const options =
    way === 'kubeconfig'
      ? { kubeconfig: path, environment }
      : { environment: { KUBECONFIG: path } };
  await expect(connectionFrom(options)).rejects.toThrow(
    `${path} must be a kubeconfig, got no such file`,
  );
});

const pod = { KUBERNETES_SERVICE_HOST: '10.0.0.1', KUBERNETES_SERVICE_PORT: '443' };

/** Returns the server that connectionFrom selects when all of these sources exist. */
async function taken(ways: readonly string[]): Promise<string> {
  const at = (server: string, path: string): string =>
    file(path, kubeconfigOf({ cluster: { server: `https://${server}` } }));
  const explicit = at('explicit', 'explicit');
  const listed = at('listed', 'listed');
  at('home', 'home/.kube/config');
  try {
    const { server } = await connectionFrom({
      ...(ways.includes('explicit') && { kubeconfig: explicit }),
      ...(ways.includes('context') && { context: 'c' }),
      environment: {
        ...(ways.includes('listed') && { KUBECONFIG: listed }),
        ...(ways.includes('pod') && pod),
      },
      home: join(folder, ways.includes('home') ? 'home' : 'nobody'),
    });
    return server;
  } catch (error) {
    return (error as Error).message;
  }
}

test.each([
  [['explicit', 'listed', 'pod', 'home'], 'https://explicit'],
  [['listed', 'pod', 'home'], 'https://listed'],
  [
    ['pod', 'home'],
    expect.stringContaining('/serviceaccount/token must hold the token of the pod'),
  ],
  [['context', 'pod', 'home'], 'https://home'],
  [['home'], 'https://home'],
  [
    [],
    expect.stringContaining('no cluster is configured: pass a kubeconfig, set KUBECONFIG, write'),
  ],
])('of %j the first is selected', async (ways, server) => {
  expect(await taken(ways)).toEqual(server);
});

test('in a pod the mounted files identify the account, and are read again', async () => {
  const clock = new VirtualClock();
  file('token', 'one\n');
  file('ca.crt', pem('CERTIFICATE'));
  file('namespace', 'shop');
  const connection = await connectInCluster(
    { ...pod, KUBERNETES_SERVICE_HOST: 'fd00::1' },
    clock,
    folder,
  );
  expect(connection).toMatchObject({ server: 'https://[fd00::1]:443', namespace: 'shop' });
  expect(await connection.authorize()).toEqual({
    headers: { authorization: 'Bearer one' },
    tls: { ca: pem('CERTIFICATE') },
  });
  file('token', 'two\n');
  await clock.advance(60_000);
  expect((await connection.authorize()).headers['authorization']).toBe('Bearer two');
  await expect(connectInCluster({}, clock, folder)).rejects.toThrow(
    'must be set, as they are in pods',
  );
});

/** Loading client-node takes seconds on a busy machine. */
const patience = 60_000;

test(
  'the token of a provider is used',
  async () => {
    const part = (value: object): string =>
      Buffer.from(JSON.stringify(value)).toString('base64url');
    const token = `${part({ alg: 'none' })}.${part({ exp: 9_999_999_999 })}.`;
    const config = { 'id-token': token, 'client-id': 'a', 'idp-issuer-url': 'https://b' };
    const user = { 'auth-provider': { name: 'oidc', config } };
    expect((await authorized({ user })).headers).toEqual({ Authorization: `Bearer ${token}` });
  },
  patience,
);

test('a provider serves one call at a time, since two calls would use the same refresh token', async () => {
  let asked = 0;
  class KubeConfig extends ClientNodeConfig {
    override async applyToHTTPSOptions(options: RequestOptions): Promise<void> {
      asked += 1;
      await Promise.resolve();
      options.headers = { Authorization: 'Bearer a' };
    }
  }
  const text = kubeconfigOf({ user: { 'auth-provider': { name: 'oidc' } } });
  const chosen = resolveContext(mergeKubeconfigs([{ file: '/a/config', text }]));
  const load = () => Promise.resolve({ KubeConfig });
  const connection = await connectViaClientNode(chosen, new VirtualClock(), load);
  const all = await Promise.all(Array.from({ length: 5 }, () => connection.authorize()));
  expect(all.map(({ headers }) => headers['Authorization'])).toEqual(all.map(() => 'Bearer a'));
  expect(asked).toBe(1);
  await connection.authorize();
  expect(asked).toBe(2);
});

test('without client-node the error of a provider names the package to install', async () => {
  const text = kubeconfigOf({ user: { 'auth-provider': {} } });
  const chosen = resolveContext(mergeKubeconfigs([{ file: '/a/config', text }]));
  const missing = () => Promise.reject(new Error('ERR_MODULE_NOT_FOUND'));
  await expect(connectViaClientNode(chosen, new VirtualClock(), missing)).rejects.toThrow(
    `/a/config gives the user 'u' credentials by auth-provider, for which a package must be installed: npm install @kubernetes/client-node@^2.0.0`,
  );
});
