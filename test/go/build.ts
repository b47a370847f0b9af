import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { cacheRoot, computeDigest, createOnce } from '../../testing/controlplane/cache.ts';
import { toStderr } from '../../testing/controlplane/progress.ts';
import { runGoBuild } from '../../testing/controlplane/run-go.ts';

/** What is built of a folder, where that is not its own program. */
export interface GoBuild {
  /** @default - that of the folder */
  readonly package?: string;
  /** @default - none */
  readonly tags?: string;
}

/** A program, or why there is none. */
export type Built =
  | { readonly program: string; readonly reason?: undefined }
  | { readonly reason: string; readonly program?: undefined };

/**
 * Builds `test/go/<name>` and returns the path of its program. Without Go, or without its modules and
 * a network, returns undefined and prints why.
 */
export async function buildGo(name: string, build: GoBuild = {}): Promise<string | undefined> {
  const { program, reason } = await buildGoFolder(name, join(import.meta.dirname, name), build);
  if (program === undefined) console.log(`test/go/${name} is not built: ${reason}`);
  return program;
}

/**
 * Builds the program of a folder, which is kept outside the tree by a name and the hash of its
 * sources: `${XDG_CACHE_HOME:-~/.cache}/tenantry/go/<name>-<hash>`. Of several processes that ask at once one builds.
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
    reason = await runGoBuild(name, flags, source, { env: process.env, say: toStderr });
    return reason === undefined;
  });
  return reason === undefined ? { program } : { reason };
}
