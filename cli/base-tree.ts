import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { findOwned } from '../synth/output/ownership.ts';
import type { Summary } from '../synth/report.ts';
import type { Base } from './base.ts';
import type { RunGit } from './git.ts';

interface Entry {
  /** `100644`: a file; `120000`: a link; `160000`: a submodule. */
  readonly mode: string;
  readonly id: string;
  /** Relative to the root of the repository. */
  readonly path: string;
}

export interface TreeLocation {
  /** The hash of the commit. */
  readonly id: string;
  /** The name for messages. */
  readonly name: string;
  /** Relative to the root of the repository; empty for the root itself. */
  readonly folder: string;
  /** The same folder on disk. */
  readonly out: string;
}

/** Returns the Git arguments that list the files in a folder of a commit. */
export function buildListArgs({ id, folder }: Pick<TreeLocation, 'id' | 'folder'>): string[] {
  return lsTree(['-r', id, ...(folder === '' ? [] : ['--', `${folder}/`])]);
}

/** Returns the Git arguments that list all files that differ between a commit and the disk. */
export function buildDiffArgs(id: string): string[] {
  const asTheyAre = ['--no-renames', '--no-ext-diff', '--no-textconv', '--ignore-submodules'];
  return ['diff', '--name-only', '-z', ...asTheyAre, id];
}

/** Returns the top of the repository that holds a folder. */
export function topOf(cwd: string, ask: RunGit): string {
  const { out } = ask(['rev-parse', '--show-toplevel'], cwd);
  return out?.toString().replace(/\n$/, '') ?? cwd;
}

function lsTree(words: readonly string[]): string[] {
  return [...LITERAL, 'ls-tree', '-z', '--full-tree', ...words];
}

/** Makes Git read paths literally, not as patterns. */
const LITERAL = ['--literal-pathspecs'];
/** The number of files per request. Their texts are in memory together. */
const BATCH = 1000;

/** Matches the files that record which files Tenantry rendered, and captures their folder. */
const MARK_OR_LIST = /^(|.*?\/)(?:FILES$|OWNED\/.)/;

/** An output folder in a commit. */
export class BaseTree implements Base {
  readonly name: string;
  readonly files: readonly string[];
  readonly #cwd: string;
  readonly #ask: RunGit;
  readonly #place: TreeLocation;
  readonly #ids: ReadonlyMap<string, string>;
  /** Whether the folder has a record of the files that Tenantry rendered. */
  readonly #isOutput: boolean;

  constructor(cwd: string, place: TreeLocation, ask: RunGit) {
    this.#ask = ask;
    this.name = place.name;
    this.#cwd = cwd;
    this.#place = place;
    const { folder } = place;
    const all = this.#list(buildListArgs(place)).filter(({ mode }) => mode.startsWith('100'));
    const paths = all.map(
      ({ path, id }) => [folder === '' ? path : path.slice(folder.length + 1), id] as const,
    );
    const ids = new Map(paths);
    const owned = findOwned([...ids.keys()], (path) => this.#blobs([ids.get(path) ?? ''])[0]!);
    this.#isOutput = owned !== undefined;
    this.#ids = new Map(paths.filter(([path]) => owned?.has(path) ?? true));
    this.files = [...this.#ids.keys()].toSorted();
  }

  changed({ files, changes }: Summary): string[] {
    const { added, changed, foreign } = changes;
    const rendered = new Set(files);
    const other = new Set([...added, ...changed, ...foreign, ...this.#differing()]);
    return this.files.filter((path) => !rendered.has(path) || other.has(path));
  }

  *read(paths: readonly string[]): Iterable<readonly [path: string, text: string]> {
    for (let from = 0; from < paths.length; from += BATCH) {
      const some = paths.slice(from, from + BATCH);
      const texts = this.#blobs(some.map((path) => this.#ids.get(path) ?? ''));
      for (const [at, path] of some.entries()) yield [path, texts[at] ?? ''];
    }
  }

  /** Explains why the folder holds no files to compare; undefined if it does not exist. */
  whyEmpty(): string | undefined {
    const { folder, id, out } = this.#place;
    const mode = folder === '' ? undefined : this.#list(lsTree([id, '--', folder]))[0]?.mode;
    if (mode === '160000') return `has a submodule in the place of ${out}, which was not fetched`;
    if (mode === '120000') return `has a link in the place of ${out}`;
    const ignored = this.#ask(['check-ignore', '-q', '--no-index', '--', folder], this.#top());
    return ignored.failed === undefined
      ? `has no ${out}, which a .gitignore leaves out`
      : undefined;
  }

  /**
   * Finds other outputs in the commit. Those that no longer exist on disk, as after a move, are in
   * `found`. The folders of the others are in `left`.
   */
  elsewhere(): { readonly found: readonly Base[]; readonly left: readonly string[] } {
    const top = this.#top();
    const lists = this.#list(buildListArgs({ id: this.#place.id, folder: '' })).flatMap(
      ({ path }) => {
        const [, folder] = MARK_OR_LIST.exec(path) ?? [];
        return folder ?? [];
      },
    );
    const folders = new Set(lists.map((folder) => folder.replace(/\/$/, '')));
    const trees = [...folders].map(
      (folder) =>
        new BaseTree(this.#cwd, { ...this.#place, folder, out: join(top, folder) }, this.#ask),
    );
    const outputs = trees.filter((tree) => tree.#isOutput);
    const isLeft = (tree: BaseTree) => existsSync(tree.#place.out);
    return {
      found: outputs.filter((tree) => !isLeft(tree)),
      left: outputs.filter(isLeft).map((tree) => tree.#place.folder || '.'),
    };
  }

  #top(): string {
    return topOf(this.#cwd, this.#ask);
  }

  /**
   * Lists the files that differ between the commit and the disk, or all files if Git fails. It
   * compares the whole repository: limiting Git to a folder of ten thousand files takes 25 times as
   * long.
   */
  #differing(): Iterable<string> {
    const { folder, id } = this.#place;
    const answer = this.#ask(buildDiffArgs(id), this.#top());
    if (answer.failed !== undefined) return this.files;
    const paths = answer.out.toString().split('\0').filter(Boolean);
    const below = folder === '' ? '' : `${folder}/`;
    return paths.filter((path) => path.startsWith(below)).map((path) => path.slice(below.length));
  }

  #list(words: readonly string[]): Entry[] {
    const answer = this.#ask(words, this.#cwd);
    if (answer.failed !== undefined) throw new Error(`git ls-tree: ${answer.failed}`);
    const lines = answer.out.toString().split('\0').filter(Boolean);
    return lines.map((line) => {
      const [, mode = '', id = '', path = ''] = /^(\d+) \w+ (\w+)\t([^]*)$/.exec(line) ?? [];
      return { mode, id, path };
    });
  }

  #blobs(ids: readonly string[]): string[] {
    const answer = this.#ask(['cat-file', '--batch'], this.#cwd, `${ids.join('\n')}\n`);
    if (answer.failed !== undefined) throw new Error(`git cat-file: ${answer.failed}`);
    const { out } = answer;
    let at = 0;
    return ids.map((id) => {
      const end = out.indexOf(0x0a, at);
      const [, , size] = out.toString('latin1', at, end).split(' ');
      // `<id> missing` has no size. It occurs in a partial clone without network access.
      if (size === undefined) throw new Error(`git cat-file: ${id} is not in this clone`);
      at = end + 1 + Number(size) + 1;
      return out.toString('utf8', end + 1, end + 1 + Number(size));
    });
  }
}
