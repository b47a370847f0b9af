import { expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const program = join(import.meta.dirname, 'up.ts');
const run = (...args: readonly string[]) =>
  spawnSync(process.execPath, [program, ...args], { encoding: 'utf8' });

test('npm run argocd prints its help', () => {
  expect(run('--help')).toMatchObject({
    status: 0,
    stdout: expect.stringContaining('stays until Ctrl-C'),
  });
});

test('npm run argocd rejects an unknown option in one line', () => {
  expect(run('--kep')).toMatchObject({
    status: 1,
    stderr: "tenantry: Unknown option '--kep' (see npm run argocd -- --help)\n",
  });
});
