import { expect } from '@jest/globals';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readLoosely } from '@tenantry/kube/yaml/read';
import type { Ended, Project } from '../cli/project.ts';
import { ghProgram, type CommentServer } from './comments.ts';
import { root } from './pages.ts';
import {
  fieldsOf,
  filledIn,
  holds,
  isRun,
  listOf,
  stepsOf,
  valueIn,
  type Fields,
  type Site,
} from './recipes.ts';
import { placePrograms } from './shell.ts';

/** The event that starts a pipeline. */
export interface Begun {
  readonly kind: 'request' | 'push';
  readonly branch: string;
  /** The commit of main before a push. */
  readonly before?: string;
  readonly isFork?: boolean;
}

/** The results of a pipeline for its later jobs and for people. */
export interface Left {
  /** The commit that all jobs use. */
  readonly commit: string;
  readonly begun: Begun;
  /** The plan, which jobs pass on. */
  plan: string | undefined;
  summary: string;
}

/** A forge that runs the pipeline of the examples, job by job. */
export interface PipelineForge {
  readonly name: string;
  /** The account that may comment. */
  readonly bot: string;
  /** The commands that the shell of its job `check` runs, with their conditions. */
  readonly checks: readonly string[];
  begin(site: Site, begun: Begun): Promise<Left>;
  /** Runs a job; `undefined` if the pipeline does not have the job for this event. */
  run(place: Place, job: string, left: Left): Promise<Ended | undefined>;
}

export interface Place {
  readonly site: Site;
  readonly project: Project;
  readonly server: CommentServer;
}

const read = (name: string): Fields => {
  const text = readFileSync(join(root, 'examples', 'pipelines', name), 'utf8');
  return fieldsOf(readLoosely(text).documents[0]?.value);
};

/** Prepares an origin that enforces the permissions of tokens, and a `gh` that uses the forge. */
export async function prepare({ site, project }: Pick<Place, 'site' | 'project'>): Promise<void> {
  placePrograms(join(project.folder, 'bin'), { gh: ghProgram(process.execPath) });
  const hook = join(project.folder, 'origin.git', 'hooks', 'pre-receive');
  writeFileSync(hook, '#!/bin/sh\n[ "$READ_ONLY" != yes ]\n', { mode: 0o755 });
  await site.shell('.', 'git -C origin.git config receive.denyNonFastForwards true');
}

const COMMENT_TOKEN = 'token-of-the-bot';
const READ_TOKEN = 'token-that-reads';
export const tokens = { COMMENT_TOKEN, READ_TOKEN };

const tenantsYaml = read('github-tenants.yaml');
const promoteYaml = read('github-promote.yaml');

export const github: PipelineForge = {
  name: 'GitHub Actions',
  bot: 'github-actions[bot]',
  checks: stepsOf(fieldsOf(tenantsYaml['jobs'])['check']),
  async begin(site, begun) {
    if (begun.kind === 'push') return leftOf(begun, await site.author('git rev-parse main'));
    await site.merge(begun.branch, 'refs/pull/7/merge');
    const listed = await site.author('git ls-remote origin refs/pull/7/merge');
    return leftOf(begun, listed.split('\t')[0]!);
  },
  async run(place, name, left) {
    const job = fieldsOf(fieldsOf(tenantsYaml['jobs'])[name]);
    const context = contextOf(left, fieldsOf(job['with']));
    if (!holds(job['if'], context)) return undefined;
    if (job['uses'] === undefined) return runSteps(place, job, left, context);
    expect(job['uses']).toBe('./.github/workflows/promote.yaml');
    const called = fieldsOf(fieldsOf(promoteYaml['jobs'])['promote']);
    // A called workflow has no more permissions than the job that calls it.
    expect(called['permissions']).toEqual(job['permissions']);
    return runSteps(place, called, left, context);
  },
};

const leftOf = (begun: Begun, commit: string): Left => ({
  begun,
  commit,
  plan: undefined,
  summary: '',
});

function contextOf({ begun }: Left, inputs: Fields): Fields {
  return {
    'github.event_name': begun.kind === 'request' ? 'pull_request' : 'push',
    'github.event.before': begun.before,
    'github.repository': 'wagonlark/tenants',
    'github.event.pull_request.head.repo.full_name': `${begun.isFork ? 'eve' : 'wagonlark'}/tenants`,
    'github.event.pull_request.number': 7,
    'inputs.cluster': inputs['cluster'],
  };
}

async function runSteps(place: Place, job: Fields, left: Left, context: Fields): Promise<Ended> {
  const { site, project, server } = place;
  const permissions = fieldsOf(job['permissions'] ?? tenantsYaml['permissions']);
  const mayWrite = (what: string): boolean => permissions[what] === 'write' && !left.begun.isFork;
  const token = mayWrite('pull-requests') ? COMMENT_TOKEN : READ_TOKEN;
  let folder = await site.checkout('true');
  let [out, err] = ['', ''];
  for (const step of listOf(job['steps']).map(fieldsOf)) {
    if (!holds(step['if'], context)) continue;
    const [action] = String(step['uses'] ?? '').split('@');
    const file = (name: string) => join(project.folder, folder, name);
    if (action === 'actions/checkout') folder = await checkOut(site, left, fieldsOf(step['with']));
    else if (action === 'actions/upload-artifact')
      left.plan = readFileSync(file('plan.md'), 'utf8');
    else if (action === 'actions/download-artifact') writeFileSync(file('plan.md'), left.plan!);
    else if (action !== '' && action !== 'actions/setup-node')
      throw new Error(`unknown: ${action}`);
    if (step['run'] === undefined) continue;
    const summary = file('.summary');
    const ended = await site.shell(folder, String(step['run']), {
      CI: 'true',
      READ_ONLY: mayWrite('contents') ? 'no' : 'yes',
      GITHUB_BASE_REF: left.begun.kind === 'request' ? 'main' : '',
      GITHUB_REPOSITORY: 'wagonlark/tenants',
      GITHUB_API_URL: server.address,
      GITHUB_STEP_SUMMARY: summary,
      ...filledIn(step['env'], { ...context, 'github.token': token }),
    });
    if (existsSync(summary)) left.summary = readFileSync(summary, 'utf8');
    [out, err] = [out + ended.out, err + ended.err];
    if (ended.code !== 0) return { code: ended.code, out, err };
  }
  return { code: 0, out, err };
}

function checkOut(
  site: Site,
  { commit }: Left,
  { 'fetch-depth': depth = 1 }: Fields,
): Promise<string> {
  const all = depth === 0 ? `'+refs/heads/*:refs/remotes/origin/*'` : `--depth=${String(depth)}`;
  return site.checkout(`git fetch -q origin ${all} ${commit}\ngit checkout -q ${commit}`);
}

const gitlabYaml = read('gitlab-ci.yaml');

export const gitlab: PipelineForge = {
  name: 'GitLab CI',
  bot: 'project_bot',
  checks: stepsOf(gitlabYaml['check']),
  async begin(site, begun) {
    return leftOf(begun, await site.author(`git rev-parse ${begun.branch}`));
  },
  async run({ site, project, server }, name, left) {
    const own = fieldsOf(gitlabYaml[name]);
    const parent = fieldsOf(gitlabYaml[String(own['extends'])]);
    const job: Fields = { ...parent, ...own };
    const { begun, commit } = left;
    const isRequest = begun.kind === 'request';
    const given: Fields = {
      CI: 'true',
      CI_DEFAULT_BRANCH: 'main',
      CI_PROJECT_ID: 42,
      CI_API_V4_URL: `${server.address}/api/v4`,
      CI_JOB_STAGE: job['stage'],
      CI_PIPELINE_SOURCE: isRequest ? 'merge_request_event' : 'push',
      CI_COMMIT_BEFORE_SHA: isRequest ? '0'.repeat(40) : begun.before,
      GITLAB_USER_NAME: 'Ann Ng',
      GITLAB_USER_EMAIL: 'ann@example.com',
      ...(isRequest
        ? {
            CI_MERGE_REQUEST_TARGET_BRANCH_NAME: 'main',
            CI_MERGE_REQUEST_IID: 7,
            CI_MERGE_REQUEST_SOURCE_PROJECT_ID: begun.isFork ? 66 : 42,
          }
        : { CI_COMMIT_BRANCH: begun.branch }),
      // The pipeline of a fork runs in the fork, without the variables of the project.
      ...(!begun.isFork && { COMMENT_TOKEN }),
    };
    if (!isRun(job, given)) return undefined;
    const variables = { ...fieldsOf(gitlabYaml['variables']), ...fieldsOf(job['variables']) };
    const filled = Object.entries(variables).map(([key, value]) => [
      key,
      valueIn(String(value), given),
    ]);
    const fetch = `git fetch -q origin ${commit}\ngit checkout -q ${commit}`;
    const folder = await site.checkout(variables['GIT_STRATEGY'] === 'none' ? 'true' : fetch);
    const plan = join(project.folder, folder, 'plan.md');
    if (left.plan !== undefined) writeFileSync(plan, left.plan);
    const script = listOf(job['script']).join('\n');
    const ended = await site.shell(folder, script, { ...given, ...Object.fromEntries(filled) });
    if (existsSync(plan)) left.plan = readFileSync(plan, 'utf8');
    left.summary = left.plan ?? ended.out;
    return ended;
  },
};
