import { readdirSync, type Dirent } from 'node:fs';
import { join } from 'node:path';
import type { Problem } from '@tenantry/kube/problem';

/** The content of a folder of declarations. Paths are relative to it, with `/`. */
export interface DeclarationFolder {
  /** The YAML files that hold declarations, sorted by name. */
  readonly declarations: readonly string[];
  /** Files that are named like declarations but are not read as such. */
  readonly unread: readonly string[];
  /** All files, including those that declarations may include. No other file is read. */
  readonly files: ReadonlySet<string>;
  /** Problems by the path that they concern. */
  readonly problems: ReadonlyMap<string, Problem>;
}

/** The name of folders that hold only files for declarations to include. */
const INCLUDED = 'resources';

/**
 * Matches names that are probably meant as declarations: `a.YAML`, `a.json`, `a.yaml.txt`,
 * `a.yml~`, `a.ymal`.
 */
const LIKELY = /\.ya?ml|\.(json|ymal|yalm|ylm)$/i;

/**
 * Lists a folder recursively and skips hidden files and folders. Every other entry must be a file
 * or a folder. A link could expose files of another author or private files of this machine, and
 * reading a device or a FIFO never ends. The folder itself may be a link, since the caller chooses
 * it.
 */
export function readFolder(folder: string): DeclarationFolder {
  const declarations: string[] = [];
  const unread: string[] = [];
  const files = new Set<string>();
  const problems = new Map<string, Problem>();
  const refuse = (path: string, message: string): void => {
    problems.set(path, { file: join(folder, path), path: '', message, rule: 'file' });
  };

  /** @param below the folder to list: empty, or with a slash at the end */
  const visit = (below: string, { isIncluded }: { readonly isIncluded: boolean }): void => {
    const here = below.slice(0, -1);
    let entries;
    try {
      entries = readdirSync(join(folder, here), { withFileTypes: true });
    } catch (cause) {
      return refuse(here, `must be readable, got ${(cause as Error).message}`);
    }
    for (const entry of entries) {
      const path = below + entry.name;
      if (entry.name.startsWith('.')) continue;
      if (entry.isDirectory())
        visit(`${path}/`, { isIncluded: isIncluded || entry.name === INCLUDED });
      else if (!entry.isFile())
        refuse(path, `must be a file or a folder, got ${describeEntry(entry)}`);
      else {
        files.add(path);
        if (isIncluded) continue;
        if (/\.ya?ml$/.test(entry.name)) declarations.push(path);
        else if (LIKELY.test(entry.name)) unread.push(path);
      }
    }
  };
  visit('', { isIncluded: false });
  return { declarations: declarations.toSorted(), unread: unread.toSorted(), files, problems };
}

/** Whether a path or one of its parent folders has a problem. */
export function isRefused({ problems }: DeclarationFolder, path: string): boolean {
  const names = path.split('/');
  return problems.has('') || names.some((_, i) => problems.has(names.slice(0, i + 1).join('/')));
}

/** Describes an entry that is neither a file nor a folder. */
export function describeEntry(entry: Dirent): string {
  if (entry.isDirectory()) return 'a folder';
  if (entry.isSymbolicLink()) return 'a symbolic link';
  if (entry.isFIFO()) return 'a FIFO';
  return entry.isSocket() ? 'a socket' : 'a device';
}
