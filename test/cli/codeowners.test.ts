import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { commandLine, inProject } from './project.ts';

const platform = (owners: string): string =>
  `apiVersion: tenantry.dev/v1alpha1
kind: Platform
metadata: {name: p}
spec:
  crdFiles: [crds]
  delegation:
    owners: [${owners}]
    folders:
      - {folder: labs, tenants: ['*'], owners: ['@org/labs']}
`;
const files = { 'tenantry.yaml': platform("'@org/platform'"), 'crds/.keep': '' };

test(
  'the file is printed, written and compared',
  inProject(files, async (project) => {
    await project.git('init -q');
    const printed = await project.tenantry('tenant codeowners');
    expect(printed).toMatchObject({ code: 0, err: '' });
    expect(printed.out).toContain('\n/tenants/labs/ @org/labs\n/tenants/classes/ @org/platform\n');
    const before = await project.tenantry('tenant codeowners --check');
    expect(before).toEqual({
      code: 1,
      out: '',
      err: 'error .github/CODEOWNERS must match the platform file, got nothing: `tenantry tenant codeowners --write` writes it\n',
    });
    expect(await project.tenantry('tenant codeowners --write')).toEqual({
      code: 0,
      out: '.github/CODEOWNERS is written\n',
      err: '',
    });
    expect(project.tree()['.github/CODEOWNERS']).toBe(printed.out);
    expect(await project.tenantry('tenant codeowners --check --quiet')).toEqual({
      code: 0,
      out: '',
      err: '',
    });
    project.write({ 'tenantry.yaml': platform("'@org/others'") });
    expect(await project.tenantry('tenant codeowners --check')).toMatchObject({ code: 1 });
    expect(await project.tenantry('tenant codeowners --write')).toMatchObject({ code: 0 });
    expect(project.tree()['.github/CODEOWNERS']).toContain('* @org/others\n');
    const json = await project.tenantry('tenant codeowners --for gitlab --output json');
    expect(JSON.parse(json.out)).toMatchObject({
      command: 'tenant codeowners',
      outcome: 'done',
      for: 'gitlab',
      file: 'CODEOWNERS',
    });
  }),
);

test(
  'paths start at the root of the repository, where the file is written, from any folder',
  inProject({}, async (project) => {
    await project.git('init -q');
    project.write(
      Object.fromEntries(Object.entries(files).map(([path, text]) => [`infra/a b/${path}`, text])),
    );
    const words = [commandLine, 'tenant', 'codeowners', '--write', '--for', 'gitlab'];
    const there = ['-c', 'cd "infra/a b" && exec "$0" "$@"', process.execPath, ...words];
    const { code, err } = await project.run('sh', there);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const text = project.tree()['CODEOWNERS'];
    expect(text).toContain('\n!/infra/a\\ b/dist/clusters/*/tenants/\n');
    expect(text).toContain('\n/infra/a\\ b/tenants/labs/ @org/labs\n');
    expect(text).toContain('\n/.gitlab-ci.yml @org/platform\n');
    expect(text).toContain('\n/infra/a\\ b/crds/ @org/platform\n');
  }),
);

test(
  'a foreign file is kept, and so is the target of a link',
  inProject({ ...files, '.github/CODEOWNERS': '* @me\n' }, async (project) => {
    const mine = await project.tenantry('tenant codeowners --write');
    expect(mine).toMatchObject({ code: 1, out: '' });
    expect(mine.err).toContain('must be a file that Tenantry wrote, got one that it did not');
    expect(project.tree()['.github/CODEOWNERS']).toBe('* @me\n');
    project.remove('.github/CODEOWNERS');
    mkdirSync(join(project.folder, 'x'));
    symlinkSync('../x/y', join(project.folder, '.github/CODEOWNERS'));
    expect((await project.tenantry('tenant codeowners --write')).err).toContain(
      'error .github/CODEOWNERS must be a file, got something else',
    );
    expect(project.tree('x')).toEqual({});
  }),
);

test(
  'a mistake in the platform file or on the command line is reported',
  inProject(files, async (project) => {
    const both = await project.tenantry('tenant codeowners --write --check');
    expect(both).toMatchObject({ code: 1, out: '' });
    expect(both.err).toContain('--write and --check cannot be combined');
    project.write({ 'tenantry.yaml': platform("'org/team'") });
    expect((await project.tenantry('tenant codeowners')).err).toMatch(
      /^error tenantry\.yaml:7:14 spec\.delegation\.owners\[0\] must be '@user', .*, got 'org\/team'$/m,
    );
    project.write({ 'tenantry.yaml': platform("'@a/b/c'") });
    expect((await project.tenantry('tenant codeowners')).err).toMatch(
      /an email address for GitHub/,
    );
    expect(await project.tenantry('tenant codeowners --for gitlab')).toMatchObject({ code: 0 });
    project.remove('tenantry.yaml');
    const { err } = await project.tenantry('tenant codeowners --output json');
    expect(err).toBe('');
    expect((await project.tenantry('tenant codeowners')).err).toContain(
      'must be a file with a Platform',
    );
  }),
);
