import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { root } from '../../../../scripts/steps.ts';
import { findBinaries } from '../../controlplane/binaries.ts';
import { cacheEntry } from '../../controlplane/cache.ts';
import { FakeGo } from './fake-go.ts';
import { programs, type Program } from '../../controlplane/programs.ts';
import { until } from '../../waiting/until.ts';

let folder: string;
let go: FakeGo;
let messages: string[];
const report = (line: string): void => {
  messages.push(line);
};

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tenantry-binaries-'));
  go = new FakeGo(folder);
  messages = [];
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Starts a separate run, as if from another terminal. */
function run(): ChildProcess {
  const file = join(root, 'packages/testing/controlplane/install.ts');
  return spawn(process.execPath, [file], { env: go.env, stdio: ['ignore', 'pipe', 'pipe'] });
}

function assetsOf(...some: readonly Program[]): string {
  const assets = join(folder, 'assets');
  mkdirSync(assets);
  for (const program of some) writeFileSync(join(assets, program), '', { mode: 0o755 });
  return assets;
}

const lastOf = (path: string): string => readFileSync(path, 'utf8');

test('KUBEBUILDER_ASSETS comes first, and no other source is tried', async () => {
  const assets = assetsOf(...programs);
  const env = { ...go.env, KUBEBUILDER_ASSETS: assets };
  const { binaries } = await findBinaries({ env, report });
  expect(binaries?.etcd).toBe(join(assets, 'etcd'));
  expect(messages).toEqual([`Kubernetes: from KUBEBUILDER_ASSETS, ${assets}`]);
  expect(go.builds()).toEqual([]);
});

test('without it a download is tried, then a Go build, and afterwards the cache is used', async () => {
  const { binaries } = await findBinaries({ env: go.env, report });
  const entry = cacheEntry(go.env);
  expect(binaries?.['kube-scheduler']).toBe(join(entry, 'kube-scheduler'));
  expect(lastOf(join(entry, 'kube-scheduler'))).toBe('whole');
  expect(messages).toEqual([
    expect.stringMatching(/^Kubernetes [\d.]+: no download: http:\/\/127.0.0.1:1\/.*$/),
    expect.stringMatching(/^Kubernetes [\d.]+: building it with Go, which takes minutes/),
    expect.stringMatching(/^Kubernetes [\d.]+: built in \d+ s$/),
  ]);
  messages = [];
  expect(await findBinaries({ env: go.env, report })).toEqual({ binaries });
  expect(messages).toEqual([expect.stringContaining(`: from the cache, ${entry}`)]);
  expect(go.builds()).toHaveLength(1);
});

test('programs that KUBEBUILDER_ASSETS lacks come from the next source', async () => {
  const assets = assetsOf('etcd', 'kube-apiserver');
  const env = { ...go.env, KUBEBUILDER_ASSETS: assets };
  const { binaries } = await findBinaries({ env, report });
  expect(binaries?.['kube-apiserver']).toBe(join(assets, 'kube-apiserver'));
  expect(binaries?.['kube-scheduler']).toBe(join(cacheEntry(env), 'kube-scheduler'));
  expect(messages[0]).toMatch(/assets, which lacks kube-controller-manager, kube-scheduler$/);
});

test('without a network and Go there is a reason, which is an error in a pipeline', async () => {
  const env = { ...go.env, PATH: join(folder, 'nothing') };
  const found = await findBinaries({ env, report });
  expect(found.reason).toMatch(/^no Kubernetes .*: no download: .*; there is no `go` in the PATH$/);
  await expect(findBinaries({ env: { ...env, CI: 'true' }, report })).rejects.toThrow(found.reason);
});

test('a failed build leaves nothing behind, and its output is the reason', async () => {
  go.set('fails');
  const { reason } = await findBinaries({ env: go.env, report });
  expect(reason).toMatch(/go build failed \(exit 1\): main.go:1: it must build, got errors$/);
  expect(readdirSync(dirname(cacheEntry(go.env)))).toEqual([]);
});

test('of two runs at once one builds, and the other reports that it waits', async () => {
  go.set('waits');
  const first = run();
  await until('the first builds', () => go.builds().length === 1);
  const second = run();
  let words = '';
  second.stderr?.on('data', (chunk) => {
    words += String(chunk);
  });
  await until('the second waits', () =>
    words.includes(`process ${first.pid} is getting the same programs; waiting for it`),
  );
  go.set('go-on');
  const ends = await Promise.all([once(first, 'exit'), once(second, 'exit')]);
  expect(ends.map(([code]) => code as number)).toEqual([0, 0]);
  expect(go.builds()).toHaveLength(1);
});

test('after a killed build there is no cache entry, and the next run builds', async () => {
  go.set('waits');
  const killed = run();
  const [build = 0] = await until('it builds', () => {
    const builds = go.builds();
    return builds.length > 0 && builds;
  });
  killed.kill('SIGKILL');
  await once(killed, 'exit');
  process.kill(build, 'SIGKILL');
  const entry = cacheEntry(go.env);
  expect(existsSync(entry)).toBe(false);

  go.set('go-on');
  const next = run();
  const [output] = await Promise.all([text(next.stdout!), once(next, 'exit')]);
  expect(JSON.parse(output)).toMatchObject({ binaries: { etcd: join(entry, 'etcd') } });
  expect(lastOf(join(entry, 'etcd'))).toBe('whole');
  expect(readdirSync(dirname(entry))).toEqual([entry.slice(dirname(entry).length + 1)]);
});
