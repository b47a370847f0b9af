import { join } from 'node:path';
import type { Ended, Project } from '../project.ts';
import type { Token } from './api-double.ts';
import { GitHubApi } from './github-api.ts';
import { GitLabApi } from './gitlab-api.ts';

export const HEAD = 'a'.repeat(40);
export const OLD = 'b'.repeat(40);

/** The tokens of a double. Their texts must be in no output. */
export const tokens: Readonly<Record<string, Token>> = {
  'ghs-of-the-workflow': {
    id: 41,
    name: 'github-actions[bot]',
    isBot: true,
    rights: ['comments', 'statuses'],
  },
  'ghs-of-a-fork': { id: 41, name: 'github-actions[bot]', isBot: true, rights: [] },
  'ghs-with-teams': {
    id: 41,
    name: 'github-actions[bot]',
    isBot: true,
    rights: ['comments', 'statuses', 'members'],
  },
};

/** A pipeline with the API of its forge, and what its jobs printed. */
export interface Pipeline<Api> {
  readonly api: Api;
  readonly project: Project;
  run(words: string, environment?: Readonly<Record<string, string | undefined>>): Promise<Ended>;
}

const plan = (needs: readonly object[], isApproved = false) =>
  JSON.stringify({
    command: 'plan',
    outcome: isApproved ? 'done' : 'refused',
    review: { agreement: 'platform', needs, isApproved },
    changes: [],
  });

/** Returns the JSON of a plan that needs the owners of shop and the platform. */
export const planOf = (owners: readonly string[], approvedBy: readonly string[] = []): string =>
  plan(
    [
      { party: 'platform', tenants: [], owners: ['@acme/platform'], approvedBy },
      { party: 'owners', tenants: ['shop'], owners, approvedBy },
    ],
    approvedBy.length > 0,
  );

/** Runs a test in a pipeline of GitHub Actions for pull request 7, optionally from a fork. */
export function inGitHub(project: Project, isFork = false) {
  return async (body: (pipeline: Pipeline<GitHubApi>) => Promise<void>): Promise<void> => {
    const api = await new GitHubApi(tokens).start();
    const repository = `${isFork ? 'eve' : 'acme'}/tenants`;
    const pull_request = {
      number: 7,
      user: { login: 'author' },
      head: { sha: HEAD, repo: { full_name: repository } },
      base: { ref: 'main' },
    };
    const event = { pull_request, repository: { default_branch: 'main' } };
    project.write({ 'event.json': JSON.stringify(event) });
    const env = {
      GITHUB_ACTIONS: 'true',
      GITLAB_CI: undefined,
      GITHUB_API_URL: api.address,
      GITHUB_GRAPHQL_URL: `${api.address}/graphql`,
      GITHUB_REPOSITORY: 'acme/tenants',
      GITHUB_EVENT_PATH: join(project.folder, 'event.json'),
      GITHUB_SERVER_URL: 'https://github.example.com',
      GITHUB_RUN_ID: '12',
      GITHUB_TOKEN: isFork ? 'ghs-of-a-fork' : 'ghs-of-the-workflow',
    };
    await withApi(api, project, env, body);
  };
}

/** Runs a test in a pipeline of GitLab CI for merge request 7. */
export function inGitLab(project: Project, isFork = false) {
  return async (body: (pipeline: Pipeline<GitLabApi>) => Promise<void>): Promise<void> => {
    const api = await new GitLabApi({
      'glpat-of-the-bot': { id: 77, name: 'project_42_bot', rights: ['comments'] },
    }).start();
    const env = {
      GITLAB_CI: 'true',
      GITHUB_ACTIONS: undefined,
      CI_API_V4_URL: `${api.address}/api/v4`,
      CI_PROJECT_ID: isFork ? '66' : '42',
      CI_MERGE_REQUEST_PROJECT_ID: '42',
      CI_MERGE_REQUEST_SOURCE_PROJECT_ID: isFork ? '66' : '42',
      CI_MERGE_REQUEST_IID: '7',
      CI_COMMIT_SHA: HEAD,
      GITLAB_TOKEN: isFork ? undefined : 'glpat-of-the-bot',
    };
    await withApi(api, project, env, body);
  };
}

async function withApi<Api extends GitHubApi | GitLabApi>(
  api: Api,
  project: Project,
  env: Readonly<Record<string, string | undefined>>,
  body: (pipeline: Pipeline<Api>) => Promise<void>,
): Promise<void> {
  const run: Pipeline<Api>['run'] = async (words, more = {}) => {
    const ended = await project.tenantry(`review ${words}`, { ...env, ...more });
    if (/gh[sp]-|glpat-/.test(ended.out + ended.err)) throw new Error('a token was printed');
    return ended;
  };
  try {
    await body({ api, project, run });
  } finally {
    api.stop();
  }
}
