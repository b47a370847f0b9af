import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { inProject } from '../project.ts';
import { makeRepository, namespaceFile, subject, type MadeCommit } from './history-repository.ts';

const folder = mkdtempSync(join(tmpdir(), 'tenantry-access-at-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const path = 'dist/clusters/eu1/tenants/shop/rbac/namespace-shop-dev.yaml';
const [ann, bob] = [subject('User', 'ann'), subject('User', 'bob')];
const day = (text: string): number => Date.parse(`${text}T12:00:00Z`) / 1000;

const commit = (date: string, author: string, text: string | undefined): MadeCommit => ({
  branch: 'main',
  time: day(date),
  author,
  subject: `by ${author}`,
  files: { [path]: text, 'dist/README.md': 'rendered\n' },
});

makeRepository(join(folder, 'project'), [
  commit('2026-01-10', 'Ada', namespaceFile('shop-dev', { admin: [ann] })),
  commit('2026-02-10', 'Mia', namespaceFile('shop-dev', { admin: [ann, bob] })),
  commit('2026-03-10', 'Eve', namespaceFile('shop-dev', { admin: [bob] })),
  commit('2026-04-10', 'Eve', 'kind: RoleBinding\nmetadata: [\n'),
]);

/** Runs commands in the repository. */
async function run(words: string): Promise<{ code: number | null; out: string; err: string }> {
  let ended = { code: 0 as number | null, out: '', err: '' };
  await (
    inProject({}, async (project) => {
      ended = await project.tenantry(['-C', join(folder, 'project'), ...words.split(' ')]);
    }) as () => Promise<void>
  )();
  return ended;
}

const may = async (name: string, at: string) =>
  (await run(`access can ${name} get secrets -n shop-dev --at ${at} --quiet`)).out.split(':')[0];

test('a past day has the answer of the last commit of that day, from Git and without a checkout', async () => {
  const days = ['2026-01-10', '2026-02-09', '2026-02-10', '2026-03-09', '2026-03-10', '2026-03-31'];
  const found = await Promise.all(
    days.map(async (at) => [at, await may('ann', at), await may('bob', at)]),
  );
  expect(found).toEqual([
    ['2026-01-10', 'yes', 'no'],
    ['2026-02-09', 'yes', 'no'],
    ['2026-02-10', 'yes', 'yes'],
    ['2026-03-09', 'yes', 'yes'],
    ['2026-03-10', 'no', 'yes'],
    ['2026-03-31', 'no', 'yes'],
  ]);
  expect(await may('ann', 'main~1')).toBe('no');
  expect(await may('ann', '2026-02-10T11:59Z')).toBe('yes');
  expect(await may('bob', '2026-02-10T11:59Z')).toBe('no');
});

test('the line and the commit are those of that day', async () => {
  const { out, err } = await run('access can bob get secrets -n shop-dev --at 2026-02-28');
  expect(err).toMatch(/^note: as of [0-9a-f]{10}\n$/);
  expect(out).toMatch(new RegExp(`RoleBinding shop-dev/bind-admin   ${path}:\\d+\n`));
  expect(out).toMatch(/changed   [0-9a-f]{10} 2026-02-10 Mia: by Mia\n/);
  const json = await run('access who-can get secrets -n shop-dev --at 2026-02-28 --output json');
  expect(JSON.parse(json.out)).toMatchObject({
    commit: expect.stringMatching(/^[0-9a-f]{40}$/),
    grants: [
      { subject: 'User ann', commit: { author: 'Ada' } },
      { subject: 'User bob', commit: { author: 'Mia' } },
    ],
  });
});

test('everybody who could do something in a range is listed with the days on which it began and ended', async () => {
  const who = 'access who-can get secrets -n shop-dev --since';
  const rows = async (words: string) => {
    const { out } = await run(`${who} ${words}`);
    return out
      .trimEnd()
      .split('\n')
      .slice(1)
      .map((line) => line.split(/ {3,}/).slice(0, 3));
  };
  expect(await rows('2026-01-01 --until 2026-03-31')).toEqual([
    ['User ann', '2026-01-10', '2026-03-10'],
    ['User bob', '2026-02-10', 'still'],
  ]);
  expect(await rows('2026-02-15 --until 2026-02-20')).toEqual([
    ['User ann', 'before', 'still'],
    ['User bob', 'before', 'still'],
  ]);
  const json = await run(`${who} 2026-02-01 --until 2026-03-31 --output json`);
  expect(JSON.parse(json.out)).toMatchObject({
    periods: [
      { subject: 'User ann', answer: 'yes', until: { author: 'Eve', subject: 'by Eve' } },
      { subject: 'User bob', answer: 'yes', from: { author: 'Mia' } },
    ],
  });
  // The file of the last commit cannot be read, so nobody's access is known from it.
  const { code, err } = await run(`${who} 2026-01-01`);
  expect({ code, err }).toEqual({
    code: 1,
    err: expect.stringMatching(
      /^error --until must be before commit [0-9a-f]{10}, which cannot be read: dist/,
    ),
  });
  expect((await run(`${who} 2026-01-01 --from-cluster`)).err).toBe(
    'error --since cannot be combined with --from-cluster\n',
  );
});

test('a commit that cannot be read, and a day without one, have no answer', async () => {
  const cases = [
    ['HEAD', `error ${path}:2:`],
    ['2026-01-09', "error --at must be a day after the first commit, got '2026-01-09'\n"],
    ['2026-02-30', "error the date must exist, got '2026-02-30'\n"],
    [
      'nothing',
      "error --at must be a day such as 2026-03-01, or a revision of this Git repository, got 'nothing'\n",
    ],
    [
      '-p',
      "error --at must be a day such as 2026-03-01, or a revision of this Git repository, got '-p'\n",
    ],
    [
      'main --tenants tenants',
      'error --at reads the committed output, and cannot be combined with --tenants\n',
    ],
    ['main --from-cluster', 'error --from-cluster cannot be combined with --at\n'],
    ['main --rendered other', 'error --at must be a commit with other, got '],
  ] as const;
  for (const [at, message] of cases) {
    const { code, err } = await run(`access can ann get secrets -n shop-dev --at=${at}`);
    expect({ code, err: err.slice(0, message.length) }).toEqual({ code: 1, err: message });
  }
});
