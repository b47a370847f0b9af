import { cpSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { installCdk8sCli } from '../cdk8s-cli/install.ts';
import { inProject, repository } from './project.ts';

const messages: string[] = [];
const cdk8s = await installCdk8sCli({ log: (line) => messages.push(line) });
const testWithCdk8s = cdk8s === undefined ? test.skip : test;
const reason = cdk8s === undefined ? ` [skipped: ${messages.at(-1)?.replaceAll(/\s+/g, ' ')}]` : '';

const parts = [
  'apps',
  'cli',
  'constructs',
  'crds',
  'model',
  'operator',
  'packages',
  'scripts',
  'synth',
  'tenants',
];
const files = ['cdk8s.yaml', 'index.ts', 'package.json', 'package-lock.json', 'tenantry.yaml'];

testWithCdk8s(
  `cdk8s synth, tenantry synth and npm start give the same bytes for this repository${reason}`,
  inProject({}, async (project) => {
    for (const part of [...parts, ...files]) {
      cpSync(join(repository, part), join(project.folder, part), { recursive: true });
    }
    symlinkSync(join(repository, 'node_modules'), join(project.folder, 'node_modules'));
    const env = { CDK8S_CHECK_UPGRADE: 'false' };

    const stock = await project.run(cdk8s!, ['synth'], env);
    expect({ code: stock.code, words: stock.out + stock.err }).toMatchObject({ code: 0 });
    const expected = project.tree('dist');
    expect(Object.keys(expected)).toContain('README.md');
    expect(Object.keys(expected).some((path) => path.includes('/tenants/'))).toBe(true);

    // Both find the files as they are; then they write them from nothing.
    for (const fresh of [false, true]) {
      if (fresh) project.remove('dist');
      const own = await project.run(process.execPath, ['cli/main.ts', 'synth', '--quiet'], env);
      expect({ code: own.code, out: own.out }).toEqual({ code: 0, out: '' });
      expect(project.tree('dist')).toEqual(expected);
    }
    project.remove('dist');
    const start = await project.run('npm', ['start', '--silent'], env);
    expect(start).toMatchObject({ code: 0 });
    expect(project.tree('dist')).toEqual(expected);

    const again = await project.run(cdk8s!, ['synth'], env);
    expect(again).toMatchObject({ code: 0 });
    expect(project.tree('dist')).toEqual(expected);
  }),
);

testWithCdk8s(
  `cdk8s synth of wrong tenants fails with their places and no stack${reason}`,
  inProject(
    {
      'cdk8s.yaml': `app: node '${join(repository, 'apps/main.ts')}'\n`,
      'tenants/acme.yaml': 'apiVersion: tenantry.dev/v1alpha1\nkind: Tenant\nmetadata: {name: A}\n',
    },
    async (project) => {
      const { code, out, err } = await project.run(cdk8s!, ['synth'], {
        CDK8S_CHECK_UPGRADE: 'false',
      });
      expect(code).not.toBe(0);
      expect(out + err).toMatch(
        /^tenants\/acme\.yaml:3:18 metadata\.name must be .*, got 'A' \(schema\)$/m,
      );
      expect(out + err).not.toMatch(/^ {4}at .*\/(synth|apps)\//m);
    },
  ),
);
