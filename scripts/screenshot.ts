/** `npm run screenshot`: writes docs/access-review.png, the page of `tenantry access review` about an example. */
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { history, namespaces, type ExampleCommit } from './screenshot/example-history.ts';
import { toPalette } from './screenshot/palette-png.ts';
import { root } from './steps.ts';

const TARGET = join(root, 'docs', 'access-review.png');
const WIDTH = 1480;
const HEIGHT = 480;

const chromium = [
  process.env['CHROMIUM'] ?? '',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
].find((path) => path !== '' && existsSync(path));
if (chromium === undefined) {
  console.error('error CHROMIUM must be the path of Chromium, which is in no usual place');
  process.exit(1);
}

const work = mkdtempSync(join(tmpdir(), 'tenantry-screenshot-'));
try {
  const page = join(work, 'review.html');
  writeFileSync(page, renderReview(join(work, 'repository')));
  const image = join(work, 'page.png');
  capture(page, image);
  writeFileSync(TARGET, toPalette(readFileSync(image)));
  console.log(`docs/access-review.png has ${statSync(TARGET).size} bytes`);
} finally {
  rmSync(work, { recursive: true, force: true });
}

/** Makes the example's repository, and returns its review as HTML. */
function renderReview(folder: string): string {
  write(folder, 'tenantry.yaml', {
    apiVersion: 'tenantry.dev/v1alpha1',
    kind: 'Platform',
    metadata: { name: 'example' },
    spec: { clusters: [{ name: 'eu1' }], defaultClusters: ['eu1'] },
  });
  run(folder, 'git', ['init', '--quiet', '--initial-branch', 'main']);
  for (const commit of history) addCommit(folder, commit);
  const range = ['--since', '2026-01-01', '--until', '2026-06-30'];
  return tenantry(folder, 'access', 'review', ...range, '--output', 'html');
}

function addCommit(
  folder: string,
  { day, author, subject, access, mergedBy }: ExampleCommit,
): void {
  if (mergedBy !== undefined) run(folder, 'git', ['checkout', '--quiet', '-B', 'change', 'main']);
  for (const [name, entry] of Object.entries(access)) {
    write(folder, `tenants/${name}.yaml`, {
      apiVersion: 'tenantry.dev/v1alpha1',
      kind: 'Tenant',
      metadata: { name },
      spec: { namespaces: namespaces[name]?.map((one) => ({ name: one })), access: entry },
    });
  }
  tenantry(folder, 'synth', '--quiet', '--date', day);
  run(folder, 'git', ['add', '--all']);
  run(folder, 'git', ['commit', '--quiet', '--message', subject], person(author, `${day}T09:00Z`));
  if (mergedBy === undefined) return;
  run(folder, 'git', ['checkout', '--quiet', 'main']);
  const merge = ['merge', '--quiet', '--no-ff', '--message', `Merge: ${subject}`, 'change'];
  run(folder, 'git', merge, person(mergedBy, `${day}T10:00Z`));
}

function person(name: string, time: string): NodeJS.ProcessEnv {
  const email = `${name.split(' ')[0]!.toLowerCase()}@example.com`;
  return {
    GIT_AUTHOR_NAME: name,
    GIT_AUTHOR_EMAIL: email,
    GIT_AUTHOR_DATE: time,
    GIT_COMMITTER_NAME: name,
    GIT_COMMITTER_EMAIL: email,
    GIT_COMMITTER_DATE: time,
  };
}

function write(folder: string, path: string, value: object): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), `${JSON.stringify(value, undefined, 2)}\n`);
}

function tenantry(folder: string, ...words: readonly string[]): string {
  return run(folder, process.execPath, [join(root, 'cli', 'main.ts'), ...words]);
}

function run(
  folder: string,
  program: string,
  args: readonly string[],
  environment: NodeJS.ProcessEnv = {},
): string {
  const env = {
    ...process.env,
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    TENANTRY_CACHE: 'off',
    ...environment,
  };
  return execFileSync(program, [...args], { cwd: folder, env, encoding: 'utf8' });
}

function capture(page: string, target: string): void {
  execFileSync(
    chromium!,
    [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--hide-scrollbars',
      // Edges of letters have few colors.
      '--disable-lcd-text',
      '--force-color-profile=srgb',
      `--window-size=${WIDTH},${HEIGHT}`,
      `--user-data-dir=${join(work, 'profile')}`,
      `--screenshot=${target}`,
      `file://${page}`,
    ],
    { stdio: 'ignore', timeout: 120_000 },
  );
}
