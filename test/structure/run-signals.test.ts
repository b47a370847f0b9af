import { expect, test } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '@tenantry/testing/waiting/until';
import { root } from './tracked.ts';

/** A program that prints its process id and runs until it receives a signal. */
const program = 'console.log(process.pid); setInterval(() => {}, 1000);';

/** Returns whether a program that a shell runs by scripts/run.js still runs once that shell is gone. */
async function outlivesItsShell(environment: NodeJS.ProcessEnv): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'tenantry-run-'));
  const file = join(folder, 'program.mjs');
  writeFileSync(file, program);
  const line = `"${process.execPath}" "${join(root, 'scripts/run.js')}" "${file}"; :`;
  const shell = spawn('sh', ['-c', line], {
    env: environment,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [output] = (await once(shell.stdout, 'data')) as [Buffer];
  const pid = Number(output.toString());
  shell.kill('SIGTERM');
  const isGone = (): boolean => !isRunning(pid);
  const ended = await until('the program ends', isGone, { within: 4000 }).then(
    () => true,
    () => false,
  );
  if (!ended) process.kill(pid, 'SIGTERM');
  await until('nothing is left', isGone);
  rmSync(folder, { recursive: true });
  return !ended;
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test("a program started by npm ends with npm's shell, and one started by a plain shell may outlive it", async () => {
  const { npm_lifecycle_event: _, ...plain } = process.env;
  expect(await outlivesItsShell({ ...plain, npm_lifecycle_event: 'cluster' })).toBe(false);
  expect(await outlivesItsShell(plain)).toBe(true);
});
