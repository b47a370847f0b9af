import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { testUnless } from '@tenantry/test-tools/skipping';
import { inProject, type Project } from '../project.ts';
import { makeRepository, namespaceFile, subject, type MadeCommit } from './history-repository.ts';

const folder = mkdtempSync(join(tmpdir(), 'tenantry-review-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const [ann, bob] = [subject('User', 'ann'), subject('User', 'bob')];
const file = (name: string): string => `dist/clusters/eu1/tenants/shop/rbac/namespace-${name}.yaml`;
const dev = file('shop-dev');
const prod = file('till-prod');

let hours = 0;
const commit = (more: Partial<MadeCommit> & Pick<MadeCommit, 'author' | 'files'>): MadeCommit => ({
  branch: 'main',
  time: Date.UTC(2026, 0, 1) / 1000 + (hours += 24) * 3600,
  subject: `by ${more.author}`,
  ...more,
});

/** A name that HTML, CSV and terminals could obey. */
const HOSTILE = '</script><img src=x onerror="document.title=\'owned\'">';
const FORMULA = '=HYPERLINK("http://example.com","x")';
const own = (...verbs: readonly string[]) => [{ apiGroups: [''], resources: ['pods'], verbs }];

const withOwn = (rules: readonly object[]) => namespaceFile('shop-dev', { own: [bob] }, rules);
const hostile = namespaceFile('till-prod', {
  view: [subject('User', HOSTILE), subject('Group', FORMULA), subject('User', '\u202egnp')],
});

const commits = [
  commit({ author: 'Ada', files: { [dev]: namespaceFile('shop-dev', { admin: [ann] }) } }), // 2 January
  commit({ author: 'Bob', branch: 'give', from: 'main', files: { [dev]: withOwn(own('get')) } }),
  commit({ author: 'Mia', merges: 'give', files: { [dev]: withOwn(own('get')) } }), // 4 January
  commit({ author: 'Eve', files: { [dev]: withOwn(own('list', 'get')) } }),
  // Only the order changes.
  commit({ author: 'Eve', files: { [dev]: withOwn(own('get', 'list')) } }),
  commit({ author: FORMULA, subject: HOSTILE, files: { [prod]: hostile } }), // 7 January
  commit({ author: 'Eve', files: { [dev]: undefined } }),
];
makeRepository(join(folder, 'project'), commits);

/** Runs the command in the repository, with a cache of its own. */
async function review(words: string): Promise<{ code: number | null; out: string; err: string }> {
  let ended = { code: 0 as number | null, out: '', err: '' };
  const run = async (project: Project) => {
    const args = ['-C', join(folder, 'project'), 'access', 'review', ...words.split(' ')];
    ended = await project.tenantry(args, { TENANTRY_CACHE: join(folder, 'cache'), CI: undefined });
  };
  await (inProject({}, run) as () => Promise<void>)();
  return ended;
}

interface Change {
  readonly change: string;
  readonly subject: string;
  readonly what: string;
  readonly namespace: string;
  readonly authors: readonly { readonly author: string }[];
  readonly mergedBy: string;
}

async function changes(words: string): Promise<string[]> {
  const { out } = await review(`${words} --output json`);
  const report = JSON.parse(out) as { readonly changes: readonly Change[] };
  return report.changes.map(
    ({ change, subject: who, what, namespace, authors, mergedBy }) =>
      `${who} ${change} ${what} in ${namespace}: ${authors.map(({ author }) => author).join()}, ${mergedBy}`,
  );
}

const expected = [
  'User ann gained ClusterRole admin in shop-dev: Ada, Ada',
  'User ann lost ClusterRole admin in shop-dev: Bob, Mia',
  'User bob gained get pods in shop-dev: Bob, Mia',
  'User bob gained list pods in shop-dev: Eve, Eve',
];

test('who gained and lost what, by whom and who merged it; another order of rules is no change', async () => {
  const found = await changes('--since 2026-01-01 -n shop-dev');
  expect(found.toSorted()).toEqual(
    [...expected, 'User bob lost get, list pods in shop-dev: Eve, Eve'].toSorted(),
  );
  // The second run has the answers of the first.
  expect(await changes('--since 2026-01-01 -n shop-dev')).toEqual(found);
});

test('a review has the days that it is for, and a later one begins with what is known', async () => {
  expect(await changes('--since 2026-01-02 --until 2026-01-02')).toEqual(expected.slice(0, 1));
  expect((await changes('--since 2026-01-03 --until 2026-01-04')).toSorted()).toEqual(
    expected.slice(1, 3),
  );
  expect(await changes('--since main~3 --until main~2')).toEqual([]);
  expect(await changes('--since 2026-01-05 --until 2026-01-06')).toEqual(expected.slice(3));
  expect((await review('--since 2026-02-01')).err).toBe('note: 0 changes in 0 commits\n');
});

test('no cell of the CSV is a formula, and each change is one line', async () => {
  const { out } = await review('--since 2026-01-07 --until 2026-01-07 --output csv');
  const lines = out.split('\r\n').slice(1, -1);
  expect(lines).toHaveLength(3);
  for (const line of lines) {
    expect(line).toMatch(/^("([^"]|"")*",)*"([^"]|"")*"$/);
    expect(line).not.toMatch(/(^|,)"[=+\-@]/);
    expect(line).toContain(`,"'=HYPERLINK(""http://example.com"",""x"")",`);
  }
  expect(out).not.toContain('\u202e');
});

const page = async (): Promise<string> => (await review('--since 2026-01-01 --output html')).out;

test('the page has every text escaped, and forbids itself the network', async () => {
  const html = await page();
  expect(html).toContain(
    '&lt;/script&gt;&lt;img src=x onerror=&quot;document.title=&#39;owned&#39;&quot;&gt;',
  );
  expect(html.match(/<script/g)).toHaveLength(1);
  expect(html).not.toContain('<img');
  expect(html).toMatch(/Content-Security-Policy" content="default-src 'none'; /);
  expect(html).not.toMatch(/(src|href)="|url\(|@import|https?:\/\/(?!example)/);
  expect(html).not.toContain('\u202e');
});

const chromium = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(
  (path) => existsSync(path),
);

testUnless(chromium === undefined ? 'no Chromium is installed' : undefined)(
  'in Chromium the page shows hostile names as text, and its search hides the other rows',
  async () => {
    // A second script, which the policy must not run, would set the title; the search is filled in before it begins.
    const html = (await page()).replace('autofocus', 'value="till-prod"');
    const dom = (text: string): string => {
      const path = join(folder, 'page.html');
      writeFileSync(path, text);
      const args = ['--headless', '--no-sandbox', '--disable-gpu', '--virtual-time-budget=2000'];
      const profile = `--user-data-dir=${join(folder, 'profile')}`;
      return execFileSync(chromium!, [...args, profile, '--dump-dom', `file://${path}`], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
        timeout: 60_000,
      });
    };
    const shown = dom(html);
    expect(shown).toContain('<output>3 of 8</output>');
    expect(shown.match(/<tr [^>]*hidden/g)).toHaveLength(5);
    expect(shown).toContain('<title>Access from 2026-01-01 to HEAD</title>');
    expect(shown).not.toContain('<img');
    // Had a text not been escaped, the policy would still stop it.
    const planted = html.replace(
      '<h1>',
      `<img src="x" onerror="document.title='owned'"><script>document.title='owned'</script><h1>`,
    );
    expect(dom(planted)).toContain('<title>Access from 2026-01-01 to HEAD</title>');
  },
);
