import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** Modules of Go are downloaded and compiled at most this long, in milliseconds. */
const TIMEOUT = 300_000;

/** What is built of a folder, where that is not its own program. */
export interface GoBuild {
  /** @default - that of the folder */
  readonly package?: string;
  /** @default - none */
  readonly tags?: string;
  /** Milliseconds. @default 300,000 */
  readonly timeout?: number;
}

/** A program, or why there is none. */
export type Built =
  | { readonly program: string; readonly reason?: undefined }
  | { readonly reason: string; readonly program?: undefined };

/**
 * Builds `test/go/<name>` and returns the path of its program. Without Go, or without its modules and
 * a network, returns undefined and prints why.
 */
export function buildGo(name: string, build: GoBuild = {}): string | undefined {
  const { program, reason } = buildGoFolder(name, join(import.meta.dirname, name), build);
  if (program === undefined) console.log(`test/go/${name} is not built: ${reason}`);
  return program;
}

/**
 * Builds the program of a folder, which is kept outside the tree by a name and the hash of its
 * sources: `${XDG_CACHE_HOME:-~/.cache}/tenantry/go/<name>-<hash>`. Safe to call from
 * several processes at once.
 */
export function buildGoFolder(name: string, source: string, build: GoBuild = {}): Built {
  const { package: what = '.', tags = '', timeout = TIMEOUT } = build;
  const cache = join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'tenantry', 'go');
  const program = join(cache, `${name}-${hashOf(source)}`);
  if (existsSync(program)) return { program };
  const temporary = `${program}.${process.pid}`;
  try {
    mkdirSync(cache, { recursive: true });
    const flags = ['-trimpath', '-mod=readonly', '-tags', tags];
    execFileSync('go', ['build', ...flags, '-o', temporary, what], {
      cwd: source,
      env: { ...process.env, CGO_ENABLED: '0', GOTOOLCHAIN: 'local', GOWORK: 'off' },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout,
    });
    renameSync(temporary, program);
    return { program };
  } catch (error) {
    rmSync(temporary, { force: true });
    return { reason: reasonOf(error) };
  }
}

function hashOf(folder: string): string {
  const hash = createHash('sha256').update(`${process.platform}/${process.arch}\0`);
  for (const file of readdirSync(folder).toSorted()) {
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(folder, file)))
      .update('\0');
  }
  return hash.digest('hex').slice(0, 16);
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if ('code' in error && error.code === 'ENOENT') return 'there is no `go` in the PATH';
  const said = 'stderr' in error ? String(error.stderr).trim() : '';
  return said === '' ? error.message : said.slice(0, 500);
}
