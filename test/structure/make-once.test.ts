import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { makeOnce } from '../packages/make-once.ts';
import { root } from './tracked.ts';

let parent: string;
let folder: string;

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'tenantry-once-'));
  folder = join(parent, 'made');
});

afterEach(() => {
  rmSync(parent, { recursive: true, force: true });
});

/** Runs a test file's call in a process of its own and returns the signal that ended it. */
function makeInProcess(body: string): NodeJS.Signals | null {
  const file = join(parent, 'maker.ts');
  const once = pathToFileURL(join(root, 'test/packages/make-once.ts')).href;
  const line = `makeOnce(${JSON.stringify(folder)}, () => { ${body} });\n`;
  writeFileSync(file, `import { makeOnce } from ${JSON.stringify(once)};\n${line}`);
  return spawnSync(process.execPath, [file]).signal;
}

test('what a killed worker has left half made is made by the next one', () => {
  expect(makeInProcess("process.kill(process.pid, 'SIGKILL'); return true;")).toBe('SIGKILL');
  let times = 0;
  const make = (): boolean => (times += 1) > 0;
  expect([makeOnce(folder, make), makeOnce(folder, make), times]).toEqual([true, true, 1]);
});

test('a failure is everybody’s, and nobody tries again', () => {
  const mark = join(parent, 'second');
  expect(makeInProcess('return false;')).toBeNull();
  expect(makeOnce(folder, () => (writeFileSync(mark, ''), true))).toBe(false);
  expect(existsSync(mark)).toBe(false);
});
