import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { readDeclarations, type Declarations, type DeclaredOf } from '../crds/declarations.ts';
import { IncludeError, type IncludedFile } from '../crds/includes.ts';
import { tenant } from '../crds/tenant.ts';
import { tenantClass } from '../crds/tenant-class.ts';
import { findFolder, mayInclude, type Delegation } from '../model/delegation.ts';
import { show, type Problem } from '@tenantry/kube/problem';
import { decodeUtf8, type Decoded } from '@tenantry/kube/utf8';
import { mayContainWord } from '@tenantry/kube/yaml/read';
import type { Inputs } from '../synth/render-cache.ts';
import { contentHash } from '../synth/output/stat-index.ts';
import { isRefused, readFolder, type DeclarationFolder } from './declaration-folder.ts';

const kinds = [tenant, tenantClass];

/** Matches JSON that declares a kind of Tenantry. */
const DECLARES = /\btenantry\.dev\//;

export type DeclaredTenant = DeclaredOf<typeof tenant>;
export type DeclaredClass = DeclaredOf<typeof tenantClass>;

/**
 * A part of a folder whose content is known. Only the named files are read at once; others are read
 * on demand.
 */
export interface FolderPart {
  readonly content: DeclarationFolder;
  /** The files that are read at once. `DeclarationFiles` lists no others. */
  readonly names: readonly string[];
}

interface DeclarationFilesOptions {
  /** Default: all files are read at once */
  readonly part?: FolderPart;
  /** Inputs of earlier runs. Files found there hold no classes and are read on demand. */
  readonly inputs?: Inputs;
}

/**
 * The files of a folder that hold Tenants and TenantClasses, and the files that they include. Paths
 * are relative to the folder.
 */
export class DeclarationFiles {
  /** Problems of files that cannot be read. */
  readonly problems: readonly Problem[];
  readonly #folder: string;
  readonly #delegation: Delegation | undefined;
  readonly content: DeclarationFolder;
  /** The files that could be read, sorted by name. */
  readonly names: readonly string[];
  /** The text of each file that was read. */
  readonly #texts = new Map<string, string>();
  readonly #hashes = new Map<string, string>();
  readonly #part: FolderPart | undefined;
  readonly #inputs: Inputs | undefined;

  /**
   * @param folder as the user names it; problems begin with it
   * @param delegation who may include which files; undefined while the platform has errors
   */
  constructor(
    folder: string,
    delegation: Delegation | undefined,
    { part, inputs }: DeclarationFilesOptions = {},
  ) {
    this.#folder = folder;
    this.#delegation = delegation;
    this.#part = part;
    this.#inputs = inputs;
    this.content = part?.content ?? readFolder(folder);
    const problems = [...this.content.problems.values()];
    const names: string[] = [];
    for (const name of part?.names ?? this.content.declarations) {
      const problem = this.#isKnown(name) ? undefined : this.#load(name);
      if (problem) problems.push(problem);
      else names.push(name);
    }
    this.names = names;
    this.problems = problems;
  }

  /** How the first line of a rendered file names a file of this folder: the same wherever the folder lies. */
  displayPath(name: string): string {
    const folder = posix.basename(this.#folder.replaceAll('\\', '/'));
    return /^\.{0,2}$/.test(folder) ? name : `${folder}/${name}`;
  }

  #isKnown(name: string): boolean {
    const hash = this.#inputs?.hashFile(this.path(name));
    if (hash === undefined) return false;
    this.#hashes.set(name, hash);
    return true;
  }

  /** Reads a file and returns the problem if it cannot be read. */
  #load(name: string): Problem | undefined {
    const { text, fault: message, ...place } = this.#decode(name);
    if (text === undefined) {
      return { file: this.path(name), ...place, path: '', message, rule: 'file' };
    }
    this.#texts.set(name, text);
    this.#hashes.delete(name);
    return undefined;
  }

  /** Whether declarations may be missing because a file is not text. */
  get isPartial(): boolean {
    return this.names.length < (this.#part?.names ?? this.content.declarations).length;
  }

  /** Whether a file may declare a class. */
  mayHoldClass(name: string): boolean {
    if (!this.#texts.has(name)) return false;
    const isLikely = mayContainWord(this.text(name), tenantClass.kind);
    if (!isLikely) this.#inputs?.note(this.path(name), this.hash(name));
    return isLikely;
  }

  /** Whether a file may declare a tenant or a class of a name, which is the text of a scalar. */
  mayHold(name: string, declared: string): boolean {
    return mayContainWord(this.text(name), declared);
  }

  /** Files that are named like declarations but are not read as such. */
  get unread(): readonly string[] {
    return this.content.unread;
  }

  /** Returns the problem or warning for such a file, which applies only if no declaration includes it. */
  describeUnreadFile(name: string): { readonly problem?: Problem; readonly warning?: Problem } {
    const { text = '' } = this.#decode(name);
    const isDeclared = /\.ya?ml$/i.test(name) || (/\.json$/i.test(name) && DECLARES.test(text));
    const must = 'must end in .yaml or .yml to be read, got a file that is left out';
    const advice = isDeclared ? 'rename it' : 'rename it, move it away, or hide it with a dot';
    const message = `${must}: ${advice}`;
    const found = { file: this.path(name), path: '', message, rule: 'file-left-out' };
    return isDeclared ? { problem: found } : { warning: found };
  }

  #decode(name: string): Decoded {
    try {
      return decodeUtf8(readFileSync(this.path(name)));
    } catch (cause) {
      return { fault: `must be readable, got ${(cause as Error).message}` };
    }
  }

  /** The path of a file as problems print it. */
  path(name: string): string {
    return join(this.#folder, name);
  }

  /** @throws {Error} if the file is not among the names or is no longer readable */
  text(name: string): string {
    if (!this.#texts.has(name) && (this.#part || this.#hashes.has(name))) this.#load(name);
    const text = this.#texts.get(name);
    if (text === undefined) throw new Error(`${this.path(name)} must be a file that was read`);
    if (this.#part) this.#texts.delete(name);
    return text;
  }

  /** The `contentHash` of the text. */
  hash(name: string): string {
    let hash = this.#hashes.get(name);
    if (hash === undefined) {
      hash = contentHash(this.text(name));
      this.#hashes.set(name, hash);
    }
    return hash;
  }

  /** Parses the declarations of a file. */
  read(name: string): Declarations<DeclaredTenant | DeclaredClass> {
    return readDeclarations(this.path(name), this.text(name), kinds, (path) =>
      this.#include(name, path),
    );
  }

  /** Resolves a path that a file includes. */
  included(name: string, path: string): string {
    return posix.join(posix.dirname(name), path);
  }

  /**
   * Whether the path is a regular file of the folder. Other types are excluded: reading a FIFO
   * would block.
   */
  has(name: string): boolean {
    return this.content.files.has(name);
  }

  /**
   * Reads an included file. Access is checked before existence. A file that may not be included, or
   * that such a file includes, is neither read nor reported again.
   */
  #include(name: string, path: string): IncludedFile {
    const include = this.included(name, path);
    const nothing = { file: this.path(include), text: '' };
    if (include.startsWith('../')) throw new Error(`it is not inside ${this.#folder}`);
    if (this.#delegation) {
      const own = findFolder(this.#delegation, name)?.folder;
      if (own === undefined) return nothing;
      if (!mayInclude(this.#delegation, name, include)) {
        const why = `it is neither in the folder ${show(own)} nor shared (spec.delegation)`;
        throw new IncludeError(why, { file: include, because: 'not-shared' });
      }
    }
    if (isRefused(this.content, include)) return nothing;
    if (!this.has(include)) {
      throw new IncludeError('there is no such file', { file: include, because: 'missing' });
    }
    return { file: this.path(include), ...this.#decode(include) };
  }
}
