import { errorAt } from '@tenantry/kube/finding';
import type { BundleFile, BundleFinding } from '../bundle/bundle.ts';
import type { BundleSource } from '../bundle/parse.ts';
import type { ReadingRule } from '../bundle/reading-rules.ts';
import { MAX_BYTES, MAX_ENTRIES, MAX_FILE, showBytes } from './bounded-file.ts';
import { readTar, type TarEntry } from './tar.ts';

const WHITEOUT = '.wh.';
const OPAQUE = '.wh..wh..opq';

/** A link whose target may come in a later layer. */
interface Link {
  readonly path: string;
  /** The target from the root; undefined if it leads out of the image. */
  readonly target: string | undefined;
}

/**
 * The files of an image: its layers applied in order. Nothing is written to disk.
 *
 * Source: https://github.com/opencontainers/image-spec/blob/v1.1.1/layer.md
 */
export class Layers {
  readonly #files = new Map<string, BundleFile>();
  readonly #folders = new Set<string>();
  readonly #links = new Map<string, Link>();
  readonly #faults: BundleFinding[] = [];

  /**
   * Applies an archive as the next layer.
   * @throws {NotTar}
   */
  add(archive: Uint8Array): void {
    const hidden = new Set(this.#files.keys());
    for (const entry of readTar(archive)) {
      const path = inside(entry.path);
      if (path === undefined) {
        this.#fault(
          entry.path,
          'must be a path within the image, got one that leads out of it',
          'layer-path',
        );
      } else if (path !== '') this.#entry(path, entry, hidden);
      if (this.#files.size + this.#folders.size + this.#links.size > MAX_ENTRIES) {
        this.#fault(
          '',
          `must contain at most ${MAX_ENTRIES} files and folders, got more`,
          'bundle-size',
        );
        return;
      }
      if (this.#faults.length > MAX_REPORTED) return;
    }
  }

  source(): BundleSource {
    for (const link of this.#links.values()) this.#follow(link);
    let bytes = 0;
    for (const file of this.#files.values()) bytes += file.bytes.length;
    if (bytes > MAX_BYTES) {
      this.#fault(
        '',
        `must contain at most ${showBytes(MAX_BYTES)}, got ${showBytes(bytes)}`,
        'bundle-size',
      );
      return { files: [], folders: [], faults: this.#faults };
    }
    return {
      files: [...this.#files.values()],
      folders: [...this.#folders],
      faults: this.#faults,
    };
  }

  /** @param lower the files of the layers below, which are the only files that a whiteout removes */
  #entry(path: string, entry: TarEntry, lower: ReadonlySet<string>): void {
    const [folder, name] = split(path);
    if (name === OPAQUE) {
      this.#remove(folder, lower);
      return;
    }
    if (name.startsWith(WHITEOUT)) {
      this.#remove(join(folder, name.slice(WHITEOUT.length)), lower);
      return;
    }
    this.#files.delete(path);
    this.#links.delete(path);
    for (let above = folder; above !== ''; [above] = split(above)) this.#folders.add(above);
    if (entry.type === 'folder') this.#folders.add(path);
    else if (entry.type === 'file') this.#file(path, entry.bytes);
    else if (entry.type === 'other') {
      this.#fault(path, 'must be a file or a folder, got something else', 'special-file');
    } else {
      const isAbsolute = entry.type === 'hard link' || entry.target.startsWith('/');
      const target = inside(isAbsolute ? entry.target : join(folder, entry.target));
      this.#links.set(path, { path, target });
    }
  }

  #file(path: string, bytes: Uint8Array): void {
    if (bytes.length > MAX_FILE) {
      const got = showBytes(bytes.length);
      this.#fault(path, `must be at most ${showBytes(MAX_FILE)}, got ${got}`, 'file-size');
    } else this.#files.set(path, { path, bytes });
  }

  #remove(path: string, lower: ReadonlySet<string>): void {
    const isBelow = (one: string): boolean => one === path || one.startsWith(`${path}/`);
    for (const one of lower) if (path === '' || isBelow(one)) this.#files.delete(one);
    for (const one of this.#links.keys()) if (isBelow(one)) this.#links.delete(one);
    for (const one of this.#folders) {
      if (isBelow(one) && ![...this.#files.keys()].some((file) => file.startsWith(`${one}/`))) {
        this.#folders.delete(one);
      }
    }
  }

  #follow({ path, target }: Link): void {
    const file = target === undefined ? undefined : this.#files.get(target);
    if (file) this.#files.set(path, { path, bytes: file.bytes });
    else {
      const where = target === undefined ? 'that leads out of it' : 'to no file of it';
      this.#fault(path, `must be in the bundle, got a link ${where}`, 'link');
    }
  }

  #fault(file: string, message: string, rule: ReadingRule): void {
    this.#faults.push({ ...errorAt([], message, rule), ...(file !== '' && { file }) });
  }
}

/** The maximum number of reported faults: a malicious archive can have thousands. */
const MAX_REPORTED = 100;

/** Returns a path from the root of the image; undefined if it leads out of the image. */
function inside(path: string): string | undefined {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..') {
      if (parts.pop() === undefined) return undefined;
    } else if (part !== '' && part !== '.') parts.push(part);
  }
  return parts.join('/');
}

function split(path: string): [folder: string, name: string] {
  const slash = path.lastIndexOf('/');
  return [path.slice(0, Math.max(0, slash)), path.slice(slash + 1)];
}

function join(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}
