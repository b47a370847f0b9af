import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { listed, show } from '../../kube/problem.ts';
import { isOutputPath, markedBy, MARKS, OLD_LIST } from './paths.ts';
import { UnusableOutput } from './place.ts';

const TITLE = '# The files of this folder that Tenantry wrote, one a line.';

// Both sides of an unresolved merge are ours, so the markers are read like comments.
const IGNORED = /^(?:#|<<<<<<<|=======|>>>>>>>|\|\|\|\|\|\|\||$)/;

/** Files that are not ours stand where the output has others. Nothing was touched. */
export class ForeignFile extends Error {
  override readonly name = 'ForeignFile';
  readonly paths: readonly string[];

  constructor(output: string, paths: readonly string[]) {
    super(
      `${output}: a file to be written must be new or marked in ${MARKS}, got ${paths.length === 1 ? 'a file' : `${paths.length} files`} of someone else: ${paths.join(', ')}; move or delete them`,
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

/** Which files of an output folder are ours, as it says itself. */
export interface Ownership {
  readonly owned: ReadonlySet<string>;
  /** Those that have a mark; the others are in the list of an earlier version. */
  readonly marked: ReadonlySet<string>;
  /** Whether there is such a list. */
  readonly hasList: boolean;
  /** What stands among the marks and is none, folders that hold nothing too. */
  readonly oddities: readonly string[];
}

/**
 * Reads which files of an output are ours: those that have a mark, and those in the list of an
 * earlier version. Throws `UnusableOutput` when marks or list were not written by Tenantry, or when
 * the list holds a path that could lead out of the folder: no part of such a list is believed.
 */
export function readOwnership(directory: string): Ownership {
  const { marked, oddities } = readMarks(directory);
  const list = readList(directory);
  return {
    owned: list === undefined ? marked : new Set([...marked, ...list]),
    marked,
    hasList: list !== undefined,
    oddities,
  };
}

/** The same as paths, sorted; undefined when the folder does not say which files are ours. */
export function readOwned(directory: string): string[] | undefined {
  const { owned, hasList } = readOwnership(directory);
  return owned.size > 0 || hasList ? [...owned].toSorted() : undefined;
}

/**
 * Which of the files of a folder are ours, by the marks and the list among them; undefined when
 * there is nothing of these that can be believed.
 */
export function ownedAmong(
  paths: readonly string[],
  read: (path: string) => string,
): ReadonlySet<string> | undefined {
  const owned = new Set(paths.flatMap((path) => markedBy(path) ?? []));
  if (!paths.includes(OLD_LIST)) return owned.size > 0 ? owned : undefined;
  try {
    return new Set([...owned, ...pathsIn(read(OLD_LIST), OLD_LIST)]);
  } catch (error) {
    if (error instanceof UnusableOutput) return owned.size > 0 ? owned : undefined;
    throw error;
  }
}

/** The files that have a mark. Links are not followed; what is no mark is a stranger's. */
function readMarks(directory: string): Pick<Ownership, 'oddities'> & { marked: Set<string> } {
  const marked = new Set<string>();
  const oddities: string[] = [];
  const root = join(directory, MARKS);
  const stat = lstatSync(root, { throwIfNoEntry: false });
  if (stat === undefined) return { marked, oddities };
  if (!stat.isDirectory()) throw new UnusableOutput(`${root} must be a folder; move it away`);
  const folders = [MARKS];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const entries = readdirSync(`${directory}/${folder}`, { withFileTypes: true });
    if (entries.length === 0) oddities.push(folder);
    for (const entry of entries) {
      const path = `${folder}/${entry.name}`;
      const file = entry.isFile() ? markedBy(path) : undefined;
      if (entry.isDirectory()) folders.push(path);
      else if (file !== undefined) marked.add(file);
      else oddities.push(path);
    }
  }
  return { marked, oddities };
}

function readList(directory: string): string[] | undefined {
  const file = join(directory, OLD_LIST);
  const stat = lstatSync(file, { throwIfNoEntry: false });
  if (stat === undefined) return undefined;
  if (!stat.isFile()) throw new UnusableOutput(`${file} must be a regular file; move it away`);
  return pathsIn(readFileSync(file, 'utf8'), file);
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
    if (line !== OLD_LIST) paths.push(line);
  }
  return paths;
}
