import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cp, mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const manifest = ['package.json', 'package-lock.json'];

/** A third-party program that only tests need, too big for a dev dependency. */
export interface Packages {
  /** Its name in progress messages. */
  readonly name: string;
  readonly version: string;
  /** The folder of its package.json and package-lock.json. */
  readonly manifests: string;
  /** A file that must exist after a successful installation, relative to the folder of node_modules. */
  readonly entry: string;
}

export interface InstallOptions {
  /**
   * The folder that keeps `<name>-<version>-<hash of the lock file>`. @default - `tenantry` in the user's cache folder
   */
  readonly cacheDir?: string;
  /** Takes one line of progress at a time. @default - stderr */
  readonly log?: (line: string) => void;
}

/**
 * Installs packages outside the tree, once, and returns the folder that holds their node_modules. Returns undefined and
 * logs the reason if they cannot be fetched. The folder appears atomically, so that of two concurrent installations the
 * second finds the result of the first.
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

/** If another process was faster, its result is the same. */
async function renameUnlessThere(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? '';
    if (!['ENOTEMPTY', 'EEXIST', 'EPERM'].includes(code) || !existsSync(to)) throw error;
  }
}

/** Returns the reason for a failure in npm's words; undefined after a success. No package needs an install script. */
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

/** npm prints the problem first, then a stack and advice. */
function firstLines(words: string): string {
  return words.trim().split('\n').slice(0, 4).join('\n  ');
}

function seconds(started: number): string {
  return ((performance.now() - started) / 1000).toFixed(1);
}
