import { afterEach, beforeEach, expect, test as always } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { downloadPrograms } from '../../controlplane/download.ts';
import { programs, versions } from '../../controlplane/programs.ts';

// The controllers are published for Linux only.
const test = process.platform === 'linux' ? always : always.skip;
const [{ minor }] = versions;
const platform = `linux-${process.arch === 'x64' ? 'amd64' : process.arch}`;

let folder: string;
let server: Server;
let root: string;
/** The content of the server, by path. */
let files: Map<string, string | Buffer>;
let messages: string[];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tenantry-download-'));
  mkdirSync(join(folder, 'into'));
  files = new Map();
  messages = [];
  server = createServer(({ url = '' }, response) => {
    const file = files.get(url);
    response.writeHead(file === undefined ? 404 : 200).end(file);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  root = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => {
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

const sha512 = (content: string | Buffer): string =>
  createHash('sha512').update(content).digest('hex');

/** Returns an archive as envtest packs it. */
function archive(): Buffer {
  const programs = join(folder, 'controller-tools', 'envtest');
  mkdirSync(programs, { recursive: true });
  for (const name of ['etcd', 'kube-apiserver', 'kubectl'])
    writeFileSync(join(programs, name), name);
  execFileSync('tar', ['-czf', 'archive.tar.gz', 'controller-tools'], { cwd: folder });
  return readFileSync(join(folder, 'archive.tar.gz'));
}

/** Two patches and a release candidate are published; the newer patch has the programs. */
function publish(hash?: string): void {
  const packed = archive();
  const name = `envtest-v${minor}.10-${platform}.tar.gz`;
  const links = { hash: hash ?? sha512(packed), selfLink: `${root}/envtest` };
  const releases = {
    [`v${minor}.2`]: {},
    [`v${minor}.10`]: { [name]: links },
    [`v${minor}.11-rc.0`]: {},
  };
  files.set('/index', JSON.stringify({ releases }));
  files.set('/envtest', packed);
  for (const program of ['kube-controller-manager', 'kube-scheduler']) {
    const path = `/v${minor}.10/bin/${platform.replace('-', '/')}/${program}`;
    files.set(path, program).set(`${path}.sha512`, `${sha512(program)}\n`);
  }
}

const download = (): Promise<string | undefined> =>
  downloadPrograms(
    join(folder, 'into'),
    { TENANTRY_ENVTEST_INDEX: `${root}/index`, TENANTRY_KUBERNETES_DOWNLOADS: root },
    (line) => messages.push(line),
  );

test('the latest patch is downloaded, and so are the controllers that envtest omits', async () => {
  publish();
  expect(await download()).toBeUndefined();
  const into = join(folder, 'into');
  expect(programs.map((program) => readFileSync(join(into, program), 'utf8'))).toEqual(programs);
  expect(messages[0]).toBe(
    `Kubernetes v${minor}.10: downloading what envtest and Kubernetes publish`,
  );
});

test('an archive that differs from the published one is rejected', async () => {
  publish('0'.repeat(128));
  expect(await download()).toMatch(
    /^no download: .*\/envtest must have the sha512 0{128}, got [0-9a-f]{128}$/,
  );
  expect(readdirSync(join(folder, 'into'))).toEqual([]);
});

test('a download that lacks a program leaves nothing behind', async () => {
  publish();
  files.delete(`/v${minor}.10/bin/${platform.replace('-', '/')}/kube-scheduler`);
  expect(await download()).toMatch(/kube-scheduler: HTTP 404$/);
  expect(readdirSync(join(folder, 'into'))).toEqual([]);
});
