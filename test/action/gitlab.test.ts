import { cpSync, readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { expect, test } from '@jest/globals';
import { inGitLab, type Pipeline } from '../cli/forge/pipeline.ts';
import type { GitLabApi } from '../cli/forge/gitlab-api.ts';
import { listAt, valueAt } from '@tenantry/kube/mapping';
import { readLoosely } from '@tenantry/kube/yaml/read';
import { inProject, repository, type Ended, type Project } from '../cli/project.ts';
import { placePrograms } from '../docs/shell.ts';
import { BASE, RUNS, prepareReview } from './review-repository.ts';

const pipeline = `include:
  - local: .gitlab/review.yml
    inputs:
      job: agreement
`;

/** Makes a clone of a project on GitLab, with the component in the repository. */
async function prepare(project: Project): Promise<string> {
  project.write({ '.gitlab-ci.yml': pipeline, '.gitlab/.keep': '' });
  const file = join(project.folder, '.gitlab', 'review.yml');
  cpSync(join(repository, 'action', 'templates', 'review.yml'), file);
  const commit = await prepareReview(project);
  await project.run('git', ['clone', '-q', '--bare', '.', '../origin.git']);
  await project.run('git', ['-C', '../origin.git', 'update-ref', `refs/heads/${BASE}`, 'HEAD~1']);
  const url = 'https://gitlab.example.com/acme/tenants.git';
  await project.run('git', ['remote', 'add', 'origin', url]);
  const origin = join(project.folder, '..', 'origin.git');
  await project.run('git', ['config', `url.${origin}.insteadOf`, url]);
  placePrograms(join(project.folder, '..', 'bin'), {
    npm: '#!/bin/sh\n[ "$1 $GITLAB_TOKEN" = "ci " ]\n',
  });
  return commit;
}

/** Reads the pipeline with gitlab-ci-local, which validates it against GitLab's schema and fills in the inputs. */
function readPipeline(project: Project, word: string): Promise<Ended> {
  const program = join(repository, 'node_modules', '.bin', 'gitlab-ci-local');
  return project.run(process.execPath, [program, word]);
}

const inMergeRequest = (body: (pipeline: Pipeline<GitLabApi>, commit: string) => Promise<void>) =>
  inProject({}, async (project) => {
    const commit = await prepare(project);
    await inGitLab(project)((one) => body(one, commit));
  });

/** Runs the script of the job as GitLab's runner does: in bash, with the variables of the merge request. */
async function runJob({ project, api }: Pipeline<GitLabApi>, commit: string): Promise<Ended> {
  const { out } = await readPipeline(project, '--preview');
  const job = valueAt(readLoosely(out).documents[0]?.value, ['agreement']);
  const script = listAt(job, ['script']).join('\n');
  const bin = join(project.folder, '..', 'bin');
  return project.run('bash', ['-eo', 'pipefail', '-c', script], {
    PATH: [bin, dirname(process.execPath), process.env['PATH']].join(delimiter),
    CI: 'true',
    GITLAB_CI: 'true',
    GITHUB_ACTIONS: undefined,
    CI_API_V4_URL: `${api.address}/api/v4`,
    CI_MERGE_REQUEST_PROJECT_ID: '42',
    CI_MERGE_REQUEST_SOURCE_PROJECT_ID: '42',
    CI_MERGE_REQUEST_IID: '7',
    CI_MERGE_REQUEST_TARGET_BRANCH_NAME: BASE,
    CI_COMMIT_SHA: commit,
    GITLAB_TOKEN: 'glpat-of-the-bot',
    ...(valueAt(job, ['variables']) as Record<string, string>),
  });
}

test(
  "GitLab's schema accepts the component, and no misspelt one",
  inProject({}, async (project) => {
    await prepare(project);
    const good = await readPipeline(project, '--list-json');
    expect([good.code, good.out + good.err]).toEqual([
      0,
      expect.stringContaining('json schema validated'),
    ]);
    expect(good.out).toContain('"name": "agreement"');
    const text = readFileSync(join(project.folder, '.gitlab', 'review.yml'), 'utf8');
    project.write({ '.gitlab/review.yml': text.replace('  script:', '  scripts:') });
    expect((await readPipeline(project, '--list-json')).code).toBe(1);
  }),
);

test(
  'the job writes the plan as one note, and fails until the commit is approved',
  inMergeRequest(async (one, commit) => {
    const { api, project } = one;
    api.versions.push({ commit, at: '2026-01-01T12:00:00.000Z' });
    const ann = { id: 2, name: 'ann' };
    api.approvals.push({ by: ann, at: '2026-01-01T11:00:00.000Z' });
    const refused = await runJob(one, commit);
    expect([refused.code, refused.out + refused.err]).toEqual([
      1,
      expect.stringContaining('failure: not approved: the owners of shop (@ann)'),
    ]);
    expect(api.notes[0]?.body).toContain('approved an earlier commit');
    api.approvals.splice(0, 1, { by: ann, at: '2026-01-01T13:00:00.000Z' });
    const approved = await runJob(one, commit);
    expect([approved.code, approved.out + approved.err]).toEqual([
      0,
      expect.stringContaining('success: approved by @ann'),
    ]);
    expect(api.notes).toHaveLength(1);
    expect(api.notes[0]?.body).toContain('pods 10 -&#62; 20');
    expect(refused.out + approved.out).not.toContain('glpat-');
    expect(
      readFileSync(join(project.folder, '..', RUNS), 'utf8')
        .split('\n')
        .slice(0, 6),
    ).toEqual([
      'plan --base ',
      'review approvals token',
      'plan --base ',
      'plan --base ',
      'review comment token',
      'review status token',
    ]);
  }),
);
