import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cp, mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const manifest = ['package.json', 'package-lock.json'];

/** A program of other people that only tests need, too big to be everybody's dev dependency. */
export interface Packages {
  /** What it is called where progress is told. */
  readonly name: string;
  readonly version: string;
  /** The folder of its package.json and package-lock.json. */
  readonly manifests: string;
  /** The file that must be there when all went well, from the folder that holds node_modules. */
  readonly entry: string;
}

export interface InstallOptions {
  /** Where the folder `<name>-<version>-<hash of the lock file>` is kept. @default - `tenantry` in the user's cache folder */
  readonly cacheDir?: string;
  /** Takes one line of progress at a time. @default - stderr */
  readonly log?: (line: string) => void;
}

/**
 * Installs packages outside the tree, once, and gives the folder that holds their node_modules;
 * undefined, with the reason logged, where they cannot be fetched. The folder appears whole or not
 * at all, so that two may install at once and the second finds the work of the first.
 */
export async function installPackages(
  { name, version, manifests, entry }: Packages,
  options: InstallOptions = {},
): Promise<string | undefined> {
  const log = options.log ?? ((line: string) => console.error(line));
  const cacheDir = options.cacheDir ?? userCacheDir();
  const folder = join(cacheDir, `${name}-${version}-${await hashOfLock(manifests)}`);
  if (existsSync(join(folder, entry))) return folder;

  log(`${name} ${version}: installing to ${folder}`);
  const started = performance.now();
  await mkdir(cacheDir, { recursive: true });
  const staging = await mkdtemp(`${folder}.`);
  try {
    for (const file of manifest) await cp(join(manifests, file), join(staging, file));
    const failure = await npmCi(staging);
    if (failure !== undefined || !existsSync(join(staging, entry))) {
      log(`${name} ${version}: not installed: ${failure ?? `npm ci left no ${entry}`}`);
      return undefined;
    }
    await renameUnlessThere(staging, folder);
    log(`${name} ${version}: installed in ${seconds(started)} s`);
    return folder;
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

function userCacheDir(): string {
  return join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'tenantry');
}

async function hashOfLock(manifests: string): Promise<string> {
  const lock = await readFile(join(manifests, 'package-lock.json'));
  return createHash('sha256').update(lock).digest('hex').slice(0, 12);
}

/** Another process may have been faster; what it put there is the same. */
async function renameUnlessThere(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? '';
    if (!['ENOTEMPTY', 'EEXIST', 'EPERM'].includes(code) || !existsSync(to)) throw error;
  }
}

/** The reason why it failed, in npm's words; undefined when it did not. Nothing of it needs an install script. */
function npmCi(cwd: string): Promise<string | undefined> {
  const flags = ['--no-audit', '--no-fund', '--prefer-offline', '--fetch-retries=1'];
  const child = spawn('npm', ['ci', '--ignore-scripts', '--loglevel=error', ...flags], {
    cwd,
    stdio: ['ignore', 'ignore', 'pipe'],
    shell: process.platform === 'win32',
  });
  let words = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (words += text));
  return new Promise((resolve) => {
    child.on('error', (error) => resolve(error.message));
    child.on('close', (code) =>
      resolve(code === 0 ? undefined : firstLines(words) || `exit ${code}`),
    );
  });
}

/** npm names the trouble first; then come a stack and advice. */
function firstLines(words: string): string {
  return words.trim().split('\n').slice(0, 4).join('\n  ');
}

function seconds(started: number): string {
  return ((performance.now() - started) / 1000).toFixed(1);
}
