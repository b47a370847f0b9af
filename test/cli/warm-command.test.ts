import { expect, test } from '@jest/globals';
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { commandScript } from './command-client.ts';
import { importCdk8s, inProject, tenant, type Project } from './project.ts';

const files = {
  'tenants/acme.yaml': tenant('acme'),
  'wrong/tenants/b.yaml': tenant('B', { nothing: 1 }),
  'app/cdk8s.yaml': 'app: node app.ts\n',
  'app/app.ts': `${importCdk8s('App')}console.log('hello');\nnew App().synth();\n`,
};

const runs: [string, string?][] = [
  ['--help'],
  ['-v'],
  ['nonsense'],
  ['synth', 'wrong'],
  ['synth'],
  ['synth --workers 2 --output json'],
  ['check'],
  ['check --out nothing'],
  ['network acme'],
  ['crd check tenants/acme.yaml'],
  ['synth', 'app'],
  ['-C wrong check'],
];

async function ended(project: Project, words: string, folder = ''): Promise<object[]> {
  const args = ['-C', folder || '.', ...words.split(' ')];
  const timeless = (text: string): string =>
    text.replaceAll(/\b\d+(\.\d+)? m?s\b|"seconds":[^,}]+/g, '');
  const all: object[] = [];
  for (const how of ['tenantry', 'spawnTenantry', 'tenantry'] as const) {
    const { code, out, err } = await project[how](args);
    all.push({ code, out: timeless(out), err: timeless(err) });
  }
  return all;
}

test(
  'a warm process has the same effects and output as a new one',
  inProject(files, async (project) => {
    for (const [words, folder] of runs) {
      await project.tenantry(['-C', folder ?? '.', ...words.split(' ')]);
      const before = project.tree();
      const [first, fresh, again] = await ended(project, words, folder);
      expect([words, first]).toEqual([words, fresh]);
      expect([words, again]).toEqual([words, fresh]);
      expect(project.tree()).toEqual(before);
    }
  }),
);

test(
  'the environment and the folder of one run do not leak into the next',
  inProject(files, async (project) => {
    const shown = (await project.tenantry('--help')).out;
    await project.tenantry('synth', { CI: 'true', TENANTRY_CACHE: 'off' });
    await project.tenantry('-C app synth');
    expect(await project.tenantry('--help')).toEqual({ code: 0, out: shown, err: '' });
    expect((await project.tenantry('check')).code).toBe(0);
  }),
);

test(
  'the shell script passes on arguments, folder and environment, and has the exit code of the command',
  inProject({ ...files, 'bin/tenantry': commandScript() }, async (project) => {
    chmodSync(join(project.folder, 'bin', 'tenantry'), 0o755);
    const inShell = (script: string) =>
      project.run('bash', ['-c', `PATH="$PWD/bin:$PATH"\n${script}`]);
    const checked = await inShell('cd wrong; tenantry check');
    expect(checked).toEqual(await project.spawnTenantry(['-C', 'wrong', 'check']));
    expect(checked.code).toBe(1);
    const odd = ['crd', 'check', 'no such\nfile', ''];
    const refused = await inShell(`tenantry ${odd.map((word) => `'${word}'`).join(' ')}`);
    expect(refused).toEqual(await project.spawnTenantry(odd));
    await inShell('TENANTRY_CACHE="$PWD/kept here" tenantry synth --quiet');
    expect(Object.keys(project.tree('kept here'))).not.toEqual([]);
    const piped = await inShell('cat tenants/acme.yaml | tenantry crd check -');
    expect(piped.err + piped.out).toContain('standard input must hold a CustomResourceDefinition');
  }),
);

test(
  'concurrent runs are independent',
  inProject(files, async (project) => {
    const words = ['-v', '-C wrong check', 'nonsense', 'check', '-v'];
    const all = await Promise.all(words.map((one) => project.tenantry(one)));
    expect(all.map(({ code }) => code)).toEqual([0, 1, 1, 1, 0]);
    expect(all[0]).toEqual(all[4]);
  }),
);
