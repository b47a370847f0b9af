import { afterEach, beforeEach, expect } from '@jest/globals';
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../../../../scripts/steps.ts';
import { inLongRuns } from '@tenantry/test-tools/skipping';
import { ownClusters } from './shared.ts';
import { until } from '../../waiting/until.ts';

const { test } = await ownClusters();

/** Tests of the long run only: the short run shows that neither a killed process nor Ctrl-C leaves anything behind. */
const longTest = inLongRuns(test);

/** The folder for temporary files of the run. Its processes are recognized by this folder in their arguments. */
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tenantry-interrupted-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function run(...args: readonly string[]): ChildProcess {
  return spawn(process.execPath, [join(root, 'packages/testing/controlplane/up.ts'), ...args], {
    env: { ...process.env, TMPDIR: folder },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
}

/** Waits until the whole cluster is ready: the process then prints the path of its kubeconfig. */
async function started(child: ChildProcess): Promise<void> {
  const ending = once(child, 'exit').then(([code]) => {
    throw new Error(`the cluster must start, got exit ${code}`);
  });
  await Promise.race([once(child.stdout!, 'data'), ending]);
}

/** Returns the process id and command of every process that has the folder in its arguments. */
function processes(): { readonly pid: number; readonly command: string }[] {
  const all = execFileSync('ps', ['-A', '-ww', '-o', 'pid=,args='], { encoding: 'utf8' });
  return all
    .split('\n')
    .filter((line) => line.includes(folder))
    .map((line) => ({ pid: Number.parseInt(line, 10), command: line.trim() }));
}

const runs = (name: string) => (): boolean =>
  processes().some(({ command }) => command.includes(name));

async function expectNothingLeft(): Promise<void> {
  await until('no process is left', () => processes().length === 0);
}

test('a killed process takes its whole cluster with it', async () => {
  const killed = run();
  await started(killed);
  for (const name of ['etcd', 'kube-apiserver', 'kube-controller-manager', 'kube-scheduler']) {
    expect([name, runs(`/${name} `)()]).toEqual([name, true]);
  }
  expect(runs('pretend-node.ts')()).toBe(true);
  killed.kill('SIGKILL');
  await expectNothingLeft();
  await until('no folder is left', () => readdirSync(folder).length === 0);
});

longTest(
  'a process that is killed while its cluster starts also leaves nothing behind',
  async () => {
    const killed = run('--bare');
    await until('the API server starts', runs('/kube-apiserver '));
    killed.kill('SIGKILL');
    await expectNothingLeft();
    await until('no folder is left', () => readdirSync(folder).length === 0);
  },
);

test('SIGTERM to `npm run cluster` ends the cluster although the shell of npm does not forward the signal', async () => {
  const npm = spawn('npm', ['run', '--silent', 'cluster', '--', '--bare'], {
    cwd: root,
    env: { ...process.env, TMPDIR: folder },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  await started(npm);
  npm.kill('SIGTERM');
  await expectNothingLeft();
  await until('no folder is left', () => readdirSync(folder).length === 0);
});

test('Ctrl-C ends a cluster cleanly', async () => {
  const interrupted = run('--bare');
  await started(interrupted);
  interrupted.kill('SIGINT');
  expect(await once(interrupted, 'exit')).toEqual([0, null]);
  expect(processes()).toEqual([]);
  expect(readdirSync(folder)).toEqual([]);
});

// Only our own binaries ask the kernel for a signal when their parent dies.
if (process.platform === 'linux' && !process.env['KUBEBUILDER_ASSETS']) {
  longTest('a killed supervisor takes etcd and the API server with it', async () => {
    const orphaned = run('--bare');
    await started(orphaned);
    const supervisor = processes().find(({ command }) => command.includes('supervisor.ts'));
    process.kill(supervisor?.pid ?? Number.NaN, 'SIGKILL');
    await expectNothingLeft();
    orphaned.kill('SIGKILL');
  });
}
