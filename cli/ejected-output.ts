import { lstatSync, readdirSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Problem } from '@tenantry/kube/problem';
import { readFile, Unreadable } from './manifest-files.ts';
import { parseGeneratedPath } from '../synth/output/generated-line.ts';

/** The files of a folder, by their paths in it, or why they cannot be read. */
interface ReadOutput {
  readonly texts: ReadonlyMap<string, string>;
  readonly problems: readonly Problem[];
}

/** Reads all files of an output, sorted by path. Links and files that are no text are problems. */
export function readOutput(folder: string): ReadOutput {
  const texts = new Map<string, string>();
  const problems: Problem[] = [];
  for (const path of listPaths(folder)) {
    const file = join(folder, path);
    const { text, fault } = readText(file);
    if (text !== undefined) texts.set(path, text);
    else problems.push(buildProblem(file, fault));
  }
  if (texts.size === 0 && problems.length === 0) {
    problems.push(buildProblem(folder, 'must be a folder with rendered files, got none'));
  }
  return { texts, problems };
}

type ReadText =
  | { readonly text: string; readonly fault?: never }
  | { readonly text?: never; readonly fault: string };

/** Reads the text of a file, or returns why it has none. */
function readText(file: string): ReadText {
  if (!lstatSync(file).isFile()) return { fault: 'must be a file, got a link or a device' };
  try {
    return { text: readFile(file) };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (error instanceof Unreadable) return { fault: message };
    if (code === undefined) throw error;
    return { fault: `must be a file that can be read, got ${code}` };
  }
}

/**
 * Compares an output folder with what was rendered now. A folder that does not exist differs in nothing: the output may
 * be on a branch only.
 * @returns one problem for all files that differ, and one for all that nobody rendered
 */
export function compareWithRendered(
  out: string,
  rendered: ReadonlyMap<string, string>,
): readonly Problem[] {
  const found = listPaths(out);
  if (found.length === 0) return [];
  const texts = new Map(
    found.flatMap((path) => {
      const { text } = readText(join(out, path));
      return text === undefined ? [] : [[path, text] as const];
    }),
  );
  const others = found.filter((path) => !rendered.has(path));
  const leftover = others.filter((path) => isGenerated(texts.get(path)));
  const differing = [...rendered].flatMap(([path, text]) =>
    texts.get(path) === text ? [] : [path],
  );
  const foreign = others.filter((path) => !isGenerated(texts.get(path)));
  return [
    ...describe(
      out,
      [...differing, ...leftover],
      'must be what is declared',
      'run `tenantry synth`, and let the clusters sync it before you leave',
    ),
    ...describe(
      out,
      foreign,
      'must contain only rendered files, because the ejected ones replace it',
      `move the others, or use --rendered ${out}, which copies them`,
    ),
  ];
}

function describe(out: string, paths: readonly string[], must: string, advice: string): Problem[] {
  const [first] = paths;
  if (first === undefined) return [];
  const more = paths.length === 1 ? '' : ` and ${paths.length - 1} more`;
  return [
    {
      file: out,
      path: '',
      message: `${must}, got ${first}${more}: ${advice}`,
      rule: 'stale-output',
    },
  ];
}

const isGenerated = (text: string | undefined): boolean =>
  text !== undefined && parseGeneratedPath(text.split('\n', 1)[0]!) !== undefined;

/** Lists everything in a folder but folders; nothing if there is no folder. Links in it are not followed. */
function listPaths(folder: string): string[] {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .toSorted();
}

const buildProblem = (file: string, message: string): Problem => ({
  file,
  path: '',
  message,
  rule: 'file',
});
