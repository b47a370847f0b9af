// Matches paths without empty, `.` or `..` segments, backslashes and control characters. Lone surrogates and U+FFFD are
// excluded, since on disk they could be confused with invalid UTF-8.
const PATH = /^(?:(?!\.{1,2}(?:\/|$))[^/\\\p{Cc}\p{Cs}\ufffd]+(?:\/(?!$)|$))+$/u;

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
  findHash(path: string): string | undefined {
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
