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
  /** From the root of the repository. */
  readonly path: string;
}

export interface TreeLocation {
  /** Of a commit. */
  readonly id: string;
  /** For messages. */
  readonly name: string;
  /** From the root of the repository; the empty text: the root itself. */
  readonly folder: string;
  /** The same folder on disk. */
  readonly out: string;
}

/** What Git is asked for the files of a folder of a commit. */
export function buildListArgs({ id, folder }: Pick<TreeLocation, 'id' | 'folder'>): string[] {
  return lsTree(['-r', id, ...(folder === '' ? [] : ['--', `${folder}/`])]);
}

/** What Git is asked at the top of a repository for what is not on disk as it is in a commit. */
export function buildDiffArgs(id: string): string[] {
  const asTheyAre = ['--no-renames', '--no-ext-diff', '--no-textconv', '--ignore-submodules'];
  return ['diff', '--name-only', '-z', ...asTheyAre, id];
}

/** The top of the repository that a folder is in. */
export function topOf(cwd: string, ask: RunGit): string {
  const { out } = ask(['rev-parse', '--show-toplevel'], cwd);
  return out?.toString().replace(/\n$/, '') ?? cwd;
}

function lsTree(words: readonly string[]): string[] {
  return [...LITERAL, 'ls-tree', '-z', '--full-tree', ...words];
}

/** Paths are taken as they are, not as patterns. */
const LITERAL = ['--literal-pathspecs'];
/** How many files are asked for at a time: their texts are in memory together. */
const BATCH = 1000;

/** What says which files of a folder are Tenantry's, and that folder. */
const MARK_OR_LIST = /^(|.*?\/)(?:FILES$|OWNED\/.)/;

/** An output folder in a commit. */
export class BaseTree implements Base {
  readonly name: string;
  readonly files: readonly string[];
  readonly #cwd: string;
  readonly #ask: RunGit;
  readonly #place: TreeLocation;
  readonly #ids: ReadonlyMap<string, string>;
  /** Whether Tenantry said which files are its own. */
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

  /** Why the folder holds nothing that could be looked at; undefined: it is not there. */
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
   * Other outputs of the commit: those that are gone from the disk, as after a move, and the folders
   * of those that are still there.
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
   * The files that are not on disk as they are in the commit; all of them when Git does not say. It is
   * asked of the whole repository: of a folder of ten thousand others it takes 25 times as long.
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
      // `<id> missing` has no size: a clone without some of its blobs, off line.
      if (size === undefined) throw new Error(`git cat-file: ${id} is not in this clone`);
      at = end + 1 + Number(size) + 1;
      return out.toString('utf8', end + 1, end + 1 + Number(size));
    });
  }
}
