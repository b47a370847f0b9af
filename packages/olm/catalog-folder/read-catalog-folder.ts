import { readdirSync, readFileSync, statSync, type Dirent } from 'node:fs';
import { join } from 'node:path';
import { errorAt, toProblem } from '@tenantry/kube/finding';
import type { Problem } from '@tenantry/kube/problem';
import { decodeUtf8 } from '@tenantry/kube/utf8';
import { Unreadable, unreadable } from '../folder/bounded-file.ts';
import { readCatalog, type CatalogText, type ReadCatalog } from '../catalog/read-catalog.ts';
import {
  countPatterns,
  IGNORE_FILE,
  buildIgnoreFilter,
  MAX_PATTERNS,
  type IgnoreFile,
} from './ignore-file.ts';

/** The maximum number of files below one folder. */
const MAX_FILES = 100_000;
/** The maximum size of a file in bytes: what fits into one text. */
const LARGEST_FILE = 256 * 2 ** 20;
/** The maximum size of an ignore file, in bytes. */
const LARGEST_IGNORE_FILE = 2 ** 20;
/** The maximum size of all files, in bytes. */
const LARGEST_CATALOG = 2 ** 30;

/**
 * Reads all files of a folder and of its subfolders as a catalog, as OLM does, except those that an `.indexignore`
 * excludes. Links are not followed. Unreadable files are problems, and so is a missing folder.
 *
 * @example
 * ```ts
 * import { checkCatalog, readCatalogFolder } from '@tenantry/olm';
 *
 * const { catalog, problems, problem } = readCatalogFolder('catalog');
 * const wrong = [...problems, ...checkCatalog(catalog).map((finding) => problem(finding))];
 * console.log(wrong.map(({ file, message }) => `${file} ${message}`).join()); // catalog must be a folder, got nothing
 * ```
 */
export function readCatalogFolder(folder: string): ReadCatalog {
  const found = listFiles(folder);
  const problems: Problem[] = [...found.problems];
  const read = readCatalog(readTexts(folder, found.files, problems));
  if (found.files.length === 0 && problems.length === 0) {
    problems.push(refused(folder, 'must contain a file of a catalog, got none'));
  }
  return {
    catalog: read.catalog,
    problems: [...problems, ...read.problems],
    warnings: read.warnings,
    problem: (finding) => read.problem(finding),
  };
}

interface Found {
  /** The paths from the folder, with `/`, sorted. */
  readonly files: readonly string[];
  readonly problems: readonly Problem[];
}

function listFiles(root: string): Found {
  const files: string[] = [];
  const ignoring: IgnoreFile[] = [];
  const strange: string[] = [];
  const problems: Problem[] = [];
  const visit = (folder: string): void => {
    for (const entry of listEntries(root, folder, problems)) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (files.length > MAX_FILES) return;
      if (entry.isDirectory()) visit(path);
      else if (!entry.isFile()) strange.push(path);
      else if (entry.name === IGNORE_FILE) {
        const text = ignoreText(join(root, path), problems);
        if (text !== undefined) ignoring.push({ folder, text });
      } else files.push(path);
    }
  };
  visit('');
  if (files.length > MAX_FILES) {
    const message = `must contain at most ${MAX_FILES} files, got more`;
    return { files: [], problems: [refused(root, message)] };
  }
  let patterns = 0;
  for (const { folder, text } of ignoring) {
    patterns += countPatterns(text);
    if (patterns <= MAX_PATTERNS) continue;
    const file = join(root, folder, IGNORE_FILE);
    const message = `must contain, together with other such files, at most ${MAX_PATTERNS} patterns, got more`;
    return { files: [], problems: [...problems, refused(file, message)] };
  }
  const isIgnored = buildIgnoreFilter(ignoring);
  const isMeant = (path: string): boolean => !isIgnored(path);
  return {
    files: files.filter(isMeant).toSorted(),
    problems: [
      ...problems,
      ...strange.filter(isMeant).map((path) => refused(join(root, path), NO_FILE)),
    ],
  };
}

function listEntries(root: string, folder: string, problems: Problem[]): readonly Dirent[] {
  try {
    if (folder === '') {
      const found = statSync(root, { throwIfNoEntry: false });
      const got = found ? 'a file' : 'nothing';
      if (!found?.isDirectory()) throw new Unreadable(`must be a folder, got ${got}`, 'file');
    }
    return readdirSync(join(root, folder), { withFileTypes: true });
  } catch (error) {
    problems.push(refused(join(root, folder), unreadable(error).message));
    return [];
  }
}

function ignoreText(file: string, problems: Problem[]): string | undefined {
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > LARGEST_IGNORE_FILE) {
    const message = `must be at most ${LARGEST_IGNORE_FILE / 2 ** 20} MiB, got more`;
    problems.push(refused(file, message));
    return undefined;
  }
  return readBytes(file, problems)?.toString();
}

/** @returns undefined, after adding a problem, if the file cannot be read */
function readBytes(file: string, problems: Problem[]): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch (error) {
    problems.push(refused(file, unreadable(error).message));
    return undefined;
  }
}

const NO_FILE = 'must be a file or a folder, got a link or something else; links are not followed';

/** Yields the files one by one, so that only one is in memory. */
function* readTexts(
  root: string,
  files: readonly string[],
  problems: Problem[],
): Generator<CatalogText> {
  let total = 0;
  for (const path of files) {
    const file = join(root, path);
    const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
    total += size;
    if (size > LARGEST_FILE || total > LARGEST_CATALOG) {
      const most = size > LARGEST_FILE ? LARGEST_FILE : LARGEST_CATALOG;
      const what = size > LARGEST_FILE ? 'be' : 'be, with the files before it,';
      problems.push(refused(file, `must ${what} at most ${most / 2 ** 20} MiB, got more`));
      if (total > LARGEST_CATALOG) return;
      continue;
    }
    const bytes = readBytes(file, problems);
    if (!bytes) continue;
    const { text, fault, ...place } = decodeUtf8(bytes);
    if (text !== undefined) yield { file, text };
    else problems.push(toProblem(errorAt([], fault, 'file'), { file, ...place }));
  }
}

function refused(file: string, message: string): Problem {
  return toProblem(errorAt([], message, 'file'), { file });
}
