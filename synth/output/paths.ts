/**
 * The folder at the root of an output that records the rendered files. Each has an empty file
 * there, its mark. Marks merge like the files: a change that adds or removes one file touches no
 * other mark.
 */
export const MARKS = 'OWNED';
/** A suffix that no reader of manifests reads and that no folder of marks has. */
const MARK = '.owned';
/** Replaces the last slash in a mark, so that files of one folder have marks in one folder too. */
const SLASH = '+';
/** The longest file name that file systems accept, in bytes. */
const LONGEST_NAME = 255;
/** The record of earlier versions: a list with one line per file. */
export const OLD_LIST = 'FILES';

/** Returns the path of the mark of a file: `OWNED/b/c+d.yaml.owned` for `b/c/d.yaml`. */
export function markOf(path: string): string {
  const slash = path.lastIndexOf('/');
  if (slash < 0) return formerMarkOf(path);
  const mark = `${MARKS}/${path.slice(0, slash)}${SLASH}${path.slice(slash + 1)}${MARK}`;
  return isNameable(mark) ? mark : formerMarkOf(path);
}

/**
 * Returns the mark in the format of earlier versions. This version uses it if the name is too long
 * otherwise.
 */
function formerMarkOf(path: string): string {
  return `${MARKS}/${path}${MARK}`;
}

function isNameable(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  // UTF-8 needs at most three bytes per code unit.
  return name.length * 3 <= LONGEST_NAME || Buffer.byteLength(name) <= LONGEST_NAME;
}

/**
 * Returns the file that a path marks, in the format of `markOf` or of earlier versions; undefined
 * if the path is no mark.
 */
export function parseMark(path: string): string | undefined {
  if (!path.startsWith(`${MARKS}/`) || !path.endsWith(MARK)) return undefined;
  const name = path.slice(MARKS.length + 1, -MARK.length);
  const at = name.lastIndexOf(SLASH);
  const isJoined = at > name.lastIndexOf('/');
  const marked = isJoined ? `${name.slice(0, at)}/${name.slice(at + 1)}` : name;
  return isOutputPath(marked) && !isReserved(marked) ? marked : undefined;
}

/** Whether a path is reserved for the output itself. Some file systems ignore case. */
export function isReserved(path: string): boolean {
  const slash = path.indexOf('/');
  const top = slash < 0 ? path : path.slice(0, slash);
  if (path.includes(SLASH) || path.includes(`${MARK}/`)) return true;
  return [MARKS, OLD_LIST].includes(top.toUpperCase());
}

// Matches paths without empty, `.` or `..` segments, backslashes and control characters. Lone
// surrogates and U+FFFD are excluded, since on disk they could be confused with invalid UTF-8. A
// path must not start with a character of a comment or a merge conflict marker in the list of
// earlier versions.
const PATH = /^(?![#<=>|])(?:(?!\.{1,2}(?:\/|$))[^/\\\p{Cc}\p{Cs}\ufffd]+(?:\/(?!$)|$))+$/u;

/** Whether a path is relative to the output, with `/`, and cannot leave it. */
export function isOutputPath(path: string): boolean {
  return PATH.test(path);
}

/** Returns the folder of a relative path, `''` for the root of the output. */
export function folderOf(path: string): string {
  const slash = path.lastIndexOf('/');
  return slash < 0 ? '' : path.slice(0, slash);
}

/** Yields every folder above a relative path, nearest first, without the root. */
export function* foldersAbove(path: string): Generator<string> {
  for (let folder = folderOf(path); folder !== ''; folder = folderOf(folder)) yield folder;
}

/** The paths of one output: each is claimed once, and none is the folder of another. */
export class Claims {
  readonly #hashes = new Map<string, string>();
  readonly #folders = new Set<string>();

  /**
   * Claims a path for content with that hash. Returns false if it was already claimed for the same
   * content. Throws on a path that is invalid, claimed for other content, or the folder of another
   * path.
   */
  claim(path: string, hash: string): boolean {
    const earlier = this.#hashes.get(path);
    if (earlier === hash) return false;
    if (earlier !== undefined) {
      throw new Error(`${path} must be put once, got two different texts; give one another path`);
    }
    if (!isOutputPath(path)) {
      throw new Error(
        `the path of an output file must be relative, with '/' and without '.', '..', empty segments, backslashes, control characters or invalid Unicode, got ${JSON.stringify(path)}`,
      );
    }
    if (this.#folders.has(path)) {
      throw new Error(`${path} must be a file or a folder, got both; rename one of them`);
    }
    this.#claimFolders(path);
    this.#hashes.set(path, hash);
    return true;
  }

  has(path: string): boolean {
    return this.#hashes.has(path);
  }

  get size(): number {
    return this.#hashes.size;
  }

  /** Returns the hash of the content that a path was claimed for. */
  hashOf(path: string): string | undefined {
    return this.#hashes.get(path);
  }

  /** Returns the top-level folders that hold files. */
  topFolders(): string[] {
    return [...this.#folders].filter((folder) => folderOf(folder) === '');
  }

  #claimFolders(path: string): void {
    const fresh: string[] = [];
    for (const folder of foldersAbove(path)) {
      if (this.#folders.has(folder)) break;
      if (this.#hashes.has(folder)) {
        throw new Error(
          `${folder} must be a file or a folder, got both (${path} is in it); rename one of them`,
        );
      }
      fresh.push(folder);
    }
    for (const folder of fresh) this.#folders.add(folder);
  }
}
