import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { FileLock } from './lock.ts';
import { codeFolder } from './code-folder.cjs';
import { until } from '../waiting/until.ts';
import { resolveVersion } from './programs.ts';

/** Sources of the Go program. */
export const goFolder = join(codeFolder, 'go');

/** The longest wait, in milliseconds, for a build by another run. */
const within = 60 * 60_000;

/** Returns the folder in the cache for the chosen version: it is complete or does not exist. */
export function cacheEntry(env: NodeJS.ProcessEnv): string {
  const { version, modFile } = resolveVersion(env);
  const key = `${version}-${process.platform}-${process.arch}-${computeSourcesKey(modFile)}`;
  return join(cacheRoot(env), 'control-plane', key);
}

/** Returns twelve hexadecimal digits that change when the sources of a version change. */
export function computeSourcesKey(modFile: string): string {
  const kept = join(goFolder, keyFile(modFile));
  if (existsSync(kept)) return readFileSync(kept, 'utf8');
  const sources = readdirSync(goFolder).filter((file) => file.endsWith('.go'));
  return computeDigest(goFolder, [...sources.toSorted(), modFile, sumFile(modFile)]).slice(0, 12);
}

/** Returns digits of the SHA-256 of the files of the folder and of the additional texts. */
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

/** The file of a version's checksums. The package omits it: it is 40 KB that compress badly. */
export const sumFile = (modFile: string): string => modFile.replace(/\.mod$/, '.sum');

/** The file with the key of a version. The package has it, but not the checksums. */
export const keyFile = (modFile: string): string => modFile.replace(/\.mod$/, '.key');

/** Returns Tenantry's folder in the user's cache. */
export function cacheRoot(env: NodeJS.ProcessEnv): string {
  return join(env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'tenantry');
}

/** Lets `fill` put the programs into an empty folder, which becomes the entry as with `createOnce`. */
export function fillOnce(
  entry: string,
  report: (line: string) => void,
  fill: (folder: string) => Promise<boolean>,
): Promise<void> {
  return createOnce(entry, report, (folder) => {
    mkdirSync(folder);
    return fill(folder);
  });
}

/**
 * Lets `make` write a file or a folder, which becomes the entry in one step when `make` returns true.
 * Of several concurrent runs, one calls `make` and the others wait for it. If it fails or is killed,
 * one of the others tries. The next run removes what a killed run left behind.
 */
export async function createOnce(
  entry: string,
  report: (line: string) => void,
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
        report(`process ${lock} is getting the same programs; waiting for it`);
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

/**
 * Removes incomplete files. Only the run that has the lock writes, so every other incomplete file is
 * abandoned.
 */
function removeStaleFiles(entry: string): void {
  for (const name of readdirSync(dirname(entry))) {
    if (name.startsWith(`${basename(entry)}.`) && name.endsWith('.tmp')) {
      rmSync(join(dirname(entry), name), { recursive: true, force: true });
    }
  }
}
