import { expect, test } from '@jest/globals';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readSection } from '../docs/pages.ts';
import { inCommitted, inProject, tenant, type Project } from './project.ts';

const platform = `apiVersion: tenantry.dev/v1alpha1
kind: Platform
metadata: { name: wagonlark }
spec: { clusters: [{ name: fra1 }, { name: arn1 }], defaultClusters: [fra1, arn1] }
`;
const acme = (pods: number, rest: object = {}) =>
  tenant('acme', { quota: { hard: { pods } }, ...rest });
const files = {
  'tenantry.yaml': platform,
  'tenants/acme.yaml': acme(20),
  'tenants/old.yaml': tenant('old'),
};

const author = {
  GIT_AUTHOR_NAME: 'Ann "A" Ng',
  GIT_AUTHOR_EMAIL: 'ann@example.com',
  GIT_COMMITTER_NAME: 'ci',
  GIT_COMMITTER_EMAIL: 'ci@example.com',
};

/** A repository with a remote and helpers for common steps. */
class Repository {
  readonly project: Project;

  constructor(project: Project) {
    this.project = project;
  }

  promote = (words: string) => this.project.tenantry(`promote ${words}`, author);

  async git(words: string): Promise<string> {
    const { code, out, err } = await this.project.run('git', words.split(' '), author);
    if (code !== 0) throw new Error(`git ${words}: ${err}`);
    return out.trim();
  }

  /** Renders and commits; returns the commit. */
  async commit(texts: Readonly<Record<string, string>>, ...removed: string[]): Promise<string> {
    this.project.write(texts);
    this.project.remove(...removed);
    const { code, err } = await this.project.tenantry('synth');
    if (code !== 0) throw new Error(err);
    await this.git('add -A');
    await this.git('commit -q -m change');
    return this.git('rev-parse HEAD');
  }

  tip = (branch = 'env/fra1') => this.git(`ls-remote origin refs/heads/${branch}`);

  /** Returns a file of the branch. */
  async text(path: string, branch = 'env/fra1'): Promise<string> {
    await this.git(`fetch -q origin ${branch}`);
    return this.git(`show FETCH_HEAD:${path}`);
  }
}

/** Runs a test in a repository with these files, their rendered output, and an empty remote. */
const inRepository = (body: (repository: Repository) => Promise<void>) =>
  inCommitted(files, async (project) => {
    const repository = new Repository(project);
    await repository.git('init -q --bare ../origin.git');
    await repository.git('remote add origin ../origin.git');
    await body(repository);
  });

/** Removes from a message what differs between runs. */
const shapeOf = (message: string): string =>
  message
    .trim()
    .replaceAll(/[\da-f]{10}(?:[\da-f]{30})?/g, (id) => `${id.length} digits`)
    .replace(/^(Argocd-reference-commit-author: ).*$/m, '$1')
    .replace(/^(Argocd-reference-commit-subject: ).*$/m, '$1')
    .replace(/\d{4}-\d\d-\d\dT.*$/m, 'when');

const NAMESPACE = 'dist/clusters/fra1/tenants/acme/namespace-acme.yaml';

test(
  'the branch of a cluster holds only its rendered output, and names the source commit',
  inRepository(async (repository) => {
    const { project } = repository;
    const [before, head] = [project.tree(), await repository.git('rev-parse HEAD')];
    const first = await repository.promote('fra1');
    expect({ code: first.code, err: first.err }).toEqual({ code: 0, err: '' });
    expect(first.out).toMatch(
      /^origin\/env\/fra1 is made of [\da-f]{10} now, as [\da-f]{10}, the first: 2 tenants, 2 namespaces\n$/,
    );
    const after = project.tree();
    const own = (tree: typeof after) =>
      Object.keys(tree).filter((path) => !path.startsWith('.git/'));
    expect(own(after)).toEqual(own(before));
    expect(await repository.git('status --porcelain --branch')).not.toContain('\n');
    await repository.git('fetch -q origin env/fra1');
    const rendered = (await repository.git('ls-files dist/clusters/fra1')).split('\n');
    expect(await repository.git('ls-tree -r --name-only FETCH_HEAD')).toBe(rendered.join('\n'));
    expect(await repository.git('diff --stat HEAD FETCH_HEAD -- dist/clusters/fra1')).toBe('');
    const trailers = await repository.git('log -1 --format=%(trailers:only,unfold) FETCH_HEAD');
    expect(trailers.split('\n')).toEqual([
      `Argocd-reference-commit-sha: ${head}`,
      'Argocd-reference-commit-author: "t" <t@t>',
      expect.stringMatching(
        /^Argocd-reference-commit-date: \d{4}-\d\d-\d\dT[\d:]{8}(Z|[+-]\d\d:\d\d)$/,
      ),
      'Argocd-reference-commit-subject: all',
    ]);
    const tip = await repository.tip();
    expect((await repository.promote('fra1')).out).toMatch(
      / is made of [\da-f]{10} already: no change/,
    );
    expect(await repository.tip()).toBe(tip);
  }),
);

test(
  'the next promotion follows the last one, lists the changes, and touches no other cluster',
  inRepository(async (repository) => {
    await repository.promote('fra1');
    await repository.promote('arn1');
    const [fra1, arn1] = [await repository.tip(), await repository.tip('env/arn1')];
    const head = await repository.commit({ 'tenants/acme.yaml': acme(10) });
    const dry = await repository.promote('fra1 --dry-run');
    expect(dry.out).toContain(
      `origin/env/fra1 would be made of ${head.slice(0, 10)}: 2 changes: 0 high`,
    );
    expect(await repository.tip()).toBe(fra1);
    const { code, out } = await repository.promote('fra1');
    expect([code, out]).toEqual([
      0,
      expect.stringContaining('ResourceQuota tenant-quota pods 20 -> 10'),
    ]);
    expect(await repository.text(NAMESPACE)).toContain('pods: "10"');
    expect(await repository.git('log -1 --format=%P FETCH_HEAD')).toBe(fra1.split('\t')[0]);
    const page = readSection('docs/plan.md', 'Promotion').blocks.find(
      ({ language }) => language === 'text',
    )!;
    expect(shapeOf(await repository.git('log -1 --format=%B FETCH_HEAD'))).toBe(shapeOf(page.text));
    expect(await repository.tip('env/arn1')).toBe(arn1);
    // A commit without changes for the cluster is recorded, so that no older one can follow it.
    const same = await repository.commit({ 'README.md': 'x\n' });
    await repository.promote('fra1');
    await repository.text(NAMESPACE);
    expect(await repository.git('log -1 --format=%B FETCH_HEAD')).toContain(`-sha: ${same}\n`);
  }),
);

test(
  'a tenant leaves a branch once it is Retired there, or when it is allowed by name',
  inRepository(async (repository) => {
    await repository.promote('fra1');
    const tip = await repository.tip();
    const retired = await repository.commit({
      'tenants/old.yaml': tenant('old', { lifecycle: 'Retired' }),
    });
    const gone = await repository.commit({}, 'tenants/old.yaml');
    const refused = await repository.promote('fra1');
    expect(refused.code).toBe(1);
    expect(refused.err).toMatch(
      /tenant old must be Retired before it disappears, got Active in origin\/env\/fra1: .*\nPromote the commit in which it was Retired first/,
    );
    const json = JSON.parse((await repository.promote('fra1 --output json')).out) as object;
    expect(json).toMatchObject({
      outcome: 'refused',
      pushed: false,
      problems: [{ rule: 'disappearance' }],
    });
    expect(await repository.tip()).toBe(tip);
    expect((await repository.promote('fra1 --dry-run --allow-removal old')).code).toBe(0);
    await repository.git(`checkout -q ${retired}`);
    expect((await repository.promote('fra1')).code).toBe(0);
    await repository.git(`checkout -q ${gone}`);
    expect(await repository.promote('fra1')).toMatchObject({ code: 0, err: '' });
    await expect(repository.text('dist/clusters/fra1/tenants/old/tenant.yaml')).rejects.toThrow();
  }),
);

test(
  'a branch never goes back or to another history, and a shallow clone is refused',
  inRepository(async (repository) => {
    const old = await repository.git('rev-parse HEAD');
    const made = await repository.commit({ 'tenants/acme.yaml': acme(10) });
    await repository.promote('fra1');
    const tip = await repository.tip();
    const refused = async (what: string, words = 'promote fra1') => {
      expect(await repository.project.tenantry(words, author)).toMatchObject({
        code: 1,
        out: '',
        err: expect.stringContaining(what),
      });
      expect(await repository.tip()).toBe(tip);
    };
    await repository.git(`checkout -q ${old}`);
    await refused('got an older one: to go back, revert on top of it');
    await repository.commit({ 'tenants/acme.yaml': acme(30) });
    await refused('got a commit without it in its history: merge it first');
    await repository.git(`checkout -q ${made}`);
    await repository.commit({ 'tenants/acme.yaml': acme(15) });
    await repository.git('push -q origin HEAD:refs/heads/trunk');
    await repository.git(`push -q origin ${old}:refs/heads/older`);
    const origin = `file://${repository.project.folder}/../origin.git`.replaceAll(' ', '%20');
    await repository.git(`-C .. clone -q --single-branch --branch=older ${origin} older`);
    await refused('got a clone without it: it is newer', '-C ../older promote fra1');
    await repository.git(`-C .. clone -q --depth=1 --branch=trunk ${origin} clone`);
    await refused('got a shallow clone that does not have it: fetch', '-C ../clone promote fra1');
    await repository.git('-C ../clone fetch -q --unshallow');
    expect((await repository.project.tenantry('-C ../clone promote fra1', author)).code).toBe(0);
  }),
);

test(
  'one of two concurrent promotions is refused, and nothing of the other is lost',
  inRepository(async (repository) => {
    await repository.promote('fra1');
    await repository.git('fetch -q origin env/fra1');
    const tree = await repository.git('rev-parse FETCH_HEAD^{tree}');
    const other = await repository.git(`commit-tree -p FETCH_HEAD -m other ${tree}`);
    const hook = `#!/bin/sh\nrm "$0"\ngit push -q --no-verify origin ${other}:refs/heads/env/fra1\n`;
    const path = join(repository.project.folder, '.git', 'hooks', 'pre-push');
    await repository.commit({ 'tenants/acme.yaml': acme(10) });
    writeFileSync(path, hook, { mode: 0o755 });
    const late = await repository.promote('fra1');
    expect(late).toMatchObject({
      code: 1,
      err: expect.stringContaining('run it again if somebody else'),
    });
    expect(await repository.tip()).toContain(other);
    expect((await repository.promote('fra1')).code).toBe(0);
    await repository.text(NAMESPACE);
    expect(await repository.git('log -1 --format=%P FETCH_HEAD')).toBe(other);
  }),
);

test(
  'uncommitted, unrendered or undeclared content is not promoted',
  inRepository(async (repository) => {
    const { project } = repository;
    const refused = async (what: string | RegExp, words = 'fra1') =>
      expect(await repository.promote(words)).toMatchObject({
        code: 1,
        err: expect.stringMatching(what),
      });
    project.write({ 'tenants/new.yaml': tenant('new') });
    await refused(/everything must be committed, .* got changes in 'tenants\/new.yaml'/);
    await repository.git('add -A');
    await refused('everything must be committed');
    await repository.git('commit -q -m unrendered');
    await refused(/missing {2}dist\/clusters\/fra1\/tenants\/new\/tenant.yaml/);
    await repository.commit({ 'x.md': 'x' });
    project.write({ 'notes.md': 'not read by anybody' });
    await refused(
      "the cluster must be one that Tenantry renders, got 'fra2'; did you mean 'fra1'?",
      'fra2',
    );
    await refused('--branch must be given for several clusters, got fra1, arn1', 'fra1 arn1');
    await refused("--branch must be the name of a branch, got 'a..b'", 'fra1 --branch a..b');
    await refused(/a Git remote that can be read, got 'up'/, 'fra1 --remote up');
    expect(await repository.tip()).toBe('');
    expect((await repository.promote('fra1')).code).toBe(0);
  }),
);

test(
  'a branch with other content is left alone, and manual edits on a branch are reported',
  inRepository(async (repository) => {
    await repository.git('push -q origin HEAD:refs/heads/env/fra1');
    expect((await repository.promote('fra1')).err).toContain('must be a branch that promote made');
    expect((await repository.promote('fra1 arn1 --branch env/prod')).code).toBe(0);
    expect((await repository.promote('fra1 --branch env/prod')).err).toMatch(
      /must hold nothing but what is rendered for fra1 to dist, got 'dist\/clusters\/arn1\//,
    );
    await repository.git('fetch -q origin env/prod');
    await repository.git('checkout -q --detach FETCH_HEAD');
    const text = await repository.text(NAMESPACE, 'env/prod');
    repository.project.write({
      [NAMESPACE]: `${text.replace(/^    pods: "20"$/m, '    pods: "99"')}\n`,
    });
    await repository.git('commit -q -a -m by-hand');
    await repository.git('push -q origin HEAD:refs/heads/env/prod');
    await repository.git('checkout -q -');
    expect((await repository.promote('fra1 arn1 --branch env/prod')).out).toContain(
      'pods 99 -> 20',
    );
    expect(await repository.text(NAMESPACE, 'env/prod')).toMatch(/^    pods: "20"$/m);
  }),
);

test(
  'in a subfolder of a repository, the branch has the paths of the repository',
  inProject({}, async (project) => {
    const repository = new Repository(project);
    const placed = Object.entries(files).map(([path, text]) => [`platform/${path}`, text] as const);
    project.write(Object.fromEntries(placed));
    await project.tenantry('-C platform synth');
    await project.commit();
    await repository.git('init -q --bare ../origin.git');
    await repository.git('remote add origin ../origin.git');
    const { code, err } = await project.tenantry('-C platform promote arn1', author);
    expect([code, err]).toEqual([0, '']);
    expect(
      await repository.text('platform/dist/clusters/arn1/tenants/old/tenant.yaml', 'env/arn1'),
    ).toContain('name: old');
  }),
);

test(
  'if main has no output, the branch protects the tenants',
  inProject({ ...files, '.gitignore': 'dist/\n' }, async (project) => {
    const repository = new Repository(project);
    await repository.git('init -q .');
    await repository.commit({});
    await repository.git('init -q --bare ../origin.git');
    await repository.git('remote add origin ../origin.git');
    expect(await repository.promote('fra1')).toMatchObject({ code: 0, err: '' });
    await repository.commit({ 'tenants/acme.yaml': acme(10) });
    expect((await repository.promote('fra1')).out).toContain('pods 20 -> 10');
    await repository.commit({}, 'tenants/old.yaml');
    expect((await repository.promote('fra1')).err).toContain('tenant old must be Retired');
    expect(await repository.text(NAMESPACE)).toContain('pods: "10"');
  }),
);

test(
  'a password in the address of a remote is not printed',
  inRepository(async (repository) => {
    await repository.git('remote add secret http://ci:hunter2@127.0.0.1:1/x.git');
    const { code, out, err } = await repository.promote('fra1 --remote secret');
    expect([code, out]).toEqual([1, '']);
    expect(err).toContain('127.0.0.1');
    expect(err).not.toContain('hunter2');
    const given = await repository.promote('fra1 --remote http://ci:hunter2@127.0.0.1:1/x.git');
    expect([given.code, given.err]).toEqual([1, expect.stringContaining('://***@127.0.0.1')]);
    expect(given.err).not.toContain('hunter2');
    const address = 'https://ci:hunter2@git.example.com/x.git';
    await repository.git(`config url.../origin.git.insteadOf ${address}`);
    for (const output of ['text', 'json', 'markdown']) {
      const pushed = await repository.promote(`fra1 --remote ${address} --output ${output}`);
      expect([pushed.code, pushed.out]).toEqual([0, expect.stringContaining('git.example.com')]);
      expect(pushed.out).not.toContain('hunter2');
    }
  }),
);

test(
  'the commit message contains no mentions, whatever names tenants have',
  inRepository(async (repository) => {
    await repository.promote('fra1');
    const groups = ['@team/lead', 'ann@example.com'];
    await repository.commit({ 'tenants/acme.yaml': acme(20, { access: { viewers: { groups } } }) });
    expect((await repository.promote('fra1')).out).toContain('Group @team/lead ');
    await repository.text(NAMESPACE);
    const message = await repository.git('log -1 --format=%B FETCH_HEAD');
    expect(message).toContain(String.raw`Group \u0040team/lead `);
    expect(message).toContain('Group ann@example.com ');
  }),
);

test(
  'a remote cannot be an option of Git, and the output must be below the top of the repository',
  inRepository(async (repository) => {
    const readError = async (words: string) => (await repository.promote(`fra1 ${words}`)).err;
    expect(await readError('--remote=--upload-pack=x')).toBe(
      "error --remote must be a Git remote, got '--upload-pack=x'\n",
    );
    for (const out of ['.', '..', '../elsewhere']) {
      expect(await readError(`--out ${out}`)).toBe(
        `error --out must be a folder in the repository, got '${out}'\n`,
      );
    }
  }),
);
