import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatList, show } from '../../kube/problem.ts';
import { isOutputPath, parseMark, markOf, MARKS, OLD_LIST } from './paths.ts';
import { UnusableOutput } from './place.ts';

const TITLE = '# The files of this folder that Tenantry wrote, one a line.';

// Both sides of an unresolved merge belong to Tenantry, so conflict markers are skipped like
// comments.
const IGNORED = /^(?:#|<<<<<<<|=======|>>>>>>>|\|\|\|\|\|\|\||$)/;

/** Reports foreign files in the place of output files. Nothing was changed. */
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

/** Reports unexpected files in a written output, where only the output may be. */
export class StrangersInOutput extends Error {
  override readonly name = 'StrangersInOutput';
  readonly paths: readonly string[];

  constructor(output: string, paths: readonly string[]) {
    super(
      `${output} was written, and must hold nothing else where it is rendered, got ${formatList(paths)}; remove what Tenantry did not render, or move it to a folder beside the output`,
    );
    this.paths = paths;
  }
}

/** The files of an output folder that Tenantry rendered, as recorded in the folder itself. */
export interface Ownership {
  readonly owned: ReadonlySet<string>;
  /** The files that have a mark. The others are recorded by an earlier version. */
  readonly marked: ReadonlySet<string>;
  /** Records of earlier versions: marks of another format, and a list. */
  readonly former: readonly string[];
  /** Entries among the marks that are no marks, including empty folders. */
  readonly oddities: readonly string[];
}

/**
 * Reads which files of an output Tenantry rendered: those with a mark, also of an earlier version,
 * and those in the list of an earlier version. Throws `UnusableOutput` when Tenantry did not write
 * the marks or the list, or when a path in the list could leave the folder. No part of such a list
 * is used.
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

/** Returns the same as sorted paths; undefined when the folder has no record of rendered files. */
export function readOwned(directory: string): string[] | undefined {
  const { owned, former } = readOwnership(directory);
  return owned.size + former.length > 0 ? [...owned].toSorted() : undefined;
}

/**
 * Finds the rendered files of a folder by the marks and the list among them; undefined when none of
 * these records can be trusted.
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

/** The content of the folder of marks. Links are not followed, and anything else is unexpected. */
interface Marks {
  readonly marked: Set<string>;
  /** Marked files by marks of an earlier version. */
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
