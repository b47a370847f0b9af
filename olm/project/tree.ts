import { errorAt, warningAt } from '../../kube/finding.ts';
import { isMapping } from '../../kube/mapping.ts';
import type { BundleFile, BundleFinding } from '../bundle/bundle.ts';
import { readBundleFile } from '../bundle/documents.ts';

/** JSON that is worked on. */
export type Editable = Record<string, unknown>;

/** An object of a kustomization, which is changed in place. */
export interface Built {
  readonly value: Editable;
  readonly file: string;
  /** What it was called on the way, the first name first. */
  readonly names: string[];
  readonly namespaces: string[];
  /** Whether its name gets what it holds behind it, as that of something generated does. */
  isHashed?: boolean;
}

export function textAt(value: unknown, ...path: readonly string[]): string {
  let found = value;
  for (const key of path) found = isMapping(found) ? found[key] : undefined;
  return typeof found === 'string' ? found : '';
}

export function mappingAt(value: unknown, ...path: readonly string[]): Editable | undefined {
  let found = value;
  for (const key of path) found = isMapping(found) ? found[key] : undefined;
  return isMapping(found) ? (found as Editable) : undefined;
}

export function listAt(value: unknown, ...path: readonly string[]): unknown[] {
  let found = value;
  for (const key of path) found = isMapping(found) ? found[key] : undefined;
  return Array.isArray(found) ? (found as unknown[]) : [];
}

export const kindOf = ({ value }: Built): string => textAt(value, 'kind');
export const nameOf = ({ value }: Built): string => textAt(value, 'metadata', 'name');

/** The files of a project, and what is said of them. */
export class Tree {
  readonly findings: BundleFinding[] = [];
  /** Kustomizations that were built; one may be named by several. */
  built = 0;
  readonly #files: ReadonlyMap<string, BundleFile>;

  constructor(files: readonly BundleFile[]) {
    this.#files = new Map(files.map((file) => [file.path, file]));
  }

  has(path: string): boolean {
    return this.#files.has(path);
  }

  /** Whether something lies in a folder. */
  hasFolder(folder: string): boolean {
    return [...this.#files.keys()].some((path) => path.startsWith(`${folder}/`));
  }

  /** The values of the documents of a file, each a copy that can be changed. */
  documents(path: string): unknown[] {
    const file = this.#files.get(path);
    if (!file) {
      this.lost(path, 'must be a file of the project, got none');
      return [];
    }
    const { documents, faults } = readBundleFile(file);
    for (const fault of faults) if (!this.findings.includes(fault)) this.findings.push(fault);
    return documents.map(({ value }) => structuredClone(value)).filter((value) => value !== null);
  }

  /** The bytes of a file; none where there is no such file, which is told. */
  bytes(path: string): Uint8Array {
    const file = this.#files.get(path);
    if (!file) this.lost(path, 'must be a file of the project, got none');
    return file?.bytes ?? new Uint8Array();
  }

  text(path: string): string | undefined {
    const file = this.#files.get(path);
    return file && new TextDecoder().decode(file.bytes);
  }

  /** What is not carried over. */
  lost(file: string, message: string): void {
    this.findings.push({ ...errorAt([], message, 'not-carried-over'), file });
  }

  /** What is carried over, and worth a look. */
  warn(file: string, message: string): void {
    this.findings.push({ ...warningAt([], message, 'project'), file });
  }
}

/** `config/default` and `../rbac` are `config/rbac`; undefined outside of the project. */
export function joined(folder: string, path: string): string | undefined {
  const parts = folder.split('/').filter(Boolean);
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) return undefined;
  }
  return parts.join('/');
}
