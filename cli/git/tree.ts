import { createHash } from 'node:crypto';
import type { RunGit } from './git.ts';

/** An entry of the tree of a commit. */
export interface Entry {
  /** `100644`: a file; `120000`: a link; `160000`: a submodule. */
  readonly mode: string;
  readonly id: string;
  /** Relative to the root of the repository. */
  readonly path: string;
}

/** Returns the Git arguments that list entries of trees. */
export function lsTree(words: readonly string[]): string[] {
  return [...LITERAL, 'ls-tree', '-z', '--full-tree', ...words];
}

/** Makes Git read paths literally, not as patterns. */
const LITERAL = ['--literal-pathspecs'];

/** Lists the entries of a tree, by the arguments of `lsTree`. */
export function listEntries(args: readonly string[], cwd: string, ask: RunGit): Entry[] {
  const answer = ask(args, cwd);
  if (answer.failed !== undefined) throw new Error(`git ls-tree: ${answer.failed}`);
  const lines = answer.out.toString().split('\0').filter(Boolean);
  return lines.map((line) => {
    const [, mode = '', id = '', path = ''] = /^(\d+) \w+ (\w+)\t([^]*)$/.exec(line) ?? [];
    return { mode, id, path };
  });
}

/** Returns the texts of blobs, in their order. They are in memory together. */
export function readBlobs(ids: readonly string[], cwd: string, ask: RunGit): string[] {
  if (ids.length === 0) return [];
  const answer = ask(['cat-file', '--batch'], cwd, `${ids.join('\n')}\n`);
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

/** Whether a blob has a text, by its id. Reading thousands of blobs takes longer than computing their ids. */
export function isBlob(id: string, text: string): boolean {
  const bytes = Buffer.from(text);
  const hash = createHash(id.length === SHA256_LENGTH ? 'sha256' : 'sha1');
  return hash.update(`blob ${bytes.length}\0`).update(bytes).digest('hex') === id;
}

/** The length of an id in a repository with SHA-256. */
const SHA256_LENGTH = 64;
