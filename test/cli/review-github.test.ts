import { expect, test } from '@jest/globals';
import { HEAD, OLD, inGitHub, planOf, type Pipeline } from './forge/pipeline.ts';
import type { GitHubApi } from './forge/github-api.ts';
import { inProject, platform } from './project.ts';

const MARKER = '<!-- tenantry plan -->';
const bot = { id: 41, name: 'github-actions[bot]', isBot: true };
const ann = { id: 2, name: 'Ann' };
const ben = { id: 3, name: 'ben' };
const files = { 'plan.json': planOf(['@ann', '@acme/shop']), 'plan.md': '### Plan: 1 change\n' };

const onGitHub = (body: (pipeline: Pipeline<GitHubApi>) => Promise<void>, isFork = false) =>
  inProject(files, (project) => inGitHub(project, isFork)(body));

test(
  'the plan is one comment that each run updates',
  onGitHub(async ({ api, run, project }) => {
    expect(await run('comment plan.md')).toEqual({
      code: 0,
      out: 'the comment is created\n',
      err: '',
    });
    project.write({ 'plan.md': '### Plan: 2 changes\n', 'notes.md': '- a note\n' });
    expect((await run('comment plan.md notes.md')).out).toBe('the comment is updated\n');
    expect(api.comments).toEqual([
      {
        id: 100,
        by: expect.objectContaining(bot),
        body: `${MARKER}\n### Plan: 2 changes\n\n- a note\n\nThis is the plan of commit <code>aaaaaaaaaa</code>.\n`,
      },
    ]);
  }),
);

test(
  'a comment of somebody else with the marker is not touched, on whatever page it is',
  onGitHub(async ({ api, run }) => {
    const forged = api.add({ id: 1, name: 'author' }, `${MARKER}\napproved by everybody`);
    const named = api.add({ id: 9, name: 'github-actions' }, `${MARKER}\napproved`);
    for (let i = 0; i < 150; i++) api.add(ben, `comment ${i}`);
    api.add(bot, `another workflow quotes\n${MARKER}`);
    const own = api.add(bot, `${MARKER}\r\nthe plan before`);
    expect((await run('comment plan.md')).out).toBe('the comment is updated\n');
    expect(api.comments).toHaveLength(154);
    expect(api.comments.slice(0, 2)).toEqual([forged, named]);
    expect(api.comments.find(({ id }) => id === own.id)?.body).toContain('### Plan: 1 change');
  }),
);

test(
  'of several comments with the plan, the oldest stays',
  onGitHub(async ({ api, run }) => {
    for (const text of ['first', 'second', 'third']) api.add(bot, `${MARKER}\n${text}`);
    expect((await run('comment plan.md')).code).toBe(0);
    expect(api.comments.map(({ id }) => id)).toEqual([100]);
  }),
);

test(
  'a plan that is longer than a comment is cut after a whole line',
  onGitHub(async ({ api, run, project }) => {
    const rows = Array.from({ length: 3000 }, (_, i) => `| low | here | change ${i} of 3000 |`);
    project.write({
      'plan.md': ['# Plan', '<details>', '', ...rows, '', '</details>', ''].join('\n'),
    });
    expect(await run('comment plan.md')).toMatchObject({ code: 0, err: '' });
    const body = api.comments[0]?.body ?? '';
    expect(body.length).toBeGreaterThan(64_900);
    expect(body).toMatch(
      /of 3000 \|\n\n<\/details>\n\nThe rest is too long for a comment: run `tenantry plan`\.\n\nThis is/,
    );
    project.write({ 'plan.md': 'x'.repeat(70_000) });
    expect((await run('comment plan.md')).code).toBe(0);
    expect(api.comments[0]?.body).toContain(`${MARKER}\n\n\nThe rest is too long`);
    project.write({ 'plan.md': '' });
    await run('comment plan.md');
    expect(api.comments[0]?.body).toContain('There is no plan for this commit');
  }),
);

test(
  'an approval counts if it is the last decision of its reviewer and for this commit',
  onGitHub(async ({ api, run }) => {
    const approve = (id: number, name: string, commit = HEAD) =>
      api.reviews.push({ by: { id, name }, state: 'APPROVED', commit });
    approve(10, 'first');
    for (let i = 0; i < 120; i++) api.reviews.push({ by: ben, state: 'COMMENTED', commit: HEAD });
    approve(1, 'author');
    approve(11, 'outdated', OLD);
    approve(12, 'changed-her-mind');
    api.reviews.push({
      by: { id: 12, name: 'changed-her-mind' },
      state: 'CHANGES_REQUESTED',
      commit: HEAD,
    });
    api.reviews.push({ by: { id: 13, name: 'dismissed' }, state: 'DISMISSED', commit: HEAD });
    api.reviews.push({
      by: { id: 14, name: 'agreed-later' },
      state: 'CHANGES_REQUESTED',
      commit: OLD,
    });
    approve(14, 'agreed-later');
    api.reviews.push({ by: { id: 14, name: 'agreed-later' }, state: 'COMMENTED', commit: HEAD });
    api.reviews.push({ by: bot, state: 'APPROVED', commit: HEAD });
    api.reviews.push({ by: undefined, state: 'APPROVED', commit: HEAD });
    const { code, out, err } = await run('approvals plan.json --notes notes.md');
    expect([code, out]).toEqual([0, '@first,@agreed-later\n']);
    expect(err).toContain('note: @outdated approved an earlier commit: review this one\n');
  }),
);

test(
  'a team approves through a member, if the token may read teams',
  onGitHub(async ({ api, run, project }) => {
    api.teams.set('acme/shop', ['cy', 'BEN']);
    api.reviews.push({ by: ben, state: 'APPROVED', commit: HEAD });
    const denied = await run('approvals plan.json --notes notes.md');
    expect(denied).toMatchObject({ code: 0, out: '@ben\n' });
    expect(denied.err).toContain(
      'note: the members of @acme/shop cannot be read with this token (403): ',
    );
    // Words with signs that a forge would turn into mentions are code.
    expect(project.tree()['notes.md']).toContain(
      '- the members of <code>&#64;acme/shop</code> cannot',
    );
    const may = { GITHUB_TOKEN: 'ghs-with-teams' };
    const allowed = await run('approvals plan.json', may);
    expect(allowed).toMatchObject({ code: 0, out: '@ben,@acme/shop\n' });
    // The team of the platform does not exist.
    expect(allowed.err).toContain('@acme/platform cannot be read with this token (404)');
    const text = await run('approvals plan.json --output json', may);
    expect(JSON.parse(text.out)).toMatchObject({ names: ['@ben', '@acme/shop'] });
  }),
);

test(
  'a token of its own may read teams, and writes nothing',
  onGitHub(async ({ api, run, project }) => {
    api.teams.set('acme/shop', ['ben']);
    api.reviews.push({ by: ben, state: 'APPROVED', commit: HEAD });
    const teams = { GITHUB_TEAMS_TOKEN: 'ghs-with-teams' };
    expect((await run('approvals plan.json', teams)).out).toBe('@ben,@acme/shop\n');
    const empty = await run('approvals plan.json', { GITHUB_TEAMS_TOKEN: '' });
    expect([empty.out, empty.err]).toEqual(['@ben\n', expect.stringContaining('(403)')]);
    project.write({ 'plan.json': planOf(['@ann']) });
    expect(
      (await run('status plan.json', { ...teams, GITHUB_TOKEN: 'ghs-of-a-fork' })).err,
    ).toContain('the token needs pull-requests: write and statuses: write');
    expect(api.statuses).toEqual([]);
  }),
);

/** The event of a merge queue, for the pull request of the double. */
const merge_group = {
  head_sha: OLD,
  head_ref: `refs/heads/gh-readonly-queue/release/1.x/pr-7-${'c'.repeat(40)}`,
  base_sha: 'c'.repeat(40),
};

test(
  'in a merge queue, approvals are those of the pull request, the status is for the queue, and no comment is written',
  onGitHub(async ({ api, run, project }) => {
    project.write({ 'event.json': JSON.stringify({ merge_group }) });
    api.reviews.push({ by: ann, state: 'APPROVED', commit: HEAD });
    api.reviews.push({ by: ben, state: 'APPROVED', commit: OLD });
    api.reviews.push({ by: { id: 1, name: 'author' }, state: 'APPROVED', commit: HEAD });
    expect((await run('approvals plan.json')).out).toBe('@Ann\n');
    project.write({ 'plan.json': planOf(['@ann'], ['@ann']) });
    expect((await run('status plan.json')).code).toBe(0);
    expect(api.statuses).toMatchObject([{ sha: OLD, state: 'success' }]);
    const text = await run('comment plan.md');
    expect([text.code, text.out]).toEqual([
      0,
      'the comment is skipped: a merge queue tests the request, and the comment has its plan already\n',
    ]);
    const json = JSON.parse((await run('comment plan.md --output json')).out) as object;
    expect(json).toMatchObject({ comment: 'skipped', reason: expect.stringContaining('queue') });
    expect(api.comments).toEqual([]);
  }),
);

test.each([
  { ...merge_group, head_ref: 'refs/heads/pr-7' },
  { ...merge_group, head_ref: `refs/heads/gh-readonly-queue/main/pr-x-${OLD}` },
  { ...merge_group, head_sha: 'main' },
])('a merge group that names no pull request is an error: $head_ref, $head_sha', async (wrong) => {
  await onGitHub(async ({ api, run, project }) => {
    project.write({ 'event.json': JSON.stringify({ merge_group: wrong }) });
    const { code, err } = await run('status plan.json');
    expect([code, err]).toEqual([1, expect.stringContaining('must be one of a pull request')]);
    expect(api.requests).toEqual([]);
  })();
});

test(
  'an owner of the platform counts through a team, although the plan names only the owners of a tenant',
  onGitHub(async ({ api, run, project }) => {
    const need = { party: 'owners', tenants: ['shop'], owners: ['@cy'], approvedBy: [] };
    const review = { agreement: 'owners', needs: [need], isApproved: false };
    project.write({
      'plan.json': JSON.stringify({ command: 'plan', outcome: 'done', review, changes: [] }),
      'tenantry.yaml': platform({ delegation: { owners: ['@acme/admins'] } }),
    });
    api.teams.set('acme/admins', ['ben']);
    api.reviews.push({ by: ben, state: 'APPROVED', commit: HEAD });
    const { code, out } = await run('approvals plan.json', { GITHUB_TOKEN: 'ghs-with-teams' });
    expect([code, out]).toEqual([0, '@ben,@acme/admins\n']);
  }),
);

test(
  'a team that is named like a path reads no other part of the API',
  onGitHub(async ({ api, run, project }) => {
    project.write({ 'plan.json': planOf(['@acme/..', '@acme/%2e%2e', 'ann@example.com']) });
    api.reviews.push({ by: ann, state: 'APPROVED', commit: HEAD });
    const { code, out, err } = await run('approvals plan.json', { GITHUB_TOKEN: 'ghs-with-teams' });
    expect([code, out]).toEqual([0, '@Ann\n']);
    expect(err).toContain('the members of @acme/.. cannot be read');
    expect(err).toContain('ann@example.com is an email address, which no approval names');
    expect(api.requests.filter((one) => one.includes('/orgs/'))).toEqual([
      'GET /orgs/acme/teams/platform/members',
      'GET /orgs/acme/teams/%252e%252e/members',
    ]);
  }),
);

test(
  'the verdict is a status of the commit',
  onGitHub(async ({ api, run, project }) => {
    const refused = await run('status plan.json');
    expect(refused).toMatchObject({ code: 1, err: '' });
    project.write({ 'plan.json': planOf(['@ann'], ['@ann']) });
    expect(await run('status plan.json')).toEqual({
      code: 0,
      out: 'success: approved by @ann\n',
      err: '',
    });
    project.write({ 'plan.json': '' });
    expect(await run('status plan.json')).toMatchObject({
      code: 1,
      out: 'failure: there is no plan\n',
    });
    project.write({
      'plan.json': JSON.stringify({ command: 'plan', outcome: 'refused', problems: [{}, {}] }),
    });
    expect(await run('status plan.json')).toMatchObject({
      code: 1,
      out: 'failure: 2 problems in the tenants\n',
    });
    expect(api.statuses.map(({ state }) => state)).toEqual([
      'failure',
      'success',
      'failure',
      'failure',
    ]);
    expect(api.statuses[0]).toEqual({
      sha: HEAD,
      state: 'failure',
      context: 'tenantry/review',
      description:
        'not approved: the platform (@acme/platform); the owners of shop (@ann @acme/shop)',
      target_url: 'https://github.example.com/acme/tenants/actions/runs/12',
    });
    const many = Array.from({ length: 40 }, (_, i) => `@owner-${i}`);
    project.write({ 'plan.json': planOf(many) });
    expect((await run('status plan.json')).code).toBe(1);
  }),
);

test(
  'a request to another branch does not set the status that the default branch requires',
  onGitHub(async ({ api, run, project }) => {
    const path = 'event.json';
    const event = project.tree()[path]!;
    project.write({
      [path]: event.replace('"ref":"main"', '"ref":"side"'),
      'plan.json': planOf(['@ann'], ['@ann']),
    });
    expect((await run('status plan.json')).code).toBe(0);
    project.write({ [path]: event });
    expect((await run('status plan.json')).code).toBe(0);
    expect(api.statuses.map(({ context }) => context)).toEqual([
      'tenantry/review (side)',
      'tenantry/review',
    ]);
  }),
);

test(
  'a fork has no token that may write: nothing is written, and the exit code states the verdict',
  onGitHub(async ({ api, run, project }) => {
    expect(await run('comment plan.md')).toEqual({
      code: 0,
      out: 'the comment is skipped: the request is from a fork, whose token lacks the right (403)\n',
      err: '',
    });
    expect(await run('status plan.json')).toMatchObject({ code: 1, err: '' });
    project.write({ 'plan.json': planOf(['@ann'], ['@ann']) });
    expect((await run('status plan.json')).code).toBe(0);
    expect([api.comments, api.statuses]).toEqual([[], []]);
  }, true),
);
