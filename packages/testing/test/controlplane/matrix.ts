/**
 * `npm run test:matrix`: runs the tests that use a control plane on every version in programs.ts, one after another.
 * Arguments are passed to jest; `npm run test:matrix -- packages/runtime/test` runs others.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from '../../../../scripts/steps.ts';
import { versions } from '../../controlplane/programs.ts';

const given = process.argv.slice(2);
const jest = join(root, 'node_modules', 'jest', 'bin', 'jest.js');
const flags = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
const args = [
  ...flags,
  jest,
  ...(given.length > 0 ? given : ['packages/testing/test', 'test/cluster', 'test/attacks']),
];

const failed = versions.filter(({ minor, version }) => {
  console.error(`\n== Kubernetes ${version}`);
  const env = { ...process.env, TENANTRY_KUBERNETES: minor };
  return spawnSync(process.execPath, args, { cwd: root, env, stdio: 'inherit' }).status !== 0;
});
const names = failed.map(({ version }) => version).join(', ');
console.error(
  `\n${versions.length - failed.length} versions passed, ${failed.length} failed ${names}`,
);
if (failed.length > 0) process.exitCode = 1;
