import { readFileSync, statSync } from 'node:fs';
import { show } from '@tenantry/kube/problem';
import { valueAt } from '@tenantry/kube/mapping';
import { UsageError } from '../usage-error.ts';
import type { ChangeRequest } from './change-request.ts';
import { ForgeApi } from './forge-api.ts';
import { GitHubPullRequest, type PullRequest } from './github.ts';
import { GitLabMergeRequest, type MergeRequest } from './gitlab.ts';

/** The largest JSON file that is read, in bytes. */
const MAX_FILE = 256 * 2 ** 20;
const COMMIT = /^(?:[\da-f]{40}|[\da-f]{64})$/;

/** The change request that a pipeline runs for, or the reason why its API cannot be used. */
export type FoundRequest =
  | { readonly request: ChangeRequest; readonly reason?: undefined }
  | { readonly reason: string; readonly request?: undefined };

/**
 * Finds the change request in the variables of GitHub Actions or GitLab CI. Only a pipeline of a fork may lack the token.
 * @throws {UsageError} when the variables name no change request, or the token is missing
 */
export function findChangeRequest(env: NodeJS.ProcessEnv): FoundRequest {
  if (env['GITHUB_ACTIONS'] === 'true') return findPullRequest(env);
  if (env['GITLAB_CI'] === 'true') return findMergeRequest(env);
  throw new UsageError(
    'tenantry review must run in a pipeline of GitHub Actions or GitLab CI, got neither GITHUB_ACTIONS nor GITLAB_CI',
  );
}

function findPullRequest(env: NodeJS.ProcessEnv): FoundRequest {
  const repository = readVariable(env, 'GITHUB_REPOSITORY', /^[\w.-]+\/[\w.-]+$/);
  const event = readJson(readVariable(env, 'GITHUB_EVENT_PATH'), 'the event');
  const found = parsePullRequest(event, repository) ?? parseMergeGroup(event);
  if (!found) {
    throw new UsageError(
      'the event must be one of a pull request, got another one: run the job on pull_request, pull_request_review or merge_group',
    );
  }
  const { GITHUB_SERVER_URL: server, GITHUB_RUN_ID: run } = env;
  const facts: PullRequest = {
    repository,
    ...found,
    ...(server && run && { runUrl: `${server}/${repository}/actions/runs/${run}` }),
  };
  const url = readAddress(env, 'GITHUB_API_URL');
  const token = readToken(env, 'GITHUB_TOKEN');
  if (token === undefined) return missingToken('GITHUB_TOKEN', facts.isFromFork);
  const address = {
    name: 'GitHub',
    token,
    headers: { accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28' },
  };
  const graphql = readAddress(env, 'GITHUB_GRAPHQL_URL');
  const apis = {
    rest: new ForgeApi({ ...address, url }),
    graphql: new ForgeApi({ ...address, url: graphql }),
    teams: new ForgeApi({ ...address, url, token: readToken(env, 'GITHUB_TEAMS_TOKEN') ?? token }),
  };
  return { request: new GitHubPullRequest(apis, facts) };
}

type EventFacts = Omit<PullRequest, 'repository' | 'runUrl'>;

function parsePullRequest(event: unknown, repository: string): EventFacts | undefined {
  const number = valueAt(event, ['pull_request', 'number']);
  const commit = valueAt(event, ['pull_request', 'head', 'sha']);
  const author = valueAt(event, ['pull_request', 'user', 'login']);
  if (!Number.isSafeInteger(number) || typeof author !== 'string') return undefined;
  const target = valueAt(event, ['pull_request', 'base', 'ref']);
  if (typeof commit !== 'string' || !COMMIT.test(commit)) return undefined;
  if (typeof target !== 'string') return undefined;
  return {
    number: number as number,
    commit,
    ...nameTarget(target, event),
    head: { commit, author },
    isFromFork: valueAt(event, ['pull_request', 'head', 'repo', 'full_name']) !== repository,
  };
}

/** Each pull request of a merge queue has a group of its own, and GitHub names its branch after the request. */
const QUEUE_BRANCH = /^refs\/heads\/gh-readonly-queue\/(.+)\/pr-(\d+)-[\da-f]{40,64}$/;

function parseMergeGroup(event: unknown): EventFacts | undefined {
  const ref = valueAt(event, ['merge_group', 'head_ref']);
  const commit = valueAt(event, ['merge_group', 'head_sha']);
  if (typeof ref !== 'string' || typeof commit !== 'string') return undefined;
  const [, target, number] = QUEUE_BRANCH.exec(ref) ?? [];
  if (target === undefined || !COMMIT.test(commit)) return undefined;
  // The workflow of a queue runs in the repository itself, with its token.
  return { number: Number(number), commit, ...nameTarget(target, event), isFromFork: false };
}

/** Returns the branch that is merged into, unless it is the default branch of the repository. */
function nameTarget(target: string, event: unknown): Pick<PullRequest, 'target'> {
  return target === valueAt(event, ['repository', 'default_branch']) ? {} : { target };
}

function findMergeRequest(env: NodeJS.ProcessEnv): FoundRequest {
  if (!env['CI_MERGE_REQUEST_IID']) {
    throw new UsageError(
      "the pipeline must be one of a merge request, got another one: add the rule $CI_PIPELINE_SOURCE == 'merge_request_event'",
    );
  }
  const project = Number(readVariable(env, 'CI_MERGE_REQUEST_PROJECT_ID', /^\d+$/));
  // In a pipeline of merged results, CI_COMMIT_SHA is the merge.
  const head = env['CI_MERGE_REQUEST_SOURCE_BRANCH_SHA']
    ? 'CI_MERGE_REQUEST_SOURCE_BRANCH_SHA'
    : 'CI_COMMIT_SHA';
  const facts: MergeRequest = {
    project,
    iid: Number(readVariable(env, 'CI_MERGE_REQUEST_IID', /^\d+$/)),
    commit: readVariable(env, head, COMMIT),
    isFromFork: Number(env['CI_MERGE_REQUEST_SOURCE_PROJECT_ID']) !== project,
  };
  const url = readAddress(env, 'CI_API_V4_URL');
  const token = readToken(env, 'GITLAB_TOKEN');
  if (token === undefined) return missingToken('GITLAB_TOKEN', facts.isFromFork);
  return { request: new GitLabMergeRequest(new ForgeApi({ name: 'GitLab', url, token }), facts) };
}

/**
 * Reads a JSON file; undefined if it is empty.
 * @throws {UsageError} when there is none
 */
export function readJson(path: string, what: string): unknown {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found?.isFile()) throw new UsageError(`${what} must be a file, got ${show(path)}`);
  if (found.size > MAX_FILE) throw new UsageError(`${what} must have at most 256 MiB, got more`);
  if (found.size === 0) return undefined;
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as unknown;
  } catch {
    throw new UsageError(`${what} must be JSON, got something else in ${show(path)}`);
  }
}

/** The value of a token is in no message. */
function readToken(env: NodeJS.ProcessEnv, name: string): string | undefined {
  const token = env[name]?.trim();
  if (token && !/^[!-~]+$/.test(token)) {
    throw new UsageError(`${name} must be one word of visible ASCII characters`);
  }
  return token || undefined;
}

function missingToken(name: string, isFromFork: boolean): FoundRequest {
  if (isFromFork) return { reason: `the pipeline of a fork has no ${name}` };
  throw new UsageError(`${name} must be a token, got nothing`);
}

function readVariable(env: NodeJS.ProcessEnv, name: string, pattern = /./): string {
  const value = env[name] ?? '';
  if (pattern.test(value)) return value;
  throw new UsageError(`${name} must be set by the pipeline, got ${show(value || undefined)}`);
}

function readAddress(env: NodeJS.ProcessEnv, name: string): string {
  const text = readVariable(env, name);
  const url = URL.parse(text);
  if (url && /^https?:$/.test(url.protocol) && url.search === '' && url.username === '') {
    return text.replace(/\/+$/, '');
  }
  throw new UsageError(`${name} must be an address, got ${show(text)}`);
}
