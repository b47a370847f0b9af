import { expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFiles, root } from './tracked.ts';

const testFiles = projectFiles().filter((path) => path.endsWith('.test.ts'));

const textOf = (path: string): string => readFileSync(join(root, path), 'utf8');

test('a test with a control plane is in a folder of such tests', () => {
  const rooms = /^(?:test\/(argocd|attacks|cluster|examples)|packages\/testing\/test)\//;
  const clusterTests = testFiles.filter((path) =>
    /import \{[^}]*\b(sharedCluster|ownClusters)\b/.test(textOf(path)),
  );
  expect(clusterTests.length).toBeGreaterThan(20);
  expect(clusterTests.filter((path) => !rooms.test(path))).toEqual([]);
});

test('every file that is named property test generates its cases', () => {
  const named = testFiles.filter((path) => path.endsWith('.property.test.ts'));
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((path) => !textOf(path).includes("from 'fast-check'"))).toEqual([]);
});

test('watch mode needs a terminal', () => {
  const args = [join('scripts', 'test.ts'), '--watch'];
  const ended = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8', input: '' });
  expect(ended).toMatchObject({
    status: 1,
    stderr: 'tenantry: --watch must have a terminal, got none\n',
  });
});
