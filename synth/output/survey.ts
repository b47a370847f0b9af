import { closeSync, constants, lstatSync, openSync, readdirSync, readSync } from 'node:fs';
import { hasComments, isGeneratedAt, MAX_LINE_BYTES } from './generated-line.ts';

/** The files in an output folder that are not part of the output. Paths are relative to it, sorted. */
interface Survey {
  /** Files that Tenantry generated there, judged by their first line. */
  readonly stale: readonly string[];
  /** Everything else below the folders that are watched; folders without content end in `/`. */
  readonly unexpected: readonly string[];
}

/**
 * Walks an output folder, which need not exist. Links are not followed. Outside of the watched folders, hidden names
 * and `node_modules` are skipped, because nothing is rendered there.
 */
export function surveyOutput(
  root: string,
  isClaimed: (path: string) => boolean,
  watched: ReadonlySet<string> = new Set(),
): Survey {
  const stale: string[] = [];
  const unexpected: string[] = [];
  const note = (path: string): boolean => {
    const isStale = !path.endsWith('/') && isGenerated(root, path);
    if (isStale) stale.push(path);
    return isStale;
  };
  const pending = [''];
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    for (const entry of listEntries(root, folder)) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (watched.has(path)) {
        const found = findUnexpectedFiles(path, { root, has: isClaimed });
        for (const one of found) if (!note(one)) unexpected.push(one);
      } else if (entry.isDirectory()) {
        if (!/^\.|^node_modules$/.test(entry.name)) pending.push(path);
      } else if (!isClaimed(path)) note(path);
    }
  }
  return { stale: stale.toSorted(), unexpected: unexpected.toSorted() };
}

/** Lists the files of a folder that Tenantry generated there, sorted; none if the folder does not exist. */
export function listGenerated(root: string): readonly string[] {
  return surveyOutput(root, () => false).stale;
}

/** Whether a path is a regular file whose first line states that Tenantry generated it at that path. */
export function isGenerated(root: string, path: string): boolean {
  if (!hasComments(path)) return false;
  return isGeneratedAt(path, readBeginning(`${root}/${path}`) ?? '');
}

/** Whether a path is a regular file without content: nothing is lost when it is replaced. */
export function isEmptyFile(root: string, path: string): boolean {
  const stat = lstatSync(`${root}/${path}`, { throwIfNoEntry: false });
  return stat?.isFile() === true && stat.size === 0;
}

function listEntries(root: string, folder: string) {
  try {
    return readdirSync(folder === '' ? root : `${root}/${folder}`, { withFileTypes: true });
  } catch (error) {
    // A folder that cannot be listed, or no longer exists, has no rendered files.
    if (['ENOENT', 'EACCES', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? ''))
      return [];
    throw error;
  }
}

const OPEN = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Returns the beginning of a file; undefined if it is not a regular file or cannot be read. */
function readBeginning(file: string): string | undefined {
  if (lstatSync(file, { throwIfNoEntry: false })?.isFile() !== true) return undefined;
  let descriptor: number | undefined;
  try {
    descriptor = openSync(file, OPEN);
    const bytes = Buffer.alloc(MAX_LINE_BYTES);
    return bytes.toString('utf8', 0, readSync(descriptor, bytes, 0, MAX_LINE_BYTES, 0));
  } catch {
    return undefined;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** A root on disk and the paths that are expected below it, relative to it. */
interface Expected {
  readonly root: string;
  has(path: string): boolean;
}

/**
 * Lists what is at and below a path but not expected: files, links (not followed), other entries
 * that are no folders, and empty folders, with a `/` at the end. Git has no empty folders. In a
 * checkout, one is a submodule that was not fetched, and Argo CD fetches submodules.
 */
export function findUnexpectedFiles(path: string, expected: Expected): string[] {
  const stat = lstatSync(`${expected.root}/${path}`, { throwIfNoEntry: false });
  if (stat === undefined) return [];
  if (stat.isDirectory()) return findUnexpectedIn(path, expected);
  return expected.has(path) ? [] : [path];
}

function findUnexpectedIn(folder: string, expected: Expected): string[] {
  const entries = readdirSync(`${expected.root}/${folder}`, { withFileTypes: true });
  if (entries.length === 0) return [`${folder}/`];
  const unexpected: string[] = [];
  for (const entry of entries) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) unexpected.push(...findUnexpectedIn(path, expected));
    else if (!expected.has(path)) unexpected.push(path);
  }
  return unexpected;
}
