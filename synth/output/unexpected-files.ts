import { lstatSync, readdirSync } from 'node:fs';

/** Where something stands on disk, and which paths are expected there; all relative to the root. */
export interface Expected {
  readonly root: string;
  has(path: string): boolean;
}

/**
 * What is at a path and below it, and is not expected: files, links (which are not followed) and
 * all else that is no folder; and folders that hold nothing, with a `/` at their end. Git has no
 * empty folders: in a checkout, one is a submodule that was not fetched, and Argo CD fetches them.
 */
export function findUnexpectedFiles(path: string, expected: Expected): string[] {
  const stat = lstatSync(`${expected.root}/${path}`, { throwIfNoEntry: false });
  if (stat === undefined) return [];
  if (stat.isDirectory()) return findUnexpectedIn(path, expected);
  return expected.has(path) ? [] : [path];
}

function findUnexpectedIn(folder: string, expected: Expected): string[] {
  const entries = readdirSync(`${expected.root}/${folder}`, { withFileTypes: true });
  if (entries.length === 0) return [`${folder}/`];
  const unexpected: string[] = [];
  for (const entry of entries) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) unexpected.push(...findUnexpectedIn(path, expected));
    else if (!expected.has(path)) unexpected.push(path);
  }
  return unexpected;
}
