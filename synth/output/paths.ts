/**
 * The folder at the root of an output that says which files are ours: for each an empty file, its
 * mark. Marks merge as the files do: who adds or removes one file touches no mark of another.
 */
export const MARKS = 'OWNED';
/** Makes it a name that no reader of manifests reads, and a mark no folder of other marks. */
const MARK = '.owned';
/** Stands in a mark for the last slash: what is in one folder is not in a folder of marks too. */
const SLASH = '+';
/** In bytes: what file systems take for a name. */
const LONGEST_NAME = 255;
/** What said so in earlier versions: a list, with a line for each file. */
export const OLD_LIST = 'FILES';

/** The path of the mark of a file: `OWNED/b/c+d.yaml.owned` for `b/c/d.yaml`. */
export function markOf(path: string): string {
  const slash = path.lastIndexOf('/');
  if (slash < 0) return formerMarkOf(path);
  const mark = `${MARKS}/${path.slice(0, slash)}${SLASH}${path.slice(slash + 1)}${MARK}`;
  return isNameable(mark) ? mark : formerMarkOf(path);
}

/** As earlier versions marked all files, and this one those whose marks would get too long a name. */
function formerMarkOf(path: string): string {
  return `${MARKS}/${path}${MARK}`;
}

function isNameable(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  // UTF-8 takes at most three bytes for a code unit.
  return name.length * 3 <= LONGEST_NAME || Buffer.byteLength(name) <= LONGEST_NAME;
}

/**
 * The file that a path marks, as markOf says it or as earlier versions did; undefined when it is the
 * path of no mark.
 */
export function parseMark(path: string): string | undefined {
  if (!path.startsWith(`${MARKS}/`) || !path.endsWith(MARK)) return undefined;
  const name = path.slice(MARKS.length + 1, -MARK.length);
  const at = name.lastIndexOf(SLASH);
  const isJoined = at > name.lastIndexOf('/');
  const marked = isJoined ? `${name.slice(0, at)}/${name.slice(at + 1)}` : name;
  return isOutputPath(marked) && !isReserved(marked) ? marked : undefined;
}

/** Whether a path is left to the output itself. On some disks case makes no difference. */
export function isReserved(path: string): boolean {
  const slash = path.indexOf('/');
  const top = slash < 0 ? path : path.slice(0, slash);
  if (path.includes(SLASH) || path.includes(`${MARK}/`)) return true;
  return [MARKS, OLD_LIST].includes(top.toUpperCase());
}

// Segments are not empty, `.` or `..`; no backslash, no control character. No lone surrogate and no
// U+FFFD: as a name on disk they could be mistaken for bytes that are no UTF-8. The first character
// of a path is none that begins a comment or a merge conflict marker in the list of earlier versions.
const PATH = /^(?![#<=>|])(?:(?!\.{1,2}(?:\/|$))[^/\\\p{Cc}\p{Cs}\ufffd]+(?:\/(?!$)|$))+$/u;

/** Whether a path is relative to the output, with `/`, and cannot lead out of it by its text. */
export function isOutputPath(path: string): boolean {
  return PATH.test(path);
}

/** The folder of a relative path, `''` for the root of the output. */
export function folderOf(path: string): string {
  const slash = path.lastIndexOf('/');
  return slash < 0 ? '' : path.slice(0, slash);
}

/** Every folder above a relative path, nearest first, without the root. */
export function* foldersAbove(path: string): Generator<string> {
  for (let folder = folderOf(path); folder !== ''; folder = folderOf(folder)) yield folder;
}

/** The paths of one output: each is claimed once, and none is the folder of another. */
export class Claims {
  readonly #hashes = new Map<string, string>();
  readonly #folders = new Set<string>();

  /**
   * Claims a path for content of that hash. False when it was already claimed for the same content.
   * Throws on a path that is no output path, is claimed for other content, or is another's folder.
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

  /** The hash of the content that a path was claimed for. */
  hashOf(path: string): string | undefined {
    return this.#hashes.get(path);
  }

  /** The folders at the top that hold something. */
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
