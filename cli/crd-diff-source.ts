import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import type { Known } from '../crds/compatibility/sets.ts';
import { same } from '../crds/json.ts';
import { readDefinitions } from '../crds/manifests.ts';
import { formatProblem, type Problem } from '../crds/problem.ts';
import { isMapping } from '../crds/value/validate.ts';
import { readDocuments } from '../crds/yaml/read.ts';
import { UsageError } from './settings.ts';

/** The definitions of one side, or why they cannot be read. */
export interface Source {
  readonly definitions: readonly Known[];
  readonly problems: readonly Problem[];
}

interface Text {
  /** As messages say it. */
  readonly name: string;
  readonly text: string;
  /** One file of a folder, which may hold other things than definitions. */
  readonly isOneOfMany: boolean;
}

/**
 * Reads `-` (the standard input), a file, a folder with all below it (`.yaml`, `.yml` and `.json`),
 * or `REV:PATH` of Git, of a file or a folder, where PATH is from the root of the repository, and
 * from the working folder when it begins with `./`.
 * @throws {UsageError} when there is no such thing
 */
export function readSource(name: string): Source {
  return definitionsOf(name, textsOf(name));
}

/**
 * Reads a path as a revision of its Git repository has it; without definitions where the revision
 * has no such path.
 * @throws {UsageError} when there is no such revision
 */
export function readRevision(revision: string, path: string): Source {
  const whole = resolve(path);
  let cwd = isFolder(whole) ? whole : dirname(whole);
  while (!isFolder(cwd)) cwd = dirname(cwd);
  const commit = ['rev-parse', '--verify', '--quiet', `${revision}^{commit}`];
  if (revision.startsWith('-') || git(commit, cwd) === undefined) {
    throw new UsageError(`--base must be a revision of this Git repository, got '${revision}'`);
  }
  const below = relative(cwd, whole).replaceAll('\\', '/');
  const texts = textsOfGit(`${revision}:./${below}`, `${revision}:${path}`, cwd);
  return texts ? definitionsOf(`${revision}:${path}`, texts) : { definitions: [], problems: [] };
}

/** Whether there is such a file or folder. */
export function isThere(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function textsOf(name: string): Text[] {
  if (name === '-') {
    return [{ name: 'standard input', text: readFileSync(0, 'utf8'), isOneOfMany: false }];
  }
  const found = statSync(name, { throwIfNoEntry: false });
  if (found?.isDirectory()) {
    return filesBelow(name).map((file) => ({
      name: file,
      text: readFileSync(file, 'utf8'),
      isOneOfMany: true,
    }));
  }
  if (found) return [{ name, text: readFileSync(name, 'utf8'), isOneOfMany: false }];
  const texts =
    name.includes(':') && !name.startsWith('-') ? textsOfGit(name, name, '.') : undefined;
  if (texts) return texts;
  throw new UsageError(
    `must be a file, a folder, REV:PATH of Git, or - for the standard input, got '${name}'`,
  );
}

const isManifest = (name: string): boolean => /\.(ya?ml|json)$/.test(name);

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .map((entry) => ({ entry, path: join(entry.parentPath, entry.name) }))
    .filter(
      ({ entry, path }) =>
        isManifest(entry.name) &&
        (entry.isFile() ||
          (entry.isSymbolicLink() && statSync(path, { throwIfNoEntry: false })?.isFile())),
    )
    .map(({ path }) => path.replaceAll('\\', '/'))
    .toSorted((a, b) => (a < b ? -1 : 1));
}

/** The files of `REV:PATH`; undefined where Git knows no such thing. */
function textsOfGit(object: string, name: string, cwd: string): Text[] | undefined {
  const id = git(['rev-parse', '--verify', '--quiet', object], cwd)?.trim();
  if (id === undefined) return undefined;
  const type = git(['cat-file', '-t', id], cwd)?.trim();
  if (type === 'blob') return [{ name, text: blobs([id], cwd)[0]!, isOneOfMany: false }];
  if (type !== 'tree') return undefined;
  const tree = git(['ls-tree', '-r', '-z', '--full-tree', id], cwd) ?? '';
  const files = tree.split('\0').flatMap((line) => {
    const [, blob, path] = /^100\d{3} blob ([0-9a-f]+)\t([^]+)$/.exec(line) ?? [];
    return blob !== undefined && path !== undefined && isManifest(path) ? [{ blob, path }] : [];
  });
  const texts = blobs(
    files.map(({ blob }) => blob),
    cwd,
  );
  const folder = /[:/]$/.test(name) ? name : `${name}/`;
  return files.map(({ path }, i) => ({ name: folder + path, text: texts[i]!, isOneOfMany: true }));
}

/** The texts of many objects of Git, read by one process. */
function blobs(objects: readonly string[], cwd: string): string[] {
  if (objects.length === 0) return [];
  const all = execFileSync('git', ['cat-file', '--batch'], {
    cwd,
    input: objects.join('\n'),
    stdio: ['pipe', 'pipe', 'ignore'],
    maxBuffer: 2 ** 30,
  });
  let at = 0;
  return objects.map(() => {
    const end = all.indexOf('\n', at);
    const size = Number(all.toString('utf8', at, end).split(' ')[2]);
    at = end + 1 + size + 1;
    return all.toString('utf8', end + 1, end + 1 + size);
  });
}

/** What git prints, or undefined when it fails or is not there. */
function git(args: readonly string[], cwd: string): string | undefined {
  try {
    return execFileSync('git', args, {
      cwd,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      maxBuffer: 2 ** 30,
    });
  } catch {
    return undefined;
  }
}

/** The rule of readDefinitions for a text without any. */
const NO_DEFINITION = 'no-definition';

/** What a folder may hold beside definitions: other objects, and files that are no objects at all. */
const besides = new Set([NO_DEFINITION, 'kind']);

function definitionsOf(source: string, texts: readonly Text[]): Source {
  const found = new Map<string, { known: Known; place: Problem }>();
  const problems: Problem[] = [];
  for (const { name, text, isOneOfMany } of texts) {
    const read = readDefinitions(name, text);
    problems.push(...read.problems.filter(({ rule }) => !isOneOfMany || !besides.has(rule)));
    const stored = read.definitions.length > 0 ? storedVersionsOf(text) : new Map();
    for (const { manifest, problem } of read.definitions) {
      const { name } = manifest.metadata;
      const first = found.get(name);
      const place = problem(['metadata', 'name'], '', 'repeated');
      if (!first) {
        const storedVersions = stored.get(name) as readonly string[] | undefined;
        found.set(name, { known: { manifest, ...(storedVersions && { storedVersions }) }, place });
      } else if (!same(first.known.manifest, manifest)) {
        const where = formatProblem({ ...first.place, path: '' }).trim();
        const message = `must be defined once, got '${name}' again, and different from ${where}`;
        problems.push({ ...place, message });
      }
    }
  }
  if (found.size === 0 && problems.length === 0) {
    const message = `must hold a CustomResourceDefinition, got ${texts.length === 0 ? 'no file .yaml, .yml or .json' : 'none'}`;
    problems.push({ file: source, path: '', message, rule: NO_DEFINITION });
  }
  return { definitions: [...found.values()].map(({ known }) => known), problems };
}

/** `status.storedVersions` of definitions that come from a cluster, by their names. */
function storedVersionsOf(text: string): Map<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  if (!text.includes('storedVersions')) return found;
  const visit = (value: unknown): void => {
    if (!isMapping(value)) return;
    const { metadata, status, items } = value;
    if (Array.isArray(items)) items.forEach(visit);
    if (!isMapping(metadata) || !isMapping(status)) return;
    const { storedVersions } = status;
    if (typeof metadata['name'] !== 'string' || !Array.isArray(storedVersions)) return;
    found.set(metadata['name'], storedVersions.map(String));
  };
  for (const { value } of readDocuments(text).documents) visit(value);
  return found;
}
