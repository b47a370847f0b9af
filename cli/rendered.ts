import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RenderedCluster } from '../apps/network-report.ts';
import type { KubeObject } from '@tenantry/kube/object';
import { CLUSTERS } from '@tenantry/kube/construct-metadata';
import type { Problem } from '@tenantry/kube/problem';
import { mayContainWord, readDocuments } from '@tenantry/kube/yaml/read';
import { validateObject } from '../synth/manifests/manifests.ts';
import { runApp } from './app.ts';
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
