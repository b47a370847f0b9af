import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import {
  readDeclarations,
  type Declarations,
  type DeclaredOf,
} from '../crds/tenantry/declarations.ts';
import { tenant } from '../crds/tenantry/tenant.ts';
import { tenantClass } from '../crds/tenantry/tenantclass.ts';
import { governing, mayInclude, type Delegation } from '../constructs/tenant/delegation.ts';
import { show, type Problem } from '../kube/problem.ts';
import { isRefused, readFolder, type DeclarationFolder } from './declaration-folder.ts';

const kinds = [tenant, tenantClass];

export type DeclaredTenant = DeclaredOf<typeof tenant>;
export type DeclaredClass = DeclaredOf<typeof tenantClass>;

/**
 * The files of a folder that hold Tenants and TenantClasses, and what they include. Files are named
 * by their path below the folder.
 */
export class DeclarationFiles {
  /** What cannot be read. */
  readonly problems: readonly Problem[];
  readonly #folder: string;
  readonly #delegation: Delegation | undefined;
  readonly #content: DeclarationFolder;
  /** In the order of their names. */
  readonly #texts = new Map<string, string>();

  /**
   * @param folder as the user names it: problems begin with it
   * @param delegation who may include what; undefined where nobody knows
   */
  constructor(folder: string, delegation: Delegation | undefined) {
    this.#folder = folder;
    this.#delegation = delegation;
    this.#content = readFolder(folder);
    const problems = [...this.#content.problems.values()];
    for (const name of this.#content.declarations) {
      try {
        this.#texts.set(name, readFileSync(this.path(name), 'utf8'));
      } catch (cause) {
        const message = `must be readable, got ${(cause as Error).message}`;
        problems.push({ file: this.path(name), path: '', message, rule: 'file' });
      }
    }
    this.problems = problems;
  }

  /** The files that could be read, in the order of their names. */
  get names(): readonly string[] {
    return [...this.#texts.keys()];
  }

  /** A file as problems say it. */
  path(name: string): string {
    return join(this.#folder, name);
  }

  /** @throws {Error} for a file that is not among the names */
  text(name: string): string {
    const text = this.#texts.get(name);
    if (text === undefined) throw new Error(`${this.path(name)} must be a file that was read`);
    return text;
  }

  /** What a file declares. */
  read(name: string): Declarations<DeclaredTenant | DeclaredClass> {
    return readDeclarations(this.path(name), this.text(name), kinds, (path) =>
      this.#includeText(name, path),
    );
  }

  /** What a file means by a path that it includes. */
  included(name: string, path: string): string {
    return posix.join(posix.dirname(name), path);
  }

  /** Whether it is a regular file of the folder: reading a FIFO would wait forever. */
  has(name: string): boolean {
    return this.#content.files.has(name);
  }

  /**
   * The text of an included file. Whether it may be included is asked before whether it exists, and
   * a file that is refused, or is included by one that is, is not read and not reported again.
   */
  #includeText(name: string, path: string): string {
    const include = this.included(name, path);
    if (include.startsWith('../')) throw new Error(`it is not inside ${this.#folder}`);
    if (this.#delegation) {
      const own = governing(this.#delegation, name)?.folder;
      if (own === undefined) return '';
      if (!mayInclude(this.#delegation, name, include)) {
        throw new Error(`it is neither of the folder ${show(own)} nor shared (spec.delegation)`);
      }
    }
    if (isRefused(this.#content, include)) return '';
    if (!this.has(include)) throw new Error('there is no such file');
    return readFileSync(this.path(include), 'utf8');
  }
}
