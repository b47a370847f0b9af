import { expect } from '@jest/globals';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { packed } from '@tenantry/test-tools/packages/packed';
import { root } from '@tenantry/test-tools/structure/tracked';
import { ownClusters } from './controlplane/shared.ts';
import { inPackedProject } from '@tenantry/test-tools/typescript/packed-project';
import { readPage } from '@tenantry/test-tools/docs/pages';
import { until } from '../waiting/until.ts';

const { test } = await ownClusters();
const { blocks } = readPage(join('docs', 'testing-operators.md'));

/** The files of the page by name, and the command that it runs. */
const files = Object.fromEntries(
  blocks.flatMap(({ hints, text }) => {
    const file = hints.get('file');
    return file === undefined ? [] : [[file, text] as const];
  }),
);
const [command = ''] = blocks
  .filter(({ hints }) => hints.has('run'))
  .map(({ text }) => text.trim());
const byHand = blocks.find(({ hints }) => hints.has('by hand'))?.text.trim() ?? '';

const compilerOptions = {
  target: 'es2024',
  lib: ['es2024', 'esnext.disposable'],
  module: 'nodenext',
  types: ['node'],
  strict: true,
  noEmit: true,
  allowImportingTsExtensions: true,
};

test('the files of the page work in an empty folder, and their test passes', async () => {
  expect(Object.keys(files)).toEqual(['sandbox.ts', 'sandbox.test.ts', 'setup.ts']);
  expect(command).toBe('node --test');
  const { tarballs } = await packed();
  const written = {
    ...files,
    'package.json': '{ "type": "module" }\n',
    'tsconfig.json': JSON.stringify({ compilerOptions }),
  };
  await inPackedProject(
    {
      tarballs,
      packages: ['@peculiar', '@types', 'cdk8s', 'constructs', 'fast-check', 'pure-rand'],
      files: written,
    },
    async (project) => {
      const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
      const compiled = await project.run(process.execPath, [compiler, '-p', '.']);
      expect(compiled).toMatchObject({ code: 0, out: '' });
      const patience = { TENANTRY_WITHIN: '120000' };
      const run = await project.run(process.execPath, command.split(' ').slice(1), patience);
      expect(run).toMatchObject({ code: 0, out: expect.stringContaining('pass 1') });

      const started = project.start('sh', ['-c', `exec ${byHand}`]);
      const [line] = (await once(started.stdout, 'data')) as unknown[];
      const [, kubeconfig = ''] = /^export KUBECONFIG=(.*)\n$/.exec(String(line)) ?? [];
      expect(existsSync(kubeconfig)).toBe(true);
      started.kill('SIGINT');
      await until('nothing is left of it', () => !existsSync(kubeconfig));
    },
  );
});

const node = ['--test', '--test-global-setup=./setup.ts', 'shared.test.cjs'];
const jest = [join(root, 'node_modules', 'jest', 'bin', 'jest.js'), '--testMatch=**/jest.spec.cjs'];

/** A test file that expects the control plane that the setup shared. */
const sharing = (imports: string): string => `
  ${imports}
  const assert = require('node:assert/strict');
  const { sharedControlPlane } = require('@tenantry/testing');
  test('the control plane is the one of the setup', async () => {
    const file = process.env['TENANTRY_CONTROL_PLANE'];
    const cluster = await sharedControlPlane();
    assert.equal(cluster.server, JSON.parse(require('node:fs').readFileSync(file, 'utf8')).server);
    assert.notEqual(cluster.server, undefined);
    await cluster.stop();
  });
`;

test("the setup of the page shares one control plane with the test files of jest and of Node's runner", async () => {
  const { tarballs } = await packed();
  const written = {
    'package.json': '{ "type": "module" }\n',
    'setup.ts': files['setup.ts'] ?? '',
    // The TypeScript compilation by jest is not tested here.
    'setup.mjs': stripTypeScriptTypes(files['setup.ts'] ?? ''),
    'jest.config.json': JSON.stringify({ globalSetup: './setup.mjs' }),
    'shared.test.cjs': sharing(`const { test } = require('node:test');`).replace(', 60_000', ''),
    'jest.spec.cjs': sharing(''),
  };
  await inPackedProject(
    { tarballs, packages: ['@peculiar', '@types', 'fast-check', 'pure-rand'], files: written },
    async (project) => {
      const [byNode, byJest] = await Promise.all([
        project.run(process.execPath, node),
        project.run(process.execPath, jest),
      ]);
      expect(byNode).toMatchObject({ code: 0, out: expect.stringContaining('pass 1') });
      expect(byJest).toMatchObject({ code: 0, err: expect.stringContaining('1 passed') });
    },
  );
});
