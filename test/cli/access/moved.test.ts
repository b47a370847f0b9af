import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { inProject } from '../project.ts';
import { makeRepository, namespaceFile, subject } from './history-repository.ts';

const folder = mkdtempSync(join(tmpdir(), 'tenantry-access-moved-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const path = 'clusters/eu1/tenants/shop/rbac/namespace-shop-dev.yaml';
const text = namespaceFile('shop-dev', { admin: [subject('User', 'ann')] });
const commit = (day: string, files: Readonly<Record<string, string | undefined>>) => ({
  branch: 'main',
  time: Date.parse(`${day}T12:00:00Z`) / 1000,
  author: 'Ada',
  subject: day,
  files,
});

makeRepository(join(folder, 'project'), [
  commit('2026-01-10', { [`rendered/${path}`]: text }),
  commit('2026-02-10', { [`rendered/${path}`]: undefined, [`dist/${path}`]: text }),
  commit('2026-03-10', { 'README.md': 'tenants\n' }),
]);

/** Runs a command in the repository. */
async function run(words: string): Promise<{ code: number | null; out: string; err: string }> {
  let ended = { code: 0 as number | null, out: '', err: '' };
  await inProject({}, async (project) => {
    ended = await project.tenantry(['-C', join(folder, 'project'), ...words.split(' ')]);
  })();
  return ended;
}

const begins =
  /note: dist begins with [\da-f]{10}: what is in it then counts as gained\. If it had another name before, add --rendered OLD-NAME --until [\da-f]{10}\^\n/;

test('a history that begins with a moved output folder is reported as such', async () => {
  const since = '--since 2026-01-01';
  const review = await run(`access review ${since}`);
  expect(review.out).toMatch(/gained +User ann/);
  expect(review.err).toMatch(begins);
  expect((await run(`access who-can get secrets -n shop-dev ${since}`)).err).toMatch(begins);
  const before = `access who-can get secrets -n shop-dev ${since} --rendered rendered --until main~2`;
  const { out, err } = await run(before);
  expect([out.includes('User ann'), err]).toEqual([true, '']);
});

test('a range in which the folder does not move needs no note, and a folder that no commit has is an error', async () => {
  expect((await run('access review --since 2026-03-01')).err).toBe(
    'note: 0 changes in 0 commits\n',
  );
  const words = 'access who-can get secrets -n shop-dev --since 2026-01-01 --rendered output';
  expect(await run(words)).toEqual({
    code: 1,
    out: '',
    err: 'error --since must name commits with output, got none with it\n',
  });
});
