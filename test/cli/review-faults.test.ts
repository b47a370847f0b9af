import { expect, test } from '@jest/globals';
import { inGitHub, planOf } from './forge/pipeline.ts';
import { inProject } from './project.ts';

const files = { 'plan.json': planOf(['@ann']), 'plan.md': '### Plan\n' };

test(
  'an error of the forge is one line, with the exit code of who can correct it',
  inProject(files, (project) =>
    inGitHub(project)(async ({ api, run }) => {
      api.faults.push({
        status: 403,
        value: { message: 'Resource not accessible by integration' },
      });
      expect(await run('status plan.json')).toEqual({
        code: 1,
        out: '',
        err: 'error GitHub POST /repos/acme/tenants/statuses/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa: 403: Resource not accessible by integration: the token needs pull-requests: write and statuses: write in the permissions of the job, or of the token\n',
      });
      api.faults.push({ status: 502, headers: { 'retry-after': '90' } });
      expect(await run('comment plan.md')).toEqual({
        code: 2,
        out: '',
        err: 'error GitHub POST /graphql: 502; it accepts requests again in 90 s\n',
      });
      api.faults.push({ status: 429, headers: { 'retry-after': '0' } });
      expect((await run('comment plan.md')).code).toBe(0);
      api.faults.push({ status: 400, value: { message: 'no\u001b[2J\u202e' } });
      expect((await run('approvals plan.json')).err).toContain(': 400: no\\u001b[2J\\u202e');
    }),
  ),
);

test(
  'a comment that a repeated request creates twice is one comment afterwards',
  inProject(files, (project) =>
    inGitHub(project)(async ({ api, run }) => {
      const bot = { id: 41, name: 'github-actions[bot]' };
      // The forge creates the comment and then fails: the client cannot know.
      const [query, list, failed] = [
        { status: 200, value: { data: { viewer: { databaseId: 41 } } } },
        { status: 200, value: [] },
        { status: 502, headers: { 'retry-after': '0' } },
      ];
      api.add(bot, '<!-- tenantry plan -->\nof the request that failed');
      api.faults.push(query, list, failed);
      expect((await run('comment plan.md')).code).toBe(0);
      expect(api.comments).toHaveLength(1);
    }),
  ),
);

test(
  'what is no plan, no file or no pipeline is an error of the user',
  inProject({ ...files, 'check.json': '{"command":"check"}', 'broken.json': '{' }, (project) =>
    inGitHub(project)(async ({ api, run }) => {
      const errors = async (words: string, env = {}) => {
        const { code, out, err } = await run(words, env);
        expect([code, out]).toEqual([1, '']);
        return err;
      };
      expect(await errors('status check.json')).toBe(
        'error the plan must be what `tenantry plan --output json` printed, got something else\n',
      );
      expect(await errors('approvals broken.json')).toContain(
        "must be JSON, got something else in 'broken.json'",
      );
      expect(await errors('approvals gone.json')).toContain(
        "the plan must be a file, got 'gone.json'",
      );
      expect(await errors('comment gone.md')).toContain("the text must be a file, got 'gone.md'");
      const nowhere = { GITHUB_ACTIONS: undefined };
      expect(await errors('comment plan.md', nowhere)).toContain(
        'must run in a pipeline of GitHub Actions or GitLab CI',
      );
      project.write({ 'event.json': '{"ref":"refs/heads/main"}' });
      expect(await errors('comment plan.md')).toContain(
        'run the job on pull_request, pull_request_review or merge_group',
      );
      expect(await errors('comment plan.md', { GITHUB_REPOSITORY: 'acme/../x/y' })).toContain(
        'GITHUB_REPOSITORY must be set',
      );
      expect(api.requests).toEqual([]);
    }),
  ),
);
