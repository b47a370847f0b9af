import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { errorAt, problemOf } from '../../kube/finding.ts';
import type { Problem } from '../../kube/problem.ts';
import { decodeUtf8 } from '../../kube/utf8.ts';
import { readCatalog, type CatalogText, type ReadCatalog } from '../catalog/readcatalog.ts';
import { IGNORE_FILE, ignoredBy, type IgnoreFile } from './ignorefile.ts';

/** Files below one folder. */
const MOST_FILES = 100_000;
/** In bytes, of one file: what fits into one text. */
const LARGEST_FILE = 256 * 2 ** 20;
/** In bytes, of all. */
const LARGEST_CATALOG = 2 ** 30;

/**
 * Reads all files of a folder and of those below as a catalog, as OLM does, those apart that an
 * `.indexignore` leaves out. Links are not followed. What cannot be read is a problem.
 */
export function readCatalogFolder(folder: string): ReadCatalog {
  const found = filesOf(folder);
  const problems: Problem[] = [...found.problems];
  const read = readCatalog(textsOf(folder, found.files, problems));
  if (found.files.length === 0 && problems.length === 0) {
    problems.push(refused(folder, 'must hold a file of a catalog, got none'));
  }
  return {
    catalog: read.catalog,
    problems: [...problems, ...read.problems],
    warnings: read.warnings,
    problem: (finding) => read.problem(finding),
  };
}

interface Found {
  /** From the folder, with `/`, sorted. */
  readonly files: readonly string[];
  readonly problems: readonly Problem[];
}

function filesOf(root: string): Found {
  const files: string[] = [];
  const ignoring: IgnoreFile[] = [];
  const strange: string[] = [];
  const visit = (folder: string): void => {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (files.length > MOST_FILES) return;
      if (entry.isDirectory()) visit(path);
      else if (!entry.isFile()) strange.push(path);
      else if (entry.name === IGNORE_FILE) {
        ignoring.push({ folder, text: readFileSync(join(root, path), 'utf8') });
      } else files.push(path);
    }
  };
  visit('');
  if (files.length > MOST_FILES) {
    const message = `must hold at most ${MOST_FILES} files, got more`;
    return { files: [], problems: [refused(root, message)] };
  }
  const isIgnored = ignoredBy(ignoring);
  const isMeant = (path: string): boolean => !isIgnored(path);
  return {
    files: files.filter(isMeant).toSorted(),
    problems: strange.filter(isMeant).map((path) => refused(join(root, path), NO_FILE)),
  };
}

const NO_FILE = 'must be a file or a folder, got a link or something else; links are not followed';

/** Files are read one by one, so that only what they hold is in memory. */
function* textsOf(
  root: string,
  files: readonly string[],
  problems: Problem[],
): Generator<CatalogText> {
  let total = 0;
  for (const path of files) {
    const file = join(root, path);
    const { size } = statSync(file);
    total += size;
    if (size > LARGEST_FILE || total > LARGEST_CATALOG) {
      const most = size > LARGEST_FILE ? LARGEST_FILE : LARGEST_CATALOG;
      const what = size > LARGEST_FILE ? 'be' : 'be, with the files before it,';
      problems.push(refused(file, `must ${what} at most ${most / 2 ** 20} MiB, got more`));
      if (total > LARGEST_CATALOG) return;
      continue;
    }
    const { text, fault, ...place } = decodeUtf8(readFileSync(file));
    if (text !== undefined) yield { file, text };
    else problems.push(problemOf(errorAt([], fault, 'file'), { file, ...place }));
  }
}

function refused(file: string, message: string): Problem {
  return problemOf(errorAt([], message, 'file'), { file });
}
