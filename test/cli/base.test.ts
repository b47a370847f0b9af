import { cpSync, mkdirSync, renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { commandLine, inCommitted, inProject, tenant, type Project } from './project.ts';

const files = { 'tenants/acme.yaml': tenant('acme'), 'tenants/shop.yaml': tenant('shop') };
const gone = (name: string, where = 'HEAD') =>
  `tenant ${name} must be Retired before it disappears, got Active in ${where}:`;
const notLooked = 'warning what disappears was not looked for: ';

/** Removes a tenant from both the declarations and the output. */
async function removed(project: Project, name = 'acme'): Promise<void> {
  project.remove(`tenants/${name}.yaml`);
  await project.tenantry('synth');
}

/** Returns the hash of a revision from `rev-parse`. */
async function idOf(project: Project, revision: string): Promise<string> {
  const { out } = await project.run('git', ['rev-parse', revision]);
  return out.trim();
}

test(
  'check reports the base of its comparison, as text and as JSON',
  inProject(files, async (project) => {
    const readBase = async (words: string) => {
      const text = await project.tenantry(`check ${words}`);
      const json = await project.tenantry(`check --output json ${words}`);
      expect([text.code, text.err]).toEqual([0, '']);
      const { base } = JSON.parse(json.out) as { base: object };
      return [text.out.split('\n')[1], base];
    };
    await project.tenantry('synth');
    const none = 'There is no commit to compare with.';
    expect(await readBase('')).toEqual([
      `Nothing is removed from dist without being retired or allowed. ${none}`,
      { kind: 'disk' },
    ]);
    await project.commit();
    const head = await idOf(project, 'HEAD');
    expect(await readBase('')).toEqual([
      `Nothing is removed since HEAD (${head.slice(0, 10)}) without being retired or allowed.`,
      { kind: 'git', revision: 'HEAD', commits: [head] },
    ]);
    await project.git('commit -q --allow-empty -m more');
    expect(await readBase('--base HEAD~1')).toEqual([
      `Nothing is removed since HEAD~1 (${head.slice(0, 10)}) without being retired or allowed.`,
      { kind: 'git', revision: 'HEAD~1', commits: [head] },
    ]);
    await project.git('checkout -q --detach');
    expect((await readBase('--base HEAD~1'))[1]).toMatchObject({ commits: [head] });
  }),
);

test(
  'a branch is compared with its merge base: later additions to the base do not count as removed',
  inCommitted(files, async (project) => {
    const left = await idOf(project, 'HEAD');
    await project.git('branch trunk');
    await project.git('checkout -q -b feature');
    project.write({ 'tenants/mine.yaml': tenant('mine') });
    await project.tenantry('synth');
    await project.commit();
    await project.git('checkout -q trunk');
    project.write({ 'tenants/theirs.yaml': tenant('theirs') });
    await project.tenantry('synth');
    await project.commit();
    await project.git('checkout -q feature');
    expect(await project.tenantry('check --quiet --base trunk')).toEqual({
      code: 0,
      out: '',
      err: '',
    });
    project.remove('tenants/acme.yaml');
    await project.tenantry('synth');
    const { code, err } = await project.tenantry('check --quiet --base trunk');
    expect(code).toBe(1);
    expect(err).toContain(gone('acme', `${left.slice(0, 10)}, where HEAD left trunk`));
    expect(err.match(/must be Retired/g)).toHaveLength(1);
  }),
);

test(
  'with several merge bases, nothing of any of them may disappear',
  inCommitted(files, async (project) => {
    const add = async (name: string) => {
      project.write({ [`tenants/${name}.yaml`]: tenant(name) });
      await project.tenantry('synth');
      await project.commit();
    };
    // Each branch merges the commit of the other: ex and why are common to both, and neither
    // contains the other.
    await project.git('checkout -q -b one');
    await add('ex');
    await project.git('checkout -q -b two HEAD~1');
    await add('why');
    await project.git('branch why');
    await project.git('merge -q -s ours --no-edit one');
    project.remove('tenants/why.yaml');
    await project.tenantry('synth');
    await project.commit();
    await project.git('checkout -q one');
    await project.git('merge -q -s ours --no-edit why');
    await project.git('checkout -q two');
    const { code, err } = await project.tenantry('check --quiet --base one');
    expect(code).toBe(1);
    expect(err).toContain('tenant why must be Retired before it disappears, got Active in ');
    expect(err).toContain('tenant ex must be Retired before it disappears, got Active in ');
  }),
);

test(
  'a base without common history, or that is no revision, is refused',
  inCommitted(files, async (project) => {
    const refused = async (base: string) => {
      const { code, out, err } = await project.tenantry(`check --base ${base}`);
      expect([code, out]).toEqual([1, '']);
      return err;
    };
    await project.git('branch first');
    await project.git('checkout -q --orphan other');
    const share = "error --base must share history with HEAD, got 'first', which does not\n";
    expect(await refused('first')).toBe(share);
    // With another message: the same commit in the same second would have the same hash.
    await project.git('commit -q -m other');
    expect(await refused('first')).toBe(share);
    const none = (name: string) =>
      `error --base must be a revision of this Git repository, got '${name}'\n`;
    expect(await refused('gone')).toBe(none('gone'));
    expect(await refused('HEAD:dist')).toBe(none('HEAD:dist'));
    expect(await refused('--all')).toBe("error --base must be a Git revision, got '--all'\n");
  }),
);

test(
  'a shallow clone does not know the merge base, and the message explains how to fetch it',
  inCommitted(files, async (project) => {
    await project.git('branch trunk');
    await project.git('commit -q --allow-empty -m more');
    const url = `file://${encodeURI(project.folder)}/.git`;
    const clone = (depth: number) =>
      project.run('git', [
        'clone',
        '-q',
        '--no-single-branch',
        `--depth=${depth}`,
        url,
        `d${depth}`,
      ]);
    const check = (depth: number, base: string) => {
      const inside = ['-c', `cd d${depth} && exec "$@"`, 'sh', process.execPath, commandLine];
      return project.run('sh', [...inside, 'check', '--quiet', '--base', base]);
    };
    await clone(1);
    const fetch = 'fetch all of it (`git fetch --unshallow`, a fetch-depth or GIT_DEPTH of 0)\n';
    expect(await check(1, 'origin/trunk')).toMatchObject({
      code: 1,
      err: `error --base must be a revision whose common history with HEAD is here, got 'origin/trunk' in a shallow clone: ${fetch}`,
    });
    expect(await check(1, 'HEAD~1')).toMatchObject({
      code: 1,
      err: `error --base must be a revision of this Git repository, got 'HEAD~1', which is a shallow clone: ${fetch}`,
    });
    await clone(2);
    expect(await check(2, 'HEAD~1')).toEqual({ code: 0, out: '', err: '' });
  }),
);

test(
  'if removals cannot be checked, a warning explains why, also in JSON and with --quiet',
  inProject(files, async (project) => {
    const runCheck = async (words = '') => {
      const { code, err } = await project.tenantry(`check --quiet ${words}`);
      const json = await project.tenantry(`check --output json ${words}`);
      const { warnings, base } = JSON.parse(json.out) as {
        warnings: { rule: string; message: string }[];
        base: { kind: string };
      };
      expect(warnings.map(({ message }) => `warning ${message} (base)\n`).join('')).toBe(err);
      expect(warnings.every(({ rule }) => rule === 'base')).toBe(true);
      return [code, base.kind, err];
    };
    project.write({ '.gitignore': 'dist/\n' });
    await project.commit();
    await project.tenantry('synth');
    expect(await runCheck()).toEqual([
      0,
      'none',
      `${notLooked}HEAD has no dist, which a .gitignore leaves out (base)\n`,
    ]);
    project.remove('.gitignore');
    expect(await runCheck()).toEqual([0, 'none', `${notLooked}HEAD has no dist (base)\n`]);
    const zero = '0'.repeat(40);
    expect(await runCheck(`--base ${zero}`)).toEqual([
      0,
      'none',
      `${notLooked}${zero} names no commit: CI sets this value if there was no previous commit (base)\n`,
    ]);
    await project.commit();
    expect(await runCheck()).toEqual([0, 'git', '']);
    const { err } = await project.tenantry('check --quiet', { CI: 'true' });
    const advice = 'in CI give --base, such as origin/main';
    expect(err).toBe(`${notLooked}HEAD is the commit that is checked; ${advice} (base)\n`);
    expect((await project.tenantry('check', { CI: 'true' })).out).toContain(' since HEAD (');
  }),
);

test(
  'an unreadable repository and a machine without Git are not treated as a folder outside of Git',
  inCommitted(files, async (project) => {
    await removed(project);
    renameSync(join(project.folder, '.git/HEAD'), join(project.folder, '.git/HERD'));
    const { code, err } = await project.tenantry('check --quiet');
    expect(code).toBe(0);
    expect(err).toContain(`${notLooked}Git must list what was committed, got: fatal: not a git`);
    const named = await project.tenantry('check --quiet --base HEAD');
    expect(named.code).toBe(1);
    expect(named.err).toContain(
      "of this Git repository, got 'HEAD'; Git reports: fatal: not a git",
    );
    const without = await project.tenantry('check --quiet', { PATH: '' });
    expect(without.err).toContain('Git must list what was committed, got: no git on the PATH');
  }),
);

test(
  'a Git hook, a linked working tree and a submodule are checked like any other repository',
  inCommitted(files, async (project) => {
    await removed(project);
    // Git sets paths relative to the root for a hook, and the output may be in another repository.
    const hook = { GIT_DIR: '.git', GIT_INDEX_FILE: '.git/index', GIT_PREFIX: '' };
    mkdirSync(join(project.folder, 'deploy'));
    renameSync(join(project.folder, 'dist'), join(project.folder, 'deploy/dist'));
    project.write({ 'tenants/acme.yaml': files['tenants/acme.yaml'] });
    await project.tenantry('synth --out deploy/dist');
    await project.commit();
    project.remove('tenants/acme.yaml');
    await project.tenantry('synth --out deploy/dist');
    const inHook = await project.tenantry('check --quiet --out deploy/dist', hook);
    expect(inHook.err).toContain(gone('acme'));
    await project.git('checkout -q .');
    renameSync(join(project.folder, 'deploy/dist'), join(project.folder, 'dist'));
    await project.commit();
    await project.git('worktree add -q linked');
    const linked = '--tenants linked/tenants --out linked/dist';
    project.remove('linked/tenants/shop.yaml');
    await project.tenantry(`synth ${linked}`);
    expect((await project.tenantry(`check --quiet ${linked}`)).err).toContain(gone('shop'));
    // A submodule has its own `.git`.
    await project.git('init -q outer');
    cpSync(join(project.folder, 'dist'), join(project.folder, 'outer/dist'), { recursive: true });
    await project.git('-C outer init -q dist');
    await project.git('-C outer/dist add -A');
    await project.git('-C outer/dist commit -q -m all');
    await project.git('-C outer add -A');
    await project.git('-C outer commit -q -m all');
    const outer = '--tenants tenants --out outer/dist';
    project.write({ 'tenants/shop.yaml': tenant('shop', { lifecycle: 'Suspended' }) });
    project.remove('tenants/acme.yaml');
    await project.tenantry(`synth ${outer}`);
    expect((await project.tenantry(`check --quiet ${outer}`)).err).toContain(gone('acme'));
    project.remove('outer/dist');
    mkdirSync(join(project.folder, 'outer/dist'));
    expect((await project.tenantry(`check --quiet ${outer}`)).err).toContain(
      `${notLooked}HEAD has a submodule in the place of outer/dist, which was not fetched (base)\n`,
    );
  }),
);

test(
  'a base in which the output was a link is not treated as empty',
  inProject(files, async (project) => {
    await project.tenantry('synth --out real');
    symlinkSync('real', join(project.folder, 'dist'));
    await project.commit();
    project.remove('dist', 'tenants/acme.yaml');
    await project.tenantry('synth');
    expect((await project.tenantry('check --quiet')).err).toContain(
      `${notLooked}HEAD has a link in the place of dist; real is another output in it (base)\n`,
    );
  }),
);

test(
  'a moved output is compared with its old place, and an output that still exists is named',
  inProject(files, async (project) => {
    await project.tenantry('synth --out old/dist');
    await project.commit();
    project.remove('tenants/acme.yaml');
    await project.tenantry('synth');
    expect((await project.tenantry('check --quiet')).err).toBe(
      `${notLooked}HEAD has no dist; old/dist is another output in it (base)\n`,
    );
    project.remove('old');
    const { code, err } = await project.tenantry('check --quiet');
    expect(code).toBe(1);
    expect(err).toContain(gone('acme'));
    expect(err).not.toContain('shop');
  }),
);

test(
  'files that the base stores only as pointers are named',
  inProject(files, async (project) => {
    await project.tenantry('synth');
    const file = 'dist/clusters/in-cluster/tenants/acme/namespace-acme.yaml';
    const text = project.tree()[file]!;
    project.write({
      [file]: 'version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 3\n',
    });
    await project.commit();
    project.write({ [file]: text });
    expect((await project.tenantry('check --quiet')).err).toBe(
      `${notLooked}${file.slice(5)} must be YAML of Kubernetes objects, got something else in HEAD (base)\n`,
    );
  }),
);

test(
  'a checkout with CRLF line ends is distinguished from manual edits',
  inCommitted(files, async (project) => {
    await project.git('clone -q . desk -c core.autocrlf=true');
    const desk = '--tenants desk/tenants --out desk/dist';
    const { code, err } = await project.tenantry(`check --quiet ${desk}`);
    expect(code).toBe(1);
    expect(err).toContain('got 28 files that are not:\n  differs  desk/dist/.gitattributes\n');
    const advice = 'add `desk/dist/** -text` to .gitattributes, and check it out again.\n';
    expect(err).toContain(
      `Lines of desk/dist/.gitattributes end with CRLF, as Git writes them with core.autocrlf: ${advice}`,
    );
    project.write({ '.gitattributes': 'dist/** -text\n' });
    await project.git('add .gitattributes');
    await project.git('commit -q -m attributes');
    project.remove('desk');
    await project.git('clone -q . desk -c core.autocrlf=true');
    expect(await project.tenantry(`check --quiet ${desk}`)).toEqual({ code: 0, out: '', err: '' });
  }),
);
