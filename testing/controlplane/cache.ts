import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { FileLock } from './lock.ts';
import { controlPlaneFolder } from './program-file.ts';
import { until } from '../waiting/until.ts';
import { resolveVersion } from './versions.ts';

/** Sources of the Go program. */
export const goFolder = join(controlPlaneFolder, 'go');

/** Milliseconds that a run waits for another's build. */
const within = 60 * 60_000;

/** The folder in the cache for the chosen version: it is there as a whole or not at all. */
export function cacheEntry(env: NodeJS.ProcessEnv): string {
  const { version, modFile } = resolveVersion(env);
  const key = `${version}-${process.platform}-${process.arch}-${computeSourcesKey(modFile)}`;
  return join(cacheRoot(env), 'control-plane', key);
}

/** Twelve digits that are other ones when the sources of a version are. */
export function computeSourcesKey(modFile: string): string {
  const kept = join(goFolder, keyFile(modFile));
  if (existsSync(kept)) return readFileSync(kept, 'utf8');
  const sources = readdirSync(goFolder).filter((file) => file.endsWith('.go'));
  return computeDigest(goFolder, [...sources.toSorted(), modFile, sumFile(modFile)]).slice(0, 12);
}

/** Digits of SHA-256 that are other ones when a file of the folder is, or what is said besides. */
export function computeDigest(folder: string, files: readonly string[], besides = ''): string {
  const hash = createHash('sha256').update(besides);
  for (const file of files) {
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(folder, file)))
      .update('\0');
  }
  return hash.digest('hex');
}

/** The checksums of a version, which the package has not: they are 40 KB that nothing makes smaller. */
export const sumFile = (modFile: string): string => modFile.replace(/\.mod$/, '.sum');

/** Where the package has the key of a version, whose checksums it has not. */
export const keyFile = (modFile: string): string => modFile.replace(/\.mod$/, '.key');

/** Our folder in the user's cache. */
export function cacheRoot(env: NodeJS.ProcessEnv): string {
  return join(env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'tenantry');
}

/** Lets `fill` put the programs into an empty folder, which becomes the entry as by `createOnce`. */
export function fillOnce(
  entry: string,
  say: (line: string) => void,
  fill: (folder: string) => Promise<boolean>,
): Promise<void> {
  return createOnce(entry, say, (folder) => {
    mkdirSync(folder);
    return fill(folder);
  });
}

/**
 * Lets `make` write a file or a folder, which becomes the entry when it says true, in one step. Of several runs at once
 * one makes it; the others wait for it, and one of them tries in its turn when it failed or was killed. What a killed
 * run left is swept away by the next.
 */
export async function createOnce(
  entry: string,
  say: (line: string) => void,
  make: (path: string) => Promise<boolean>,
): Promise<void> {
  mkdirSync(dirname(entry), { recursive: true });
  let reportedProcess = 0;
  const lock = await until(
    `another run is done with ${entry}`,
    () => {
      if (existsSync(entry)) return 'filled';
      const lock = FileLock.acquire(`${entry}.lock`);
      if (typeof lock !== 'number') return lock;
      if (reportedProcess !== lock)
        say(`process ${lock} is getting the same programs; waiting for it`);
      reportedProcess = lock;
      return undefined;
    },
    { within },
  );
  if (lock === 'filled') return;
  const path = `${entry}.${process.pid}.tmp`;
  try {
    if (existsSync(entry)) return;
    removeStaleFiles(entry);
    if (await make(path)) renameSync(path, entry);
  } finally {
    rmSync(path, { recursive: true, force: true });
    lock.release();
  }
}

/** Whoever holds the lock is the only one who makes it, so everything else that is half made is dead. */
function removeStaleFiles(entry: string): void {
  for (const name of readdirSync(dirname(entry))) {
    if (name.startsWith(`${basename(entry)}.`) && name.endsWith('.tmp')) {
      rmSync(join(dirname(entry), name), { recursive: true, force: true });
    }
  }
}
