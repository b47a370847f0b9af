import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatList, show } from '../../kube/problem.ts';
import { isOutputPath, parseMark, markOf, MARKS, OLD_LIST } from './paths.ts';
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
      `${output} was written, and must hold nothing else where it is rendered, got ${formatList(paths)}; remove what nobody rendered, or move it to a folder beside the output`,
    );
    this.paths = paths;
  }
}

/** Which files of an output folder are ours, as it says itself. */
export interface Ownership {
  readonly owned: ReadonlySet<string>;
  /** Those that have their mark; the others are ours by what an earlier version left. */
  readonly marked: ReadonlySet<string>;
  /** What earlier versions left to say so: marks of another form, and a list. */
  readonly former: readonly string[];
  /** What stands among the marks and is none, folders that hold nothing too. */
  readonly oddities: readonly string[];
}

/**
 * Reads which files of an output are ours: those that have a mark, also one of an earlier version, and
 * those in the list of such a one. Throws `UnusableOutput` when marks or list were not written by Tenantry, or when
 * the list holds a path that could lead out of the folder: no part of such a list is believed.
 */
export function readOwnership(directory: string): Ownership {
  const { marked, former, oddities } = readMarks(directory);
  const list = readList(directory);
  const isAll = former.size === 0 && list === undefined;
  return {
    owned: isAll ? marked : new Set([...marked, ...former.values(), ...(list ?? [])]),
    marked,
    former: [...former.keys(), ...(list === undefined ? [] : [OLD_LIST])],
    oddities,
  };
}

/** The same as paths, sorted; undefined when the folder does not say which files are ours. */
export function readOwned(directory: string): string[] | undefined {
  const { owned, former } = readOwnership(directory);
  return owned.size + former.length > 0 ? [...owned].toSorted() : undefined;
}

/**
 * Which of the files of a folder are ours, by the marks and the list among them; undefined when
 * there is nothing of these that can be believed.
 */
export function findOwned(
  paths: readonly string[],
  read: (path: string) => string,
): ReadonlySet<string> | undefined {
  const owned = new Set(paths.flatMap((path) => parseMark(path) ?? []));
  if (!paths.includes(OLD_LIST)) return owned.size > 0 ? owned : undefined;
  try {
    return new Set([...owned, ...pathsIn(read(OLD_LIST), OLD_LIST)]);
  } catch (error) {
    if (error instanceof UnusableOutput) return owned.size > 0 ? owned : undefined;
    throw error;
  }
}

/** What is in the folder of marks. Links are not followed; what is no mark is a stranger's. */
interface Marks {
  readonly marked: Set<string>;
  /** The marked files, by their marks. */
  readonly former: Map<string, string>;
  readonly oddities: string[];
}

function readMarks(directory: string): Marks {
  const marks: Marks = { marked: new Set(), former: new Map(), oddities: [] };
  const root = join(directory, MARKS);
  const stat = lstatSync(root, { throwIfNoEntry: false });
  if (stat === undefined) return marks;
  if (!stat.isDirectory()) throw new UnusableOutput(`${root} must be a folder; move it away`);
  const folders = [MARKS];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const entries = readdirSync(`${directory}/${folder}`, { withFileTypes: true });
    if (entries.length === 0) marks.oddities.push(folder);
    for (const entry of entries) {
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory()) folders.push(path);
      else noteMark(marks, path, entry.isFile() ? parseMark(path) : undefined);
    }
  }
  return marks;
}

function noteMark({ marked, former, oddities }: Marks, path: string, file?: string): void {
  if (file === undefined) oddities.push(path);
  else if (markOf(file) === path) marked.add(file);
  else former.set(path, file);
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
