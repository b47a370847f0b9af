import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { listed, show } from '../../kube/problem.ts';
import { isOutputPath, OWNERSHIP_FILE } from './paths.ts';
import { UnusableOutput } from './place.ts';

const TITLE = '# The files of this folder that Tenantry wrote, one a line.';
const HEADER = `${TITLE}\n# Tenantry replaces and removes these, and never touches a file that is not listed. Do not edit.\n`;

// Both sides of an unresolved merge are ours, so the markers are read like comments.
const IGNORED = /^(?:#|<<<<<<<|=======|>>>>>>>|\|\|\|\|\|\|\||$)/;

/** Files that are not ours stand where the output has others. Nothing was touched. */
export class ForeignFile extends Error {
  override readonly name = 'ForeignFile';
  readonly paths: readonly string[];

  constructor(output: string, paths: readonly string[]) {
    super(
      `${output}: a file to be written must be new or listed in FILES, got ${paths.length === 1 ? 'a file' : `${paths.length} files`} of someone else: ${paths.join(', ')}; move or delete them`,
    );
    this.paths = paths;
  }
}

/** The output was written, and files that are no part of it stand where only the output may. */
export class StrangersInOutput extends Error {
  override readonly name = 'StrangersInOutput';
  readonly paths: readonly string[];

  constructor(output: string, paths: readonly string[]) {
    super(
      `${output} was written, and must hold nothing else where it is rendered, got ${listed(paths)}; remove what nobody rendered, or move it to a folder beside the output`,
    );
    this.paths = paths;
  }
}

/** The text of the list of files; it holds nothing that changes while the paths stay. */
export function formatOwned(sortedPaths: readonly string[]): string {
  return sortedPaths.length === 0 ? HEADER : `${HEADER}${sortedPaths.join('\n')}\n`;
}

/**
 * The files of an output folder that are ours, without `FILES` itself; undefined when the folder
 * has no such list. Throws `UnusableOutput` when the list was not written by Tenantry, or holds a path that could
 * lead out of the folder: no part of such a list is believed.
 */
export function readOwned(directory: string): string[] | undefined {
  const file = join(directory, OWNERSHIP_FILE);
  const stat = lstatSync(file, { throwIfNoEntry: false });
  if (stat === undefined) return undefined;
  if (!stat.isFile()) throw new UnusableOutput(`${file} must be a regular file; move it away`);
  return pathsIn(readFileSync(file, 'utf8'), file);
}

/**
 * Which of the files of a folder are ours, by the list among them; undefined when there is none that
 * can be believed.
 */
export function ownedAmong(
  paths: readonly string[],
  read: (path: string) => string,
): ReadonlySet<string> | undefined {
  if (!paths.includes(OWNERSHIP_FILE)) return undefined;
  try {
    return new Set(pathsIn(read(OWNERSHIP_FILE), OWNERSHIP_FILE));
  } catch (error) {
    if (error instanceof UnusableOutput) return undefined;
    throw error;
  }
}

function pathsIn(text: string, file: string): string[] {
  const lines = text.split(/\r?\n/);
  if (lines[0] !== TITLE) {
    throw new UnusableOutput(
      `${file}:1 must be '${TITLE}', got ${show(lines[0])}; restore the file from Git, or move it away if it is yours`,
    );
  }
  const paths: string[] = [];
  for (const [index, line] of lines.entries()) {
    if (IGNORED.test(line)) continue;
    if (!isOutputPath(line)) {
      throw new UnusableOutput(
        `${file}:${index + 1} must be a path inside the folder, got ${show(line)}; remove the line or restore the file from Git`,
      );
    }
    if (line !== OWNERSHIP_FILE) paths.push(line);
  }
  return paths;
}
