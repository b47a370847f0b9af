import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { cacheRoot, computeDigest, createOnce } from '@tenantry/testing/controlplane/cache';
import { toStderr } from '@tenantry/testing/controlplane/progress';
import { runGoBuild } from '@tenantry/testing/controlplane/go-build';

/** The package to build, if it is not that of the folder. */
export interface GoBuild {
  /** @default - that of the folder */
  readonly package?: string;
  /** @default - none */
  readonly tags?: string;
}

/** A program, or the reason why there is none. */
export type Built =
  | { readonly program: string; readonly reason?: undefined }
  | { readonly reason: string; readonly program?: undefined };

/**
 * Builds `test/go/<name>` and returns the path of its program. Returns undefined and prints the reason without Go, or
 * without its modules and a network.
 */
export async function buildGo(name: string, build: GoBuild = {}): Promise<string | undefined> {
  const { program, reason } = await buildGoFolder(name, join(import.meta.dirname, name), build);
  if (program !== undefined) return program;
  // The compiler's errors are those of this repository; without Go or a module, the tests are skipped.
  if (/: # \S/.test(reason ?? '')) throw new Error(`test/go/${name} must compile, got ${reason}`);
  console.log(`test/go/${name} is not built: ${reason}`);
  return undefined;
}

/**
 * Builds the program of a folder and keeps it outside the tree, in
 * `${XDG_CACHE_HOME:-~/.cache}/tenantry/go/<name>-<hash of the sources>`. Of several concurrent processes one builds.
 */
export async function buildGoFolder(
  name: string,
  source: string,
  { package: what = '.', tags = '' }: GoBuild = {},
): Promise<Built> {
  const files = readdirSync(source).toSorted();
  const hash = computeDigest(source, files, `${process.platform}/${process.arch}\0`).slice(0, 16);
  const program = join(cacheRoot(process.env), 'go', `${name}-${hash}`);
  if (existsSync(program)) return { program };
  let reason: string | undefined;
  await createOnce(program, toStderr, async (path) => {
    const flags = ['-trimpath', '-mod=readonly', '-tags', tags, '-o', path, what];
    reason = await runGoBuild(name, flags, source, { env: process.env, report: toStderr });
    return reason === undefined;
  });
  return reason === undefined ? { program } : { reason };
}
