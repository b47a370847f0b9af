import { readdirSync, type Dirent } from 'node:fs';
import { join } from 'node:path';
import type { Problem } from '../kube/problem.ts';

/** What lies below a folder of declarations; paths are relative to it, with `/`. */
export interface DeclarationFolder {
  /** The YAML files that hold declarations, in the order of their names. */
  readonly declarations: readonly string[];
  /** Files that are named as if they held declarations, and are not read for them. */
  readonly unread: readonly string[];
  /** All files, those that may be included among them. What is not here is not read. */
  readonly files: ReadonlySet<string>;
  /** Problems by the path that they are about. */
  readonly problems: ReadonlyMap<string, Problem>;
}

/** A folder whose files are included by declarations, and hold none. */
const INCLUDED = 'resources';

/** `a.YAML`, `a.json`, `a.yaml.txt`, `a.yml~`, `a.ymal`. */
const LIKELY = /\.ya?ml|\.(json|ymal|yalm|ylm)$/i;

/**
 * Goes through a folder. Hidden files and folders are left out. Everything else has to be a file or
 * a folder: a link would bring in what another may write, or what this machine keeps to itself, and
 * a device or FIFO never ends. That the folder itself is a link is the choice of whoever names it.
 */
export function readFolder(folder: string): DeclarationFolder {
  const declarations: string[] = [];
  const unread: string[] = [];
  const files = new Set<string>();
  const problems = new Map<string, Problem>();
  const refuse = (path: string, message: string): void => {
    problems.set(path, { file: join(folder, path), path: '', message, rule: 'file' });
  };

  /** `below` is empty or ends with a slash. */
  const visit = (below: string, isIncluded: boolean): void => {
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
      if (entry.isDirectory()) visit(`${path}/`, isIncluded || entry.name === INCLUDED);
      else if (!entry.isFile()) refuse(path, `must be a file or a folder, got ${natureOf(entry)}`);
      else {
        files.add(path);
        if (isIncluded) continue;
        if (/\.ya?ml$/.test(entry.name)) declarations.push(path);
        else if (LIKELY.test(entry.name)) unread.push(path);
      }
    }
  };
  visit('', false);
  return { declarations: declarations.toSorted(), unread: unread.toSorted(), files, problems };
}

/** Whether something is wrong with a path or with a folder on its way. */
export function isRefused({ problems }: DeclarationFolder, path: string): boolean {
  const names = path.split('/');
  return problems.has('') || names.some((_, i) => problems.has(names.slice(0, i + 1).join('/')));
}

/** What an entry of a folder is that is neither a file nor a folder. */
export function natureOf(entry: Dirent): string {
  if (entry.isDirectory()) return 'a folder';
  if (entry.isSymbolicLink()) return 'a symbolic link';
  if (entry.isFIFO()) return 'a FIFO';
  return entry.isSocket() ? 'a socket' : 'a device';
}
