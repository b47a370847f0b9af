import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { runGit } from '../../cli/git/git.ts';
import { GitAhead } from '../../cli/git/git-ahead.ts';
import { inProject, type Project } from './project.ts';

/** Returns the temporary files that a test leaves behind, in a folder of its own. */
async function leaving(project: Project, test: () => Promise<void>): Promise<readonly string[]> {
  const { TMPDIR } = process.env;
  project.write({ 'tmp/.keep': '' });
  process.env['TMPDIR'] = join(project.folder, 'tmp');
  try {
    await test();
  } finally {
    if (TMPDIR === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = TMPDIR;
  }
  return readdirSync(join(project.folder, 'tmp'));
}

test(
  'a prefetched command returns its output of that time, of any length, and runs once',
  inProject({ big: 'x'.repeat(2 ** 20) }, async (project) => {
    await project.commit();
    const left = await leaving(project, async () => {
      const git = new GitAhead();
      const { out } = runGit(['rev-parse', 'HEAD'], project.folder);
      git.begin(['rev-parse', 'HEAD'], project.folder);
      git.begin(['show', 'HEAD:big'], project.folder);
      await git.settle();
      project.write({ other: 'x' });
      await project.commit();
      expect(runGit(['rev-parse', 'HEAD'], project.folder).out).not.toEqual(out);
      expect(git.ask(['rev-parse', 'HEAD'], project.folder).out).toEqual(out);
      expect(git.ask(['show', 'HEAD:big'], project.folder).out).toHaveLength(2 ** 20);
      expect(git.ask(['hash-object', '--stdin'], project.folder, 'a').out?.toString()).not.toBe(
        git.ask(['hash-object', '--stdin'], project.folder, 'b').out?.toString(),
      );
    });
    expect(left).toEqual(['.keep']);
  }),
);

test(
  'a prefetched command that fails is reported with the message of Git',
  inProject({ a: 'x' }, async (project) => {
    await project.commit();
    const left = await leaving(project, async () => {
      const git = new GitAhead();
      git.begin(['rev-parse', '--verify', 'nothing'], project.folder);
      git.begin(['rev-parse', 'HEAD'], join(project.folder, 'gone'));
      await git.settle();
      const { failed } = git.ask(['rev-parse', '--verify', 'nothing'], project.folder);
      expect(failed).toContain('Needed a single revision');
      expect(git.ask(['rev-parse', 'HEAD'], join(project.folder, 'gone')).out).toBeUndefined();
    });
    expect(left).toEqual(['.keep']);
  }),
);

test(
  'a stopped command leaves nothing behind',
  inProject({ a: 'x' }, async (project) => {
    await project.commit();
    const left = await leaving(project, async () => {
      const git = new GitAhead();
      git.begin(['log'], project.folder);
      await git.stop();
    });
    expect(left).toEqual(['.keep']);
  }),
);

test(
  'without a temporary file, Git runs when its output is needed',
  inProject({ a: 'x' }, async (project) => {
    await project.commit();
    await leaving(project, async () => {
      process.env['TMPDIR'] = join(project.folder, 'a');
      const git = new GitAhead();
      git.begin(['rev-parse', 'HEAD'], project.folder);
      await git.settle();
      expect(git.ask(['rev-parse', 'HEAD'], project.folder).out).toHaveLength(41);
    });
  }),
);
