import { expect, test } from '@jest/globals';
import { readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { format } from 'prettier';
import { readLoosely } from '@tenantry/kube/yaml/read';
import { compareWithFolder } from '../../cli/new-files/conflicts.ts';
import { writeNewFiles } from '../../cli/new-files/write-new-files.ts';
import { UsageError } from '../../cli/usage-error.ts';
import { ownersFile } from '../../apps/codeowners.ts';
import { readPage } from '../docs/pages.ts';
import { forges } from '../docs/recipes.ts';
import { inProject, repository, type Project } from './project.ts';
import { CTRL_C, CTRL_D, Terminal, testOnTerminal } from './terminal.ts';

const yamlFiles = [
  '.gitattributes',
  '.github/workflows/tenants.yaml',
  '.gitignore',
  '.gitlab-ci.yml',
  'README.md',
  'package.json',
  'tenantry.yaml',
  'tenants/classes/standard.yaml',
  'tenants/payments.yaml',
];

/** The files of a folder, without folders and what Git has. */
const filesIn = (project: Project, folder = ''): string[] =>
  Object.keys(project.tree(folder))
    .filter((path) => !path.endsWith('/') && !path.startsWith('.git/'))
    .toSorted();

const valueOf = (text = ''): unknown => readLoosely(text).documents[0]?.value;

test(
  'an empty folder becomes a repository that renders and is up to date',
  inProject({}, async (project) => {
    const { code, out, err } = await project.tenantry('init');
    expect([code, err]).toEqual([0, '']);
    expect(out.split('\n')).toEqual([
      '9 files written, 0 unchanged in .',
      ...yamlFiles.map((path) => `  + ${path}`),
      '',
      'Next: npm install && npx tenantry synth && npm test',
      'There is no Git remote yet: set argocd.source in tenantry.yaml when there is one.',
      '',
    ]);
    expect(filesIn(project)).toEqual(yamlFiles);
    const synth = await project.tenantry('synth --warnings-as-errors');
    expect(synth).toMatchObject({ code: 0, err: '' });
    expect(synth.out).toMatch(/^1 tenant, 2 namespaces, /);
    expect((await project.tenantry('check --warnings-as-errors')).code).toBe(0);
  }),
);

test(
  'a second run changes nothing, and one after a change names all files in the way and writes nothing',
  inProject({}, async (project) => {
    await project.tenantry('init new/platform --yes');
    const tree = project.tree();
    expect(filesIn(project, 'new/platform')).toEqual(yamlFiles);
    const again = await project.tenantry('init new/platform --yes');
    expect(again).toMatchObject({ code: 0, err: '' });
    expect(again.out).toMatch(/^0 files written, 9 unchanged in new\/platform\n/);
    expect(project.tree()).toEqual(tree);

    project.write({ 'new/platform/README.md': '# Ours\n', 'new/platform/package.json': '{}\n' });
    project.remove('new/platform/tenants/payments.yaml');
    const changed = project.tree();
    const refused = await project.tenantry('init new/platform --yes');
    const why = 'must not exist with other content: no file is overwritten (in-the-way)';
    expect(refused).toEqual({
      code: 1,
      out: '',
      err: `error new/platform/README.md ${why}\nerror new/platform/package.json ${why}\n\n2 problems; new/platform is as it was\n`,
    });
    expect(project.tree()).toEqual(changed);
  }),
);

test(
  'other files in the folder stay, and links and folders in the place of files are named',
  inProject({ 'notes.txt': 'ours', 'README.md/.keep': '' }, async (project) => {
    project.write({ 'elsewhere/.keep': '', '.github': 'a file' });
    symlinkSync('elsewhere', join(project.folder, 'tenants'));
    const tree = project.tree();
    const { code, err } = await project.tenantry('init');
    expect(code).toBe(1);
    expect(err.split('\n').slice(0, 3)).toEqual([
      'error .github must be a folder, got a file (in-the-way)',
      'error README.md must not exist, got a folder (in-the-way)',
      'error tenants must be a folder, got a symbolic link (in-the-way)',
    ]);
    expect(project.tree()).toEqual(tree);
    project.remove('.github', 'README.md', 'tenants');
    expect((await project.tenantry('init')).code).toBe(0);
    expect(project.tree()['notes.txt']).toBe('ours');
    for (const place of ['notes.txt', 'notes.txt/new']) {
      expect(await project.tenantry(['init', place])).toEqual({
        code: 1,
        out: '',
        err: `error DIR must be a folder, got '${place}': notes.txt is a file\n`,
      });
    }
  }),
);

test(
  'each invalid answer is one error, and all are reported at once',
  inProject({}, async (project) => {
    const words = [
      'init',
      '--name',
      'Our Platform',
      '--language',
      'java',
      '--cluster',
      'EU_1',
      '--server',
      'http://10.0.0.1',
      '--repository',
      'ftp://example.com',
      '--branch',
      '-x',
      '--tenant',
      'kube',
      '--admins',
      '',
      '--owners',
      '@acme/shop,acme',
      '--ci',
      'jenkins',
    ];
    const { code, out, err } = await project.tenantry(words);
    expect([code, out]).toEqual([1, '']);
    const label =
      "must be a DNS label: lower-case letters, digits and '-', at most 63 characters, got";
    expect(err.split('\n').slice(0, -3)).toEqual([
      `error --name ${label} 'Our Platform' (answer)`,
      "error --language must be one of yaml, typescript, got 'java' (answer)",
      `error --cluster ${label} 'EU_1' (answer)`,
      "error --server must be an https address, got 'http://10.0.0.1' (answer)",
      "error --repository must be the address of a Git repository, such as 'https://git.example.com/platform/tenants.git', got 'ftp://example.com' (answer)",
      "error --branch must be a branch, a tag or a commit, got '-x' (answer)",
      "error --tenant must not be a namespace of the platform (kube-*), got 'kube-dev' (answer)",
      "error --admins must be the name of a group: 1 to 256 visible characters, with spaces only between them, got '' (answer)",
      "error --owners must be '@user', '@organization/team' or an email address, got 'acme' (answer)",
      "error --ci must be one of github, gitlab, both, none, got 'jenkins' (answer)",
    ]);
    expect(project.tree()).toEqual({});
    const long = await project.tenantry(['init', '--tenant', 'x'.repeat(60), '--name', 'cdk8s']);
    expect(long.err.split('\n').slice(0, 2)).toEqual([
      "error --name must not be an installed package, got 'cdk8s' (answer)",
      "error --tenant must have at most 58 characters, because names of its namespaces end in '-prod', got 60 (answer)",
    ]);
    const secret = ['init', '--repository', 'https://me:hunter2@git.example.com/tenants.git'];
    expect(await project.tenantry(secret)).toEqual({
      code: 1,
      out: '',
      err: 'error --repository must be an address without user and password, got one with (answer)\n\n1 problem; . is as it was\n',
    });
    const line = await project.tenantry(['init', '--admins', 'a\n  network: {}', '--name', 'a: b']);
    expect(line.err).toContain('\n2 problems; . is as it was\n');
  }),
);

/** Returns the part of the platform file about Argo CD. */
const argocdIn = (project: Project, folder = ''): unknown => {
  const platform = valueOf(project.tree(folder)['tenantry.yaml']) as { spec: { argocd?: object } };
  return platform.spec.argocd;
};

test(
  'in a clone, Argo CD gets the remote without its password, and the pipeline is that of the forge',
  inProject({}, async (project) => {
    await project.git('init -q -b trunk .');
    await project.git(
      'remote add origin https://bot:hunter2@gitlab.example.com/platform/tenants.git',
    );
    const { code, out } = await project.tenantry('init');
    expect(code).toBe(0);
    expect(out).not.toContain('remote');
    expect(argocdIn(project)).toEqual({
      source: {
        repoURL: 'https://gitlab.example.com/platform/tenants.git',
        targetRevision: 'trunk',
        path: 'dist',
      },
    });
    const files = filesIn(project);
    expect(files).toContain('.gitlab-ci.yml');
    expect(files).not.toContain('.github/workflows/tenants.yaml');
    expect(JSON.stringify(project.tree(''))).toContain('hunter2'); // in .git/config, and nowhere else:
    for (const path of files) expect(project.tree()[path]).not.toContain('hunter2');
    expect((await project.tenantry('synth')).code).toBe(0);
    expect(project.tree('dist/argocd/bootstrap')['tenantry.yaml']).toContain(
      'repoURL: https://gitlab.example.com/platform/tenants.git\n',
    );
    expect(filesIn(project, 'dist/argocd/settings')).toEqual(['argocd-cm.yaml']);
    await project.git('add -A');
    await project.git('commit -q -m all');
    expect((await project.tenantry('check --warnings-as-errors')).err).toBe('');
  }),
);

test(
  'below the top of a repository, Argo CD gets the folder, and there is no pipeline, which nobody would run',
  inProject({}, async (project) => {
    await project.git('init -q .');
    await project.git('remote add origin git@github.com:example/all.git');
    const first = await project.tenantry('init teams/platform');
    expect(first.code).toBe(0);
    expect(first.out).toContain('\nNo pipeline was written: forges read them only at the top of a');
    expect(argocdIn(project, 'teams/platform')).toMatchObject({
      source: { repoURL: 'git@github.com:example/all.git', path: 'teams/platform/dist' },
    });
    expect(filesIn(project, 'teams/platform').filter((path) => path.startsWith('.git'))).toEqual([
      '.gitattributes',
      '.gitignore',
    ]);
    const { code, err } = await project.tenantry('init other --ci github');
    expect([code, err]).toEqual([
      1,
      "error --ci must be none below the top folder of a Git repository, where forges read no pipelines, got 'github' (answer)\n\n1 problem; other is as it was\n",
    ]);
    const spaces = await project.tenantry(['init', 'with space']);
    expect(spaces.err).toMatch(/^error DIR must be a path of letters, digits/);
  }),
);

test(
  'a remote that Argo CD cannot read is not used',
  inProject({}, async (project) => {
    await project.git('init -q .');
    await project.git('remote add origin ../origin.git');
    expect((await project.tenantry('init')).code).toBe(0);
    expect(argocdIn(project)).toBeUndefined();
    expect(project.tree()['tenantry.yaml']).toContain('\n  # argocd:\n  #   source:\n');
  }),
);

test(
  'the branch is the one that the remote names, whatever is checked out',
  inProject({ 'a.txt': '' }, async (project) => {
    await project.commit();
    await project.git('branch -M release');
    await project.git('clone -q . ../clone');
    const clone = '../clone/new';
    await project.git('-C ../clone checkout -q -b feature');
    await project.git(
      '-C ../clone remote set-url origin ssh://git:hunter2@example.com:2222/all.git',
    );
    expect((await project.tenantry(['init', clone])).code).toBe(0);
    expect(argocdIn(project, clone)).toEqual({
      source: {
        repoURL: 'ssh://git@example.com:2222/all.git',
        targetRevision: 'release',
        path: 'new/dist',
      },
    });
  }),
);

test(
  '--dry-run prints what a run would write, as text and as JSON, and writes nothing',
  inProject({}, async (project) => {
    const words = 'init new --language typescript --ci none';
    const { code, out } = await project.tenantry(`${words} --dry-run`);
    expect(code).toBe(0);
    expect(out).toMatch(/^11 files to write, 0 unchanged in new\n {2}\+ \.gitattributes\n/);
    const json = await project.tenantry(`${words} --dry-run --output json`);
    expect(JSON.parse(json.out)).toMatchObject({ outcome: 'done', dryRun: true, folder: 'new' });
    expect(project.tree()).toEqual({});
    const written = await project.tenantry(`${words} --output json`);
    const { files, answers, problems } = JSON.parse(written.out) as Record<string, object>;
    expect(files).toEqual({ added: filesIn(project, 'new'), unchanged: [] });
    expect(answers).toMatchObject({ name: 'new', language: 'typescript', tenant: 'payments' });
    expect(problems).toEqual([]);
    project.write({ 'new/main.ts': '' });
    const refused = await project.tenantry(`${words} --dry-run --output json`);
    expect(refused.code).toBe(1);
    expect(JSON.parse(refused.out)).toMatchObject({
      outcome: 'refused',
      problems: [{ file: 'new/main.ts', rule: 'in-the-way' }],
    });
    const quiet = await project.tenantry('init other --quiet');
    expect(quiet).toEqual({ code: 0, out: '', err: '' });
  }),
);

test(
  'the names that are given are in the files, also those that YAML would read as something else',
  inProject({}, async (project) => {
    const words = [
      'init',
      '.',
      '--name',
      '1e3',
      '--cluster',
      '007',
      '--tenant',
      'null',
      '--branch',
      '1.0',
      '--server',
      'https://api.eu1.example.com:6443',
      '--admins',
      "it's [a] # group: {x}",
      '--repository',
      'https://github.com/example/tenants.git',
    ];
    expect(await project.tenantry(words)).toMatchObject({ code: 0, err: '' });
    const tree = project.tree();
    expect(filesIn(project)).toContain('.github/workflows/tenants.yaml');
    expect(filesIn(project)).not.toContain('.gitlab-ci.yml');
    expect(valueOf(tree['tenantry.yaml'])).toMatchObject({
      metadata: { name: '1e3' },
      spec: {
        clusters: [{ name: '007', server: 'https://api.eu1.example.com:6443' }],
        argocd: { source: { targetRevision: '1.0' } },
      },
    });
    expect(valueOf(tree['tenants/null.yaml'])).toMatchObject({
      metadata: { name: 'null' },
      spec: { access: { admins: { groups: ["it's [a] # group: {x}"] } } },
    });
    expect((await project.tenantry('synth --warnings-as-errors')).err).toBe('');
  }),
);

test(
  'the pipelines are those of the page, and all files are formatted',
  inProject({}, async (project) => {
    await project.tenantry('init yaml --ci both');
    await project.tenantry('init typescript --language typescript --ci both');
    await project.tenantry('init owned --ci both --owners @acme/platform');
    const [github, gitlab] = forges.map(({ recipe }) => recipe);
    const yaml = project.tree('yaml');
    expect(valueOf(yaml['.github/workflows/tenants.yaml'])).toEqual(github);
    expect(valueOf(yaml['.gitlab-ci.yml'])).toEqual(gitlab);
    const settings = JSON.parse(
      readFileSync(join(repository, '.prettierrc.json'), 'utf8'),
    ) as object;
    for (const folder of ['yaml', 'typescript', 'owned']) {
      for (const path of filesIn(project, folder)) {
        if (!/\.(json|ts|ya?ml|md)$/.test(path)) continue;
        const text = project.tree(folder)[path]!;
        expect([path, await format(text, { ...settings, filepath: path })]).toEqual([path, text]);
      }
    }
  }),
);

test(
  'with owners, the review is that of the page and of the package, and CODEOWNERS is what the command writes',
  inProject({}, async (project) => {
    await project.git('init -q -b main .');
    const { code, out } = await project.tenantry('init --ci both --owners @acme/platform,@ann');
    expect([code, out]).toEqual([0, expect.stringContaining('\nREADME.md lists the settings of')]);
    const tree = project.tree();
    const [workflow] = readPage('docs/action.md').blocks;
    expect(tree['.github/workflows/review.yaml']).toBe(workflow?.text);
    const component = readFileSync(join(repository, 'action/templates/review.yml'), 'utf8');
    expect(tree['.gitlab/review.yml']).toBe(component);
    expect(valueOf(tree['tenantry.yaml'])).toMatchObject({
      spec: { delegation: { owners: ['@acme/platform', '@ann'] } },
    });
    for (const forge of ['github', 'gitlab'] as const) {
      const check = `npx tenantry tenant codeowners ${forge === 'github' ? '' : '--for gitlab '}--check\n`;
      const pipeline = forge === 'github' ? '.github/workflows/tenants.yaml' : '.gitlab-ci.yml';
      expect(tree[pipeline]).toContain(check);
      const words = `tenant codeowners --for ${forge}`;
      expect((await project.tenantry(`${words} --check`)).code).toBe(0);
      expect((await project.tenantry(words)).out).toBe(tree[ownersFile[forge]]);
    }
    expect((await project.tenantry('synth --warnings-as-errors')).err).toBe('');
  }),
);

test(
  'without owners the README names what is missing, and no file claims that somebody owns anything',
  inProject({}, async (project) => {
    await project.tenantry('init');
    const tree = project.tree();
    expect(tree['README.md']).toContain('names no owners');
    expect(tree['tenantry.yaml']).not.toContain('delegation');
    expect(tree['.gitlab-ci.yml']).not.toContain('include');
    // Where no pipeline can be, owners are still in the platform file.
    await project.tenantry('init below --ci none --owners @group/subgroup/team');
    const below = project.tree('below');
    expect(below['tenantry.yaml']).toContain("owners: ['@group/subgroup/team']");
    expect(below['README.md']).toContain('add the review to the\npipeline');
    expect(Object.keys(below).filter((path) => /CODEOWNERS|review/.test(path))).toEqual([]);
    for (const owners of ['', ' , ']) {
      const { code, err } = await project.tenantry(['init', 'none', '--owners', owners]);
      const got = `must name who owns the platform, got '${owners}' (answer)`;
      expect([code, err.split('\n')[0]]).toEqual([1, `error --owners ${got}`]);
    }
    const both = await project.tenantry('init both --ci both --owners @group/subgroup/team');
    expect(both.err).toContain("for GitHub, got '@group/subgroup/team'");
  }),
);

test(
  'a write that fails half way removes what it wrote, and overwrites no file that appeared meanwhile',
  inProject({ 'here/b.txt': 'theirs' }, (project) => {
    const files = ['a/deep/a.txt', 'b.txt', 'c.txt'].map((path) => ({ path, text: 'new' }));
    const folder = join(project.folder, 'here');
    const tree = project.tree();
    expect(compareWithFolder(folder, files).problems).toHaveLength(1);
    expect(() => writeNewFiles(folder, files, 'DIR')).toThrow(UsageError);
    expect(project.tree()).toEqual(tree);
    const below = join(folder, 'b.txt', 'new');
    expect(() => writeNewFiles(below, files, 'DIR')).toThrow(/^DIR must be a folder that can be/);
    const twice = [...files, { path: 'c.txt', text: 'again' }];
    expect(() => writeNewFiles(join(folder, 'x', 'y'), twice, 'DIR')).toThrow(UsageError);
    expect(project.tree()).toEqual(tree);
  }),
);

testOnTerminal(
  'a person at a terminal answers what is not given, and again after an invalid answer',
  inProject({}, async (project) => {
    const words = [
      'init',
      'new',
      '--language',
      'yaml',
      '--ci',
      'none',
      '--server',
      'https://a.example.com',
    ];
    const terminal = new Terminal(project, words);
    await terminal.answer('Name of the platform (new): ', 'acme\n');
    await terminal.answer('Name of the first cluster (in-cluster): ', 'EU1\n');
    await terminal.answer('must be a DNS label', '');
    await terminal.answer('Name of the first cluster (in-cluster): ', 'eu1\n');
    await terminal.answer('Git repository that Argo CD syncs (none): ', '\n');
    await terminal.answer('Name of the first tenant (payments): ', 'shop\n');
    await terminal.answer("Group of the tenant's admins (none): ", 'github:shop\n');
    await terminal.answer('Owners of the platform, such as @acme/platform (none): ', '@ann @ben\n');
    expect(await terminal.ended).toBe(0);
    expect(terminal.shown).not.toContain('Language');
    const tree = project.tree('new');
    expect(tree['tenants/shop.yaml']).toContain("admins: { groups: ['github:shop'] }");
    expect(tree['tenantry.yaml']).toContain("delegation:\n    owners: ['@ann', '@ben']\n");
    expect(tree['tenantry.yaml']).toContain('- name: eu1\n      server: https://a.example.com\n');
    const silent = new Terminal(project, ['init', 'other', '--yes']);
    expect(await silent.ended).toBe(0);
    expect(silent.shown).toMatch(/^9 files written/);
  }),
);

testOnTerminal(
  'if the questions are interrupted, nothing is written and a message explains it',
  inProject({}, async (project) => {
    for (const end of [CTRL_C, CTRL_D]) {
      const terminal = new Terminal(project, ['init', 'new']);
      await terminal.answer('Name of the platform', end);
      expect(await terminal.ended).toBe(1);
      expect(terminal.shown).toContain('error nothing was written: the questions ended\n');
    }
    expect(project.tree()).toEqual({});
  }),
);
