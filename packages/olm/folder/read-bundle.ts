import { statSync, readdirSync, realpathSync, type Dirent } from 'node:fs';
import { join, sep } from 'node:path';
import { errorAt } from '@tenantry/kube/finding';
import type { Bundle, BundleFile, BundleFinding } from '../bundle/bundle.ts';
import { parseBundle, type BundleSource } from '../bundle/parse.ts';
import { isImageLayout, readImageLayout } from './image-layout.ts';
import { describeProject } from './project-folder.ts';
import {
  MAX_BYTES,
  MAX_DEPTH,
  MAX_ENTRIES,
  MAX_FILE,
  showBytes,
  readBytes,
  Unreadable,
  unreadable,
} from './bounded-file.ts';

/**
 * Reads the bundle in a folder, or in an OCI image layout. Errors are among its `faults`; a missing folder is one. It
 * reads at most what `bounded-file.ts` allows, runs and writes nothing, waits for nothing, and follows no link out of the
 * folder.
 *
 * @example
 * ```ts
 * import { readBundle } from '@tenantry/olm';
 *
 * const { csv, faults } = readBundle('operators/redis/1.2.3');
 * console.log(csv?.value.spec?.version); // undefined
 * console.log(faults[0]?.message); // must be the folder of a bundle or an OCI image layout, got nothing
 * ```
 */
export function readBundle(path: string): Bundle {
  return parseBundle(openSource(path));
}

function openSource(path: string): BundleSource {
  const got = noBundle(path);
  if (got === undefined) return isImageLayout(path) ? readImageLayout(path) : readFolder(path);
  const message = `must be the folder of a bundle or an OCI image layout, got ${got}`;
  return { files: [], faults: [errorAt([], message, 'bundle-folder')] };
}

/** Describes what is at a path that cannot be a bundle. */
function noBundle(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) return 'nothing';
  return found.isDirectory() ? describeProject(path) : 'a file';
}

/** Folders that are never part of a bundle. */
const notEntered = new Set(['.git', 'node_modules']);

/** Reads everything in a folder. A link is followed only to a file within the folder. Errors are among the faults. */
export function readFolder(root: string): BundleSource {
  return new Walk(root).source();
}

class Walk {
  readonly #root: string;
  readonly #real: string;
  readonly #files: BundleFile[] = [];
  readonly #folders: string[] = [];
  readonly #faults: BundleFinding[] = [];
  #bytes = 0;
  #isOver = false;

  constructor(root: string) {
    this.#root = root;
    this.#real = realpathSync(root);
  }

  source(): BundleSource {
    this.#folder('', 0);
    return { files: this.#files, folders: this.#folders, faults: this.#faults };
  }

  #folder(folder: string, depth: number): void {
    let entries: Dirent[];
    try {
      entries = readdirSync(join(this.#root, folder), { withFileTypes: true });
    } catch (error) {
      this.#fault(folder, unreadable(error));
      return;
    }
    for (const entry of entries) {
      if (this.#isOver) return;
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (this.#files.length + this.#folders.length >= MAX_ENTRIES) {
        this.#end(`must contain at most ${MAX_ENTRIES} files and folders, got more`);
      } else if (entry.isDirectory()) this.#below(path, entry.name, depth);
      else this.#entry(path, entry);
    }
  }

  #below(path: string, name: string, depth: number): void {
    this.#folders.push(path);
    if (notEntered.has(name)) return;
    if (depth < MAX_DEPTH) this.#folder(path, depth + 1);
    else
      this.#fault(
        path,
        new Unreadable(`must be at most ${MAX_DEPTH} folders deep`, 'folder-depth'),
      );
  }

  #entry(path: string, entry: Dirent): void {
    try {
      if (entry.isSymbolicLink()) this.#checkLink(path);
      else if (!entry.isFile()) {
        throw new Unreadable('must be a file or a folder, got something else', 'special-file');
      }
      const bytes = readBytes(join(this.#root, path), MAX_FILE);
      this.#bytes += bytes.length;
      if (this.#bytes > MAX_BYTES) {
        this.#end(`must contain at most ${showBytes(MAX_BYTES)}, got more`);
        return;
      }
      this.#files.push({ path, bytes });
    } catch (error) {
      this.#fault(path, unreadable(error));
    }
  }

  #checkLink(path: string): void {
    let target: string;
    try {
      target = realpathSync(join(this.#root, path));
    } catch {
      throw new Unreadable('must be a file or a folder, got a link to nothing', 'link');
    }
    if (!target.startsWith(this.#real + sep)) {
      throw new Unreadable('must be in the bundle, got a link that leads out of it', 'link');
    }
    if (!statSync(target).isFile()) {
      throw new Unreadable('must be a file or a folder, got a link to a folder', 'link');
    }
  }

  #fault(file: string, { message, rule }: Unreadable): void {
    this.#faults.push({ ...errorAt([], message, rule), ...(file !== '' && { file }) });
  }

  #end(message: string): void {
    this.#isOver = true;
    this.#faults.push(errorAt([], message, 'bundle-size'));
  }
}
