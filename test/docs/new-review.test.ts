import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { runWorkflow } from '../action/run-workflow.ts';
import { GitHubApi } from '../cli/forge/github-api.ts';
import { tokens } from '../cli/forge/pipeline.ts';
import { Project, repository, type Ended } from '../cli/project.ts';
import { act } from '../go/act.ts';
import { testUnless } from '../skipping.ts';
import { place } from '../synth/output/folders.ts';
import { readPage, readSection, type Block } from './pages.ts';
import { Shell } from './shell.ts';

const program = await act();
const testWithAct = testUnless(program === undefined ? 'no act' : undefined);
const project = new Project(mkdtempSync(join(tmpdir(), 'tenantry-review-')), {});
const work = join(project.folder, '..');
const tenants = join(project.folder, 'tenants');
const address = 'https://github.com/acme/tenants.git';
const origin = join(work, 'origin.git');
const environment = {
  GIT_AUTHOR_NAME: 't',
  GIT_AUTHOR_EMAIL: 't@example.com',
  GIT_COMMITTER_NAME: 't',
  GIT_COMMITTER_EMAIL: 't@example.com',
  GIT_CONFIG_GLOBAL: join(work, 'gitconfig'),
};
/** As `npm install` does, this puts the package into node_modules. */
const install = `[ "$1" = install ]
mkdir -p node_modules/.bin node_modules/tenantry
cp "$(command -v tenantry)" node_modules/.bin/tenantry
cp -R '${join(repository, 'action')}' node_modules/tenantry/action
`;
const shell = new Shell(project.folder, { npm: install, npx: 'shift\nexec tenantry "$@"\n' });
const api = new GitHubApi(tokens);

beforeAll(async () => {
  place(work, { gitconfig: `[url "${origin}"]\n  insteadOf = ${address}\n` });
  await shell.run(`git init --quiet --bare --initial-branch main '${origin}'`);
  await api.start();
});
afterAll(() => {
  api.stop();
  rmSync(work, { recursive: true, force: true });
});

const section = readSection('docs/review.md', 'In a new repository');

async function run(script: string): Promise<Ended> {
  const ended = await shell.run(script, environment);
  expect({ script, code: ended.code, err: ended.code === 0 ? '' : ended.err }).toEqual({
    script,
    code: 0,
    err: '',
  });
  return ended;
}

const inTenants = (script: string): Promise<Ended> => run(`cd tenants\n${script}`);

const indent = (text: string, by: number): string => text.replaceAll(/^(?=.)/gm, ' '.repeat(by));

/** Edits the repository as the page describes before a block of YAML. */
function edit({ text }: Block): void {
  const read = (path: string): string => readFileSync(join(tenants, path), 'utf8');
  if (text.startsWith('delegation:')) {
    const before = read('tenantry.yaml');
    const after = before.replace(/^ {2}delegation:\n {4}.*\n/m, indent(text, 2));
    expect(after).not.toBe(before);
    place(tenants, { 'tenantry.yaml': after });
  } else if (text.startsWith('- ')) {
    const before = read('tenants/shop/shop.yaml');
    const after = before.replace(/^ *- \{ name: shop-dev.*\n/m, indent(text, 4));
    expect(after).not.toBe(before);
    place(tenants, { 'tenants/shop/shop.yaml': after });
  } else place(tenants, { 'tenants/shop/shop.yaml': text });
}

test('a reader of the section gets the shown plan, which only the team of the tenant must agree to', async () => {
  let last = '';
  let begun = false;
  for (const block of section.blocks) {
    if (block.language === 'yaml') edit(block);
    else if (block.language === 'text') {
      expect(last).toContain(block.text.replace(/\n$/, ''));
    } else {
      last = (await (begun ? inTenants : run)(block.text)).out;
      begun = true;
      // A person merges the pull request on the forge.
      if (block.text.endsWith('git push origin shop\n')) {
        await run(`git -C '${origin}' branch --quiet --force main shop`);
      }
    }
  }
  const check = 'tenantry check --base origin/main && tenantry tenant codeowners --check';
  await inTenants(check);
  await inTenants('tenantry plan --base origin/main --approved-by @acme/shop');
});

test('the other commands of the page work there', async () => {
  const others = readPage('docs/review.md')
    .blocks.filter(({ language }) => language === 'sh')
    .filter(({ text }) => !section.blocks.some((block) => block.text === text));
  expect(others.map(({ text }) => text)).toHaveLength(1);
  for (const { text } of others) await inTenants(text);
});

/** The workflow that init wrote, without what needs a network. */
function readWorkflow(): string {
  const text = readFileSync(join(tenants, '.github/workflows/review.yaml'), 'utf8');
  return text
    .replace(/ {6}- uses: actions\/setup-node(.*\n)(?: {8}.*\n)*/, '')
    .replace('      - run: npm ci\n', '');
}

const runReview = (event: 'pull_request' | 'merge_group', payload: object): Promise<Ended> =>
  runWorkflow(project, {
    program: program!,
    api,
    workflow: readWorkflow(),
    folder: 'tenants',
    event,
    payload,
    secrets: { GITHUB_TOKEN: 'ghs-of-the-workflow', TENANTRY_TEAMS_TOKEN: 'ghs-with-teams' },
    cache: join(work, 'cache'),
  });

const ben = { id: 3, name: 'ben' };

testWithAct(
  'the workflow of init: the owners agree, and a member of their team makes it green',
  async () => {
    const commit = (await inTenants('git rev-parse HEAD')).out.trim();
    const pull_request = {
      number: 7,
      user: { login: 'author' },
      head: { sha: commit, ref: 'more-pods', repo: { full_name: 'acme/tenants' } },
      base: { ref: 'main' },
    };
    api.head = commit;
    api.teams.set('acme/shop', ['author', 'ben']);
    api.teams.set('acme/platform', ['pat']);
    const refused = await runReview('pull_request', { pull_request, ...onMain });
    expect([refused.code, refused.out + refused.err]).toEqual([
      1,
      expect.stringContaining('failure: not approved: the owners of shop (@acme/shop)'),
    ]);
    api.reviews.push({ by: ben, state: 'APPROVED', commit });
    const approved = await runReview('pull_request', { pull_request, ...onMain });
    expect([approved.code, approved.out + approved.err]).toEqual([
      0,
      expect.stringContaining('success: approved by @acme/shop'),
    ]);
    expect(api.comments).toHaveLength(1);
    expect(api.comments[0]?.body).toContain('pods 20 -&#62; 40');
    expect(api.statuses.map(({ sha, state }) => [sha, state])).toEqual([
      [commit, 'failure'],
      [commit, 'success'],
    ]);
  },
);

const onMain = { repository: { default_branch: 'main' } };

/** The group of a merge queue in which a commit is on top of another one. */
const groupOf = (head_sha: string, base_sha: string) => ({
  merge_group: {
    head_sha,
    head_ref: `refs/heads/gh-readonly-queue/main/pr-7-${base_sha}`,
    base_sha,
    base_ref: 'refs/heads/main',
  },
  ...onMain,
});

testWithAct(
  'in a merge queue, the change of one request is judged again on top of those ahead',
  async () => {
    // The entry ahead changes the platform, which @acme/shop may not agree to.
    const ahead = `git switch --quiet --create queue main
sed -i 's/pods: 80/pods: 70/' tenants/payments.yaml
tenantry synth --quiet
git commit --quiet --all --message 'Change payments'
git rev-parse HEAD`;
    const base = (await inTenants(ahead)).out.trim().split('\n').at(-1)!;
    await inTenants('git merge --quiet --no-edit more-pods');
    const head = (await inTenants('git rev-parse HEAD')).out.trim();
    const before = api.comments.map(({ body }) => body);
    const queued = await runReview('merge_group', groupOf(head, base));
    expect([queued.code, queued.out + queued.err]).toEqual([
      0,
      expect.stringContaining('success: approved by @acme/shop'),
    ]);
    const context = 'tenantry/review';
    expect(api.statuses.at(-1)).toMatchObject({ sha: head, state: 'success', context });
    expect(api.comments.map(({ body }) => body)).toEqual(before);
    // On main itself, the group would bring both changes, and nobody has agreed to the other one.
    const main = (await inTenants('git rev-parse main')).out.trim();
    const both = await runReview('merge_group', groupOf(head, main));
    expect([both.code, both.out + both.err]).toEqual([1, expect.stringContaining('not approved')]);
    expect(api.statuses.at(-1)).toMatchObject({ sha: head, state: 'failure' });
    api.reviews.push({ by: ben, state: 'CHANGES_REQUESTED', commit: api.head });
    const withdrawn = await runReview('merge_group', groupOf(head, base));
    expect(withdrawn.code).toBe(1);
  },
);
