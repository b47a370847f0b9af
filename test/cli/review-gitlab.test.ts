import { expect, test } from '@jest/globals';
import { HEAD, OLD, inGitLab, planOf, type Pipeline } from './forge/pipeline.ts';
import type { GitLabApi } from './forge/gitlab-api.ts';
import { inProject } from './project.ts';

const MARKER = '<!-- tenantry plan -->';
const bot = { id: 77, name: 'project_42_bot' };
const ann = { id: 2, name: 'ann' };
const ben = { id: 3, name: 'ben' };
const files = {
  'plan.json': planOf(['@acme/shop', '@platform']),
  'plan.md': '### Plan: 1 change\n',
};

const onGitLab = (body: (pipeline: Pipeline<GitLabApi>) => Promise<void>, isFork = false) =>
  inProject(files, (project) => inGitLab(project, isFork)(body));

test(
  'the plan is one note of the bot that each run updates, and notes of others stay',
  onGitLab(async ({ api, run, project }) => {
    const forged = api.add(ann, `${MARKER}\napproved`);
    for (let i = 0; i < 130; i++) api.add(ann, `note ${i}`);
    const event = api.add(bot, MARKER, true);
    expect((await run('comment plan.md')).out).toBe('the comment is created\n');
    project.write({ 'plan.md': '### Plan: 2 changes\n' });
    expect((await run('comment plan.md')).out).toBe('the comment is updated\n');
    api.add(bot, `${MARKER}\nfrom a job at the same time`);
    expect((await run('comment plan.md')).out).toBe('the comment is updated\n');
    expect(api.notes).toHaveLength(133);
    expect([api.notes[0], api.notes[131]]).toEqual([forged, event]);
    expect(api.notes[132]?.body).toContain(`${MARKER}\n### Plan: 2 changes\n`);
  }),
);

test(
  'an approval counts if it is not older than the push of the commit',
  onGitLab(async ({ api, run }) => {
    const old = [
      { commit: HEAD, at: '2026-01-01T09:00:00Z' },
      { commit: OLD, at: '2026-01-01T10:00:00Z' },
    ];
    api.versions.push({ commit: HEAD, at: '2026-01-01T12:00:00.000Z' }, ...old);
    api.approvals.push(
      { by: ann, at: '2026-01-01T12:00:01.000Z' },
      { by: ben, at: '2026-01-01T11:00:00.000Z' },
    );
    api.approvals.push({ by: api.author, at: '2026-01-01T13:00:00.000Z' });
    const { code, out, err } = await run('approvals plan.json');
    expect([code, out]).toEqual([0, '@ann\n']);
    expect(err).toContain('note: @ben approved an earlier commit: review this one\n');
  }),
);

test(
  'approvals without a time count only if the project removes them at each push',
  onGitLab(async ({ api, run }) => {
    api.versions.push({ commit: HEAD, at: '2026-01-01T12:00:00.000Z' });
    api.approvals.push({ by: ann });
    const unknown = await run('approvals plan.json');
    expect(unknown).toMatchObject({ code: 0, out: '\n' });
    expect(unknown.err).toContain('note: GitLab does not report when somebody approved');
    api.isResetOnPush = false;
    expect((await run('approvals plan.json')).out).toBe('\n');
    api.isResetOnPush = true;
    expect((await run('approvals plan.json')).out).toBe('@ann\n');
  }),
);

test(
  'a group approves through an active member who may approve',
  onGitLab(async ({ api, run, project }) => {
    project.write({
      'plan.json': planOf(['@acme/shop', '@acme/shop/guests', '@platform', '@somebody']),
    });
    const member = { ...ann, state: 'active', role: 30 } as const;
    api.groups.set('acme/shop', [member]);
    api.groups.set('platform', [
      { ...member, state: 'blocked' },
      { ...ben, state: 'active', role: 50 },
    ]);
    api.groups.set('acme/shop/guests', [{ ...member, role: 20 }]);
    api.versions.push({ commit: HEAD, at: '2026-01-01T12:00:00.000Z' });
    api.approvals.push({ by: ann, at: '2026-01-01T12:30:00.000Z' });
    const { code, out, err } = await run('approvals plan.json');
    expect([code, out]).toEqual([0, '@ann,@acme/shop\n']);
    // A name without a slash may be an account: only a group below another one is reported.
    expect(err.split('\n').filter(Boolean)).toEqual([
      expect.stringContaining(
        'note: the members of @acme/platform cannot be read with this token (404)',
      ),
    ]);
  }),
);

test(
  'the result of the job is the status, and a fork needs no token for it',
  onGitLab(async ({ api, run, project }) => {
    expect((await run('comment plan.md')).out).toContain(
      'skipped: the pipeline of a fork has no GITLAB_TOKEN',
    );
    expect(await run('approvals plan.json')).toMatchObject({ code: 0, out: '\n' });
    expect((await run('status plan.json')).code).toBe(1);
    project.write({ 'plan.json': planOf(['@ann'], ['@ann']) });
    expect(await run('status plan.json')).toMatchObject({ code: 0, err: '' });
    expect(api.requests).toEqual([]);
  }, true),
);

test(
  'outside of a fork the token is required, and no request is made without it',
  onGitLab(async ({ api, run }) => {
    const none = { GITLAB_TOKEN: undefined };
    expect(await run('comment plan.md', none)).toEqual({
      code: 1,
      out: '',
      err: 'error GITLAB_TOKEN must be a token, got nothing\n',
    });
    expect(api.requests).toEqual([]);
    const wrong = await run('comment plan.md', { GITLAB_TOKEN: 'glpat-unknown' });
    expect(wrong.code).toBe(1);
    expect(wrong.err).toBe(
      'error GitLab GET /api/v4/user: 401: Bad credentials: the token needs the scope api and the role Reporter in the project\n',
    );
    const branch = await run('comment plan.md', { CI_MERGE_REQUEST_IID: undefined });
    expect(branch).toMatchObject({
      code: 1,
      err: expect.stringContaining('the pipeline must be one of a merge request'),
    });
  }),
);
