import { lstatSync, readdirSync } from 'node:fs';

/** A root on disk and the paths that are expected below it, relative to it. */
export interface Expected {
  readonly root: string;
  has(path: string): boolean;
}

/**
 * Lists what is at and below a path but not expected: files, links (not followed), other entries
 * that are no folders, and empty folders, with a `/` at the end. Git has no empty folders. In a
 * checkout, one is a submodule that was not fetched, and Argo CD fetches submodules.
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
