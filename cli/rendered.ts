import {
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  type Stats,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import type { RenderedCluster } from '../apps/network-report.ts';
import type { OutputTexts } from '../apps/output-texts.ts';
import type { KubeObject } from '@tenantry/kube/object';
import { CLUSTERS } from '@tenantry/kube/construct-metadata';
import type { Problem } from '@tenantry/kube/problem';
import { mayContainWord, readDocuments } from '@tenantry/kube/yaml/read';
import { validateObject } from '../synth/manifests/manifests.ts';
import { renderTexts, runApp } from './app.ts';
import { reportFailure, type ExitCode } from './failure-report.ts';
import { resolveSettings, type CommandOptions, type Settings } from './settings.ts';
import { UsageError } from './usage-error.ts';
import { paintIf, printJson, problemLines } from './console-output.ts';

/** The content of an output folder, or the reasons why it cannot be read. */
interface Rendered {
  readonly clusters: readonly RenderedCluster[];
  readonly problems: readonly Problem[];
}

/** The command line of a command that reads a rendered output. */
export interface RenderedOptions extends CommandOptions {
  readonly rendered?: string;
}

/**
 * Passes the folder that `--rendered` names, or renders to a temporary one and passes that.
 * @throws {UsageError} when the command line contradicts itself
 */
export async function withRenderedFolder(
  command: string,
  options: RenderedOptions,
  use: (folder: string, settings: Settings, warnings: readonly Problem[]) => ExitCode,
): Promise<ExitCode> {
  if (options.rendered !== undefined && (options.tenants ?? options.platform) !== undefined) {
    throw new UsageError('--rendered cannot be combined with --tenants or --platform');
  }
  if (options.rendered !== undefined && options.date !== undefined) {
    throw new UsageError('--rendered cannot be combined with --date');
  }
  const settings = resolveSettings(options);
  if (options.rendered !== undefined) return use(options.rendered, settings, []);
  const folder = mkdtempSync(join(tmpdir(), 'tenantry-rendered-'));
  try {
    const { memory: _, ...forgetful } = settings;
    const out = join(folder, 'dist');
    const ended = await runApp({ ...forgetful, out }, 'write');
    if (ended.outcome !== 'done') return reportFailure(command, ended, settings);
    return use(out, settings, ended.summary.warnings);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What is rendered, and how the output folder differs from it. */
export interface RenderedOutput {
  /** The manifests. */
  readonly texts: OutputTexts;
  /** Whether a path in the output folder is the file that is rendered there, or neither exists. */
  readonly isOnDisk: (path: string) => boolean;
}

/**
 * Passes the content of the folder that `--rendered` names, or what is rendered, without writing it if possible.
 * @throws {UsageError} when the command line contradicts itself
 */
export async function withRenderedOutput(
  command: string,
  options: RenderedOptions,
  use: (output: RenderedOutput, settings: Settings, warnings: readonly Problem[]) => ExitCode,
): Promise<ExitCode> {
  if (options.rendered === undefined) {
    const settings = resolveSettings(options);
    const found = await renderTexts(settings);
    if (found) {
      const { summary, differing } = found;
      const texts = summary.files
        .filter(isManifest)
        .map(
          (path) =>
            [path, differing.get(path) ?? readFileSync(join(settings.out, path), 'utf8')] as const,
        );
      const files = new Set(summary.files);
      const isOnDisk = (path: string): boolean => {
        const there = findEntry(join(settings.out, path));
        if (!there) return !files.has(path);
        return there.isFile() && files.has(path) && !differing.has(path);
      };
      return use({ texts, isOnDisk }, settings, summary.warnings);
    }
  }
  return withRenderedFolder(command, options, (folder, settings, warnings) => {
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
      throw new UsageError(`--rendered must be a folder, got '${folder}'`);
    }
    const isOnDisk = (path: string): boolean =>
      isSameFile(join(settings.out, path), join(folder, path));
    return use({ texts: textsIn(folder), isOnDisk }, settings, warnings);
  });
}

/** Returns what is at a path, without following a link; undefined if nothing is, or a file is in the place of a folder. */
function findEntry(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (['ENOENT', 'ENOTDIR'].includes(code)) return undefined;
    throw error;
  }
}

/** Whether two paths are files with the same content, or neither exists. */
function isSameFile(one: string, other: string): boolean {
  const [a, b] = [findEntry(one), findEntry(other)];
  if (!a && !b) return true;
  return (
    a?.isFile() === true && b?.isFile() === true && readFileSync(one).equals(readFileSync(other))
  );
}

const isManifest = (path: string): boolean => /\.(?:ya?ml|json)$/.test(path);

function textsIn(folder: string): OutputTexts {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)).replaceAll('\\', '/'))
    .filter(isManifest)
    .toSorted();
  return paths.map((path) => [path, readFileSync(join(folder, path), 'utf8')] as const);
}

/**
 * Reads a rendered output as `withRenderedFolder` does. An output that cannot be read is refused.
 * @param kinds only documents that hold one of these words are read
 * @param report prints the result
 * @throws {UsageError} when the command line contradicts itself
 */
export function withRendered(
  command: string,
  options: RenderedOptions,
  kinds: readonly string[],
  report: (
    clusters: readonly RenderedCluster[],
    settings: Settings,
    warnings: readonly Problem[],
  ) => ExitCode,
): Promise<ExitCode> {
  return withRenderedFolder(command, options, (folder, settings, warnings) => {
    const { clusters, problems } = readRendered(folder, kinds);
    if (problems.length === 0) return report(clusters, settings, warnings);
    if (settings.json) printJson(command, { outcome: 'refused', problems });
    else
      for (const line of problemLines(problems, paintIf(settings.colors.err))) console.error(line);
    return 1;
  });
}

/**
 * Reads the objects of an output folder, cluster by cluster in the order of their names.
 * @param kinds only documents that hold one of these words are read; default: all
 */
export function readRendered(folder: string, kinds?: readonly string[]): Rendered {
  const top = join(folder, CLUSTERS);
  if (!statSync(top, { throwIfNoEntry: false })?.isDirectory()) {
    const message = `must be a folder that Tenantry rendered, got one without ${CLUSTERS}/`;
    return { clusters: [], problems: [{ file: folder, path: '', message, rule: 'file' }] };
  }
  const problems: Problem[] = [];
  const clusters = readdirSync(top, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .toSorted()
    .map((name) => ({ name, objects: objectsIn(join(top, name), kinds, problems) }));
  return { clusters, problems };
}

function objectsIn(
  folder: string,
  kinds: readonly string[] | undefined,
  problems: Problem[],
): KubeObject[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return files
    .filter((name) => /\.ya?ml$/.test(name))
    .toSorted()
    .flatMap((name) => {
      const file = join(folder, name);
      const text = readFileSync(file, 'utf8');
      if (kinds && !kinds.some((kind) => mayContainWord(text, kind))) return [];
      const { documents, problems: wrong } = readDocuments(text);
      problems.push(...wrong.map((problem) => ({ ...problem, file, path: '', rule: 'yaml' })));
      return documents.flatMap(({ value }) => {
        if (validateObject(value) !== undefined) return [];
        const object = value as KubeObject;
        return kinds?.includes(object.kind) === false ? [] : [object];
      });
    });
}
