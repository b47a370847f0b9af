import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Found } from '../crds/import/definitions.ts';
import { MAX_JSON, readDefinitions, type SkippedObject } from '../crds/manifests.ts';
import type { Problem } from '../crds/problem.ts';
import {
  decode,
  fetchText,
  readCluster,
  readStandardInput,
  shownUrl,
  Unreadable,
} from './crd-import-fetch.ts';

/** All definitions of all sources, and what is wrong with them. */
export interface ReadSources {
  readonly found: readonly Found[];
  readonly problems: readonly Problem[];
  readonly warnings: readonly Problem[];
  readonly skipped: readonly SkippedObject[];
}

export interface SourceOptions {
  readonly context?: string;
  /** Told before something that takes long. */
  readonly say: (what: string) => void;
}

/** Files `.yaml`, `.yml` and `.json` below one folder. */
const MOST_FILES = 100_000;
/** Folders that hold other people's work. */
const notEntered = new Set(['.git', 'node_modules']);
/** What a folder may hold beside definitions: other objects, and files that are no objects at all. */
const besides = new Set(['no-definition', 'kind']);

/**
 * Reads files, folders with all below them, URLs, `cluster` and `-`. What one source is wrong about
 * does not keep the others from being read.
 */
export async function readSources(
  sources: readonly string[],
  options: SourceOptions,
): Promise<ReadSources> {
  const all = { found: [], problems: [], warnings: [], skipped: [] } as {
    found: Found[];
    problems: Problem[];
    warnings: Problem[];
    skipped: SkippedObject[];
  };
  for (const source of sources) {
    const file = nameOf(source);
    try {
      const one = await readSource(source, options);
      all.found.push(...one.found);
      all.problems.push(...one.problems);
      all.warnings.push(...one.warnings);
      all.skipped.push(...one.skipped);
    } catch (error) {
      if (!isUsersOwn(error)) throw error;
      all.problems.push({ file, path: '', message: error.message, rule: 'file' });
    }
  }
  return all;
}

async function readSource(source: string, options: SourceOptions): Promise<ReadSources> {
  const name = nameOf(source);
  if (source === 'cluster') {
    options.say('asking kubectl for the definitions of the cluster');
    return definitionsOf(name, 'cluster', await readCluster(options.context));
  }
  if (source === '-') return definitionsOf(name, '-', await readStandardInput());
  if (isUrl(source)) {
    options.say(`downloading ${name}`);
    return definitionsOf(name, quoted(name), await fetchText(source));
  }
  const stat = statSync(source, { throwIfNoEntry: false });
  if (stat?.isDirectory()) return readFolder(source, options);
  if (stat?.isFile()) return definitionsOf(source, quoted(source), readFile(source));
  throw new Unreadable('must be a file, a folder, a URL, cluster, or - for the standard input');
}

function readFolder(folder: string, { say }: SourceOptions): ReadSources {
  const files = filesBelow(folder);
  const read: ReadSources[] = [];
  for (const [i, file] of files.entries()) {
    if (i % 100 === 0) say(`reading ${folder}: ${i} of ${files.length} files`);
    const text = readFile(file);
    // Most files of a repository are something else, and need not even be YAML.
    if (text.includes('CustomResourceDefinition')) {
      read.push(definitionsOf(file, quoted(folder), text));
    }
  }
  const problems = read.flatMap((one) => one.problems).filter(({ rule }) => !besides.has(rule));
  const found = read.flatMap((one) => one.found);
  if (found.length === 0 && problems.length === 0) {
    const got =
      files.length === 0 ? 'no file .yaml, .yml or .json' : `none in ${files.length} files`;
    const message = `must hold a CustomResourceDefinition, got ${got}`;
    problems.push({ file: folder, path: '', message, rule: 'no-definition' });
  }
  return {
    found,
    problems,
    warnings: read.flatMap((one) => one.warnings),
    skipped: read.flatMap((one) => one.skipped),
  };
}

function definitionsOf(name: string, source: string, text: string): ReadSources {
  const { definitions, ...others } = readDefinitions(name, text);
  return { found: definitions.map((located) => ({ located, source })), ...others };
}

function readFile(file: string): string {
  const { size } = statSync(file);
  if (size > MAX_JSON) {
    throw new Unreadable(`must be at most ${MAX_JSON / 2 ** 20} MiB, got more in ${file}`);
  }
  try {
    return decode(readFileSync(file));
  } catch (error) {
    throw error instanceof Unreadable ? new Unreadable(`${error.message} in ${file}`) : error;
  }
}

function filesBelow(folder: string): string[] {
  const files: string[] = [];
  const visit = (folder: string): void => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) {
        if (!notEntered.has(entry.name)) visit(path);
      } else if (/\.(ya?ml|json)$/.test(entry.name)) {
        const isFile =
          entry.isFile() ||
          (entry.isSymbolicLink() && statSync(path, { throwIfNoEntry: false })?.isFile() === true);
        if (isFile) files.push(path.replaceAll('\\', '/'));
      }
      if (files.length > MOST_FILES) {
        throw new Unreadable(
          `must hold at most ${MOST_FILES} files, got more; name a folder in it`,
        );
      }
    }
  };
  visit(folder);
  return files.toSorted((a, b) => (a < b ? -1 : 1));
}

function isUrl(source: string): boolean {
  return /^[a-z][a-z+.-]+:\/\//i.test(source);
}

/** The name of a source in messages. */
function nameOf(source: string): string {
  if (source === '-') return 'standard input';
  return isUrl(source) ? shownUrl(source) : source;
}

/** As a shell reads it. */
function quoted(word: string): string {
  return /^[\w@%+=:,./~-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/** Errors of the file system are the user's: a folder that may not be read. */
function isUsersOwn(error: unknown): error is Error {
  return error instanceof Unreadable || (error instanceof Error && 'syscall' in error);
}
