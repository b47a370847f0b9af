import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import {
  readDeclarations,
  type Declarations,
  type DeclaredOf,
} from '../crds/tenantry/declarations.ts';
import type { IncludedFile } from '../crds/tenantry/includes.ts';
import { tenant } from '../crds/tenantry/tenant.ts';
import { tenantClass } from '../crds/tenantry/tenantclass.ts';
import { governing, mayInclude, type Delegation } from '../constructs/tenant/delegation.ts';
import { show, type Problem } from '../kube/problem.ts';
import { decodeUtf8, type Decoded } from '../kube/utf8.ts';
import { isRefused, readFolder, type DeclarationFolder } from './declaration-folder.ts';

const kinds = [tenant, tenantClass];

/** In JSON that declares something of ours. */
const DECLARES = /\btenantry\.dev\//;

export type DeclaredTenant = DeclaredOf<typeof tenant>;
export type DeclaredClass = DeclaredOf<typeof tenantClass>;

/** A part of a folder: what lies in it is known, and all but some files are read when they are asked for. */
export interface FolderPart {
  readonly content: DeclarationFolder;
  /** The files that are read at once, and that count as all there are. */
  readonly names: readonly string[];
}

/**
 * The files of a folder that hold Tenants and TenantClasses, and what they include. Files are named
 * by their path below the folder.
 */
export class DeclarationFiles {
  /** What cannot be read. */
  readonly problems: readonly Problem[];
  readonly #folder: string;
  readonly #delegation: Delegation | undefined;
  readonly content: DeclarationFolder;
  /** In the order of their names. */
  readonly #texts = new Map<string, string>();
  readonly #part: FolderPart | undefined;

  /**
   * @param folder as the user names it: problems begin with it
   * @param delegation who may include what; undefined where nobody knows
   * @param part Default: all files are read at once
   */
  constructor(folder: string, delegation: Delegation | undefined, part?: FolderPart) {
    this.#folder = folder;
    this.#delegation = delegation;
    this.#part = part;
    this.content = part?.content ?? readFolder(folder);
    const problems = [...this.content.problems.values()];
    for (const name of part?.names ?? this.content.declarations) {
      const read = this.#decode(name);
      if (read.text !== undefined) this.#texts.set(name, read.text);
      else {
        const { fault: message, ...place } = read;
        problems.push({ file: this.path(name), ...place, path: '', message, rule: 'file' });
      }
    }
    this.problems = problems;
  }

  /** The files that could be read, in the order of their names. */
  get names(): readonly string[] {
    return [...this.#texts.keys()];
  }

  /** Whether there are declarations that nobody knows, since their file is no text. */
  get isPartial(): boolean {
    return this.#texts.size < (this.#part?.names ?? this.content.declarations).length;
  }

  /** Files that are named as if they held declarations, and are not read for them. */
  get unread(): readonly string[] {
    return this.content.unread;
  }

  /** What is wrong with such a file, if nobody includes it. */
  unreadFault(name: string): { readonly problem?: Problem; readonly warning?: Problem } {
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

  /** A file as problems say it. */
  path(name: string): string {
    return join(this.#folder, name);
  }

  /** @throws {Error} for a file that is not among the names */
  text(name: string): string {
    const text = this.#texts.get(name) ?? (this.#part && this.#decode(name).text);
    if (text === undefined) throw new Error(`${this.path(name)} must be a file that was read`);
    return text;
  }

  /** What a file declares. */
  read(name: string): Declarations<DeclaredTenant | DeclaredClass> {
    return readDeclarations(this.path(name), this.text(name), kinds, (path) =>
      this.#include(name, path),
    );
  }

  /** What a file means by a path that it includes. */
  included(name: string, path: string): string {
    return posix.join(posix.dirname(name), path);
  }

  /** Whether it is a regular file of the folder: reading a FIFO would wait forever. */
  has(name: string): boolean {
    return this.content.files.has(name);
  }

  /**
   * An included file. Whether it may be included is asked before whether it exists, and
   * a file that is refused, or is included by one that is, is not read and not reported again.
   */
  #include(name: string, path: string): IncludedFile {
    const include = this.included(name, path);
    const nothing = { file: this.path(include), text: '' };
    if (include.startsWith('../')) throw new Error(`it is not inside ${this.#folder}`);
    if (this.#delegation) {
      const own = governing(this.#delegation, name)?.folder;
      if (own === undefined) return nothing;
      if (!mayInclude(this.#delegation, name, include)) {
        throw new Error(`it is neither of the folder ${show(own)} nor shared (spec.delegation)`);
      }
    }
    if (isRefused(this.content, include)) return nothing;
    if (!this.has(include)) throw new Error('there is no such file');
    return { file: this.path(include), ...this.#decode(include) };
  }
}
