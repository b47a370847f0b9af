import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { isDeepEqual } from '@tenantry/kube/json';
import {
  buildRepeatedProblem,
  readDefinitions,
  type LocatedDefinition,
} from '@tenantry/crd/manifests';
import type { Problem } from '@tenantry/kube/problem';
import { git } from '../../git/git.ts';
import {
  Unreadable,
  buildUnreadableProblem,
  isBeside,
  isManifestFile,
  manifestFiles,
  noDefinition,
  readFile,
  readStandardInput,
} from '../../manifest-files.ts';
import { UsageError } from '../../usage-error.ts';

/** The definitions of one side, or why they cannot be read. */
export interface DefinitionSource {
  readonly definitions: readonly LocatedDefinition[];
  readonly problems: readonly Problem[];
  /** What was skipped, and how it was read. */
  readonly warnings: readonly Problem[];
}

/** The source of a path at which there is nothing. */
export const emptySource: DefinitionSource = { definitions: [], problems: [], warnings: [] };

interface Text {
  /** The name in messages. */
  readonly name: string;
  readonly text: string;
  /** Whether it is one file of a folder, which may hold other things than definitions. */
  readonly isOneOfMany: boolean;
}

/**
 * Reads `-` (standard input), a file, or a folder recursively (`.yaml`, `.yml` and `.json`). It
 * also reads `REV:PATH` of Git, a file or a folder. PATH is relative to the root of the repository,
 * or to the working folder if it begins with `./`.
 */
export async function readSource(name: string): Promise<DefinitionSource> {
  let texts: readonly Text[];
  try {
    texts = await readTexts(name);
  } catch (error) {
    const source = name === '-' ? 'standard input' : name;
    return { ...emptySource, problems: [buildUnreadableProblem(source, error)] };
  }
  return parseDefinitions(name, texts);
}

/**
 * Reads a path in a revision of its Git repository; without definitions if the revision has no such
 * path.
 * @throws {UsageError} when there is no such revision
 */
export function readRevision(revision: string, path: string): DefinitionSource {
  const whole = resolve(path);
  let cwd = isFolder(whole) ? whole : dirname(whole);
  while (!isFolder(cwd)) cwd = dirname(cwd);
  if (!isRevision(revision, cwd)) {
    throw new UsageError(`--base must be a revision of this Git repository, got '${revision}'`);
  }
  const below = relative(cwd, whole).replaceAll('\\', '/');
  const texts = textsOfGit(`${revision}:./${below}`, `${revision}:${path}`, cwd);
  return texts ? parseDefinitions(`${revision}:${path}`, texts) : emptySource;
}

/** Whether there is such a file or folder. */
export function pathExists(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

async function readTexts(name: string): Promise<Text[]> {
  if (name === '-') {
    return [{ name: 'standard input', text: await readStandardInput(), isOneOfMany: false }];
  }
  const found = statSync(name, { throwIfNoEntry: false });
  if (found?.isDirectory()) {
    const files = manifestFiles(name);
    return files.map((file) => ({ name: file, text: readFile(file), isOneOfMany: true }));
  }
  if (found) return [{ name, text: readFile(name), isOneOfMany: false }];
  const texts =
    name.includes(':') && !name.startsWith('-') ? textsOfGit(name, name, '.') : undefined;
  if (texts) return texts;
  const [revision = ''] = name.split(':', 1);
  throw new Unreadable(
    revision !== name && isRevision(revision, '.')
      ? `must be a path in the revision '${revision}', got none: from the root of the repository, or from here as ${revision}:./PATH`
      : 'must be a file, a folder, REV:PATH of Git, or - for standard input, got none of them',
  );
}

function isRevision(name: string, cwd: string): boolean {
  const commit = ['rev-parse', '--verify', '--quiet', `${name}^{commit}`];
  return !name.startsWith('-') && git(commit, cwd) !== undefined;
}

/** Returns the files of `REV:PATH`; undefined if Git finds nothing there. */
function textsOfGit(object: string, name: string, cwd: string): Text[] | undefined {
  const id = git(['rev-parse', '--verify', '--quiet', object], cwd)?.trim();
  if (id === undefined) return undefined;
  const type = git(['cat-file', '-t', id], cwd)?.trim();
  if (type === 'blob') return [{ name, text: blobs([id], cwd)[0]!, isOneOfMany: false }];
  if (type !== 'tree') return undefined;
  const tree = git(['ls-tree', '-r', '-z', '--full-tree', id], cwd) ?? '';
  const files = tree.split('\0').flatMap((line) => {
    const [, blob, path] = /^100\d{3} blob ([0-9a-f]+)\t([^]+)$/.exec(line) ?? [];
    return blob !== undefined && path !== undefined && isManifestFile(path) ? [{ blob, path }] : [];
  });
  const texts = blobs(
    files.map(({ blob }) => blob),
    cwd,
  );
  const folder = /[:/]$/.test(name) ? name : `${name}/`;
  return files.map(({ path }, i) => ({ name: folder + path, text: texts[i]!, isOneOfMany: true }));
}

/** Reads many Git objects with one process. */
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

function parseDefinitions(source: string, texts: readonly Text[]): DefinitionSource {
  const found = new Map<string, LocatedDefinition>();
  const problems: Problem[] = [];
  const warnings: Problem[] = [];
  for (const { name, text, isOneOfMany } of texts) {
    const read = readDefinitions(name, text);
    warnings.push(...read.warnings.filter(({ rule }) => rule === 'left-out'));
    problems.push(...read.problems.filter((problem) => !isOneOfMany || !isBeside(problem)));
    for (const located of read.definitions) {
      const { name } = located.manifest.metadata;
      const first = found.get(name);
      if (!first) found.set(name, located);
      else if (!isDeepEqual(first.manifest, located.manifest))
        problems.push(buildRepeatedProblem(first, located));
    }
  }
  if (found.size === 0 && problems.length === 0) problems.push(noDefinition(source, texts.length));
  return { definitions: [...found.values()], problems, warnings };
}
