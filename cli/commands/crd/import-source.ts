import { statSync } from 'node:fs';
import type { FoundDefinition } from '@tenantry/crd/import';
import { readDefinitions, type SkippedObject } from '@tenantry/crd/manifests';
import type { Problem } from '@tenantry/kube/problem';
import { fetchText, readCluster, shownUrl } from './import-fetch.ts';
import { mayContainWord } from '@tenantry/kube/yaml/read';
import {
  Unreadable,
  buildUnreadableProblem,
  isBeside,
  manifestFiles,
  noDefinition,
  readFile,
  readStandardInput,
} from '../../manifest-files.ts';

const KIND = 'CustomResourceDefinition';
/** The rules that apply to a text before it can be parsed. */
const unread = new Set(['yaml', 'template', 'size']);
const nothing: ReadSources = { found: [], problems: [], warnings: [], skipped: [] };

/** The definitions of all sources, and their problems. */
export interface ReadSources {
  readonly found: readonly FoundDefinition[];
  readonly problems: readonly Problem[];
  readonly warnings: readonly Problem[];
  readonly skipped: readonly SkippedObject[];
}

interface SourceOptions {
  readonly context?: string;
  /** Called before a slow step. */
  readonly report: (what: string) => void;
}

/**
 * Reads files, folders recursively, URLs, `cluster` and `-`. A problem in one source does not stop
 * the others.
 */
export async function readSources(
  sources: readonly string[],
  options: SourceOptions,
): Promise<ReadSources> {
  const all = { found: [], problems: [], warnings: [], skipped: [] } as {
    found: FoundDefinition[];
    problems: Problem[];
    warnings: Problem[];
    skipped: SkippedObject[];
  };
  for (const source of sources) {
    try {
      const one = await readSource(source, options);
      all.found.push(...one.found);
      all.problems.push(...one.problems);
      all.warnings.push(...one.warnings);
      all.skipped.push(...one.skipped);
    } catch (error) {
      all.problems.push(buildUnreadableProblem(nameOf(source), error));
    }
  }
  return all;
}

async function readSource(source: string, options: SourceOptions): Promise<ReadSources> {
  const name = nameOf(source);
  if (source === 'cluster') {
    options.report('asking kubectl for the definitions of the cluster');
    return definitionsOf(name, 'cluster', await readCluster(options.context));
  }
  if (source === '-') return definitionsOf(name, '-', await readStandardInput());
  if (isUrl(source)) {
    options.report(`downloading ${name}`);
    return definitionsOf(name, quoted(name), await fetchText(source));
  }
  const stat = statSync(source, { throwIfNoEntry: false });
  if (stat?.isDirectory()) return readFolder(source, options);
  if (stat?.isFile()) return definitionsOf(source, quoted(source), readFile(source));
  throw new Unreadable('must be a file, a folder, a URL, cluster, or - for standard input');
}

function readFolder(folder: string, { report }: SourceOptions): ReadSources {
  const files = manifestFiles(folder);
  const read: ReadSources[] = [];
  for (const [i, file] of files.entries()) {
    if (i % 100 === 0) report(`reading ${folder}: ${i} of ${files.length} files`);
    read.push(readFolderFile(file, quoted(folder)));
  }
  const problems = read.flatMap((one) => one.problems).filter((problem) => !isBeside(problem));
  const found = read.flatMap((one) => one.found);
  if (found.length === 0 && problems.length === 0) {
    problems.push(noDefinition(folder, files.length));
  }
  return {
    found,
    problems,
    warnings: read.flatMap((one) => one.warnings),
    skipped: read.flatMap((one) => one.skipped),
  };
}

/** Reads a file of a folder. Most are something else, and need not even be YAML. */
function readFolderFile(file: string, source: string): ReadSources {
  let text: string;
  try {
    text = readFile(file);
  } catch (error) {
    return { ...nothing, problems: [buildUnreadableProblem(file, error)] };
  }
  if (text.includes(KIND)) return definitionsOf(file, source, text);
  if (!mayContainWord(text, KIND)) return nothing;
  // An unreadable text that does not contain the kind is not a definition.
  const read = definitionsOf(file, source, text);
  const isAbout = read.found.length > 0;
  return { ...read, problems: read.problems.filter(({ rule }) => isAbout || !unread.has(rule)) };
}

function definitionsOf(name: string, source: string, text: string): ReadSources {
  const { definitions, ...others } = readDefinitions(name, text);
  return { found: definitions.map((located) => ({ located, source })), ...others };
}

function isUrl(source: string): boolean {
  return /^[a-z][a-z+.-]+:\/\//i.test(source);
}

/** The name of a source in messages. */
function nameOf(source: string): string {
  if (source === '-') return 'standard input';
  return isUrl(source) ? shownUrl(source) : source;
}

/** Quotes a word for a shell. */
function quoted(word: string): string {
  return /^[\w@%+=:,./~-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
