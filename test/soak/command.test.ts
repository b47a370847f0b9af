import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';

const root = join(import.meta.dirname, '..', '..');

function soak(...args: string[]): { status: number | null; stdout: string; stderr: string } {
  const all = [join('scripts', 'soak.ts'), ...args];
  return spawnSync(process.execPath, all, { cwd: root, encoding: 'utf8' });
}

test('the soak prints its help and options without starting anything', () => {
  const { status, stdout, stderr } = soak('--help');
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/^npm run test:soak -- \[options\]\n/);
  for (const option of ['--minutes', '--seed', '--help']) expect(stdout).toContain(option);
});

test.each([
  [['--minutes', '0'], "--minutes must be a number above 0, got '0'"],
  [['--minutes', 'long'], "--minutes must be a number above 0, got 'long'"],
  [['--seed', '1.5'], "--seed must be a whole number from 0 on, got '1.5'"],
  [['--seed=-1'], "--seed must be a whole number from 0 on, got '-1'"],
  [['--hours', '3'], "Unknown option '--hours'"],
])('%j is rejected in one line', (args, message) => {
  const { status, stdout, stderr } = soak(...args);
  expect([status, stdout]).toEqual([1, '']);
  expect(stderr.split('\n')[0]).toContain(`tenantry: ${message}`);
  expect(stderr).not.toContain('    at ');
});
