import { hash } from 'node:crypto';
import { readFileSync, type Stats } from 'node:fs';

/** The hash of a file of an output, and its stat at that time. */
export interface StatEntry {
  readonly hash: string;
  /** In bytes. */
  readonly size: number;
  /** In ms since the epoch, with fractions, like `ctimeMs`. */
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  readonly ino: number;
}

/** Entries by path, relative to the output. A file without an entry must be read. */
export type StatIndex = ReadonlyMap<string, StatEntry>;

/**
 * How long, in ms, a file must be unchanged before its stat is reliable. File systems use a clock
 * with a resolution of up to 10 ms (a kernel tick), so a second change could have the same time.
 */
const SETTLED = 20;
const VERSION = 1;

/** Returns a name for content: 162 bits of SHA-256 in base64url. Text is hashed as UTF-8. */
export function contentHash(content: string | Uint8Array): string {
  return hash('sha256', content, 'base64url').slice(0, 27);
}

/** Returns the hash of a file; undefined when it cannot be read. */
export function fileHash(file: string): string | undefined {
  try {
    return contentHash(readFileSync(file));
  } catch {
    return undefined;
  }
}

/** Whether a file still has the stat of its entry. The ctime reveals edits that restore the mtime. */
export function matches(entry: StatEntry, stat: Stats): boolean {
  return (
    entry.size === stat.size &&
    entry.mtimeMs === stat.mtimeMs &&
    entry.ctimeMs === stat.ctimeMs &&
    entry.ino === stat.ino
  );
}

/**
 * Returns an entry for a file that was read at or after `seen` (ms since the epoch). Returns
 * undefined when it changed so shortly before that a later change could go unnoticed; Git calls
 * that racily clean. Every entry of an index can therefore be trusted.
 */
export function buildEntry(hash: string, stat: Stats, seen: number): StatEntry | undefined {
  const { size, mtimeMs, ctimeMs, ino } = stat;
  const settled = Math.max(mtimeMs, ctimeMs) < seen - SETTLED;
  return settled ? { hash, size, mtimeMs, ctimeMs, ino } : undefined;
}

/** Returns the text of an index: JSON in columns, which parses faster than an object per entry. */
export function formatStatIndex(index: StatIndex): string {
  const hashes: string[] = [];
  const stats: number[] = [];
  for (const { hash, size, mtimeMs, ctimeMs, ino } of index.values()) {
    hashes.push(hash);
    stats.push(size, mtimeMs, ctimeMs, ino);
  }
  return JSON.stringify({ version: VERSION, paths: [...index.keys()], hashes, stats });
}

/** Parses the text of an index. Since an index is a cache, any other text gives an empty one. */
export function parseStatIndex(text: string): StatIndex {
  const index = new Map<string, StatEntry>();
  const columns = parseColumns(text);
  if (columns === undefined) return index;
  const { paths, hashes, stats } = columns;
  for (let row = 0; row < paths.length; row++) {
    const path = paths[row];
    const hash = hashes[row];
    const at = row * 4;
    const size = stats[at];
    const mtimeMs = stats[at + 1];
    const ctimeMs = stats[at + 2];
    const ino = stats[at + 3];
    if (typeof path !== 'string' || typeof hash !== 'string') continue;
    if (typeof size !== 'number' || typeof mtimeMs !== 'number') continue;
    if (typeof ctimeMs !== 'number' || typeof ino !== 'number') continue;
    index.set(path, { hash, size, mtimeMs, ctimeMs, ino });
  }
  return index;
}

interface Columns {
  readonly paths: readonly unknown[];
  readonly hashes: readonly unknown[];
  readonly stats: readonly unknown[];
}

function parseColumns(text: string): Columns | undefined {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof parsed !== 'object' || parsed === null) return undefined;
  const { version, paths, hashes, stats } = parsed as Record<string, unknown>;
  if (version !== VERSION) return undefined;
  if (!Array.isArray(paths) || !Array.isArray(hashes) || !Array.isArray(stats)) return undefined;
  const complete = hashes.length === paths.length && stats.length === 4 * paths.length;
  return complete ? { paths, hashes, stats } : undefined;
}
