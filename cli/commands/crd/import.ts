import type { Command } from 'commander';
import { addReportOptions, collect } from '../../options.ts';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { importDefinitions, type FoundDefinition, type ImportResult } from '@tenantry/crd/import';
import { omitUndefined } from '@tenantry/kube/mapping';
import { didYouMean, findNearest, show, type Problem } from '@tenantry/kube/problem';
import { Output, type OutputChanges } from '../../../synth/output/output.ts';
import { withGeneratedLine } from '../../../synth/output/generated-line.ts';
import { listGenerated } from '../../../synth/output/survey.ts';
import { contentHash } from '../../../synth/output/stat-index.ts';
import { buildErrorReport, type Report } from '../../../synth/report.ts';
import {
  computeExitCode,
  reportImport,
  reportRefusal,
  type ImportFindings,
  type ReportOptions,
} from './import-report.ts';
import { readSources, type ReadSources } from './import-source.ts';
import type { ExitCode } from '../../failure-report.ts';
import { UsageError } from '../../usage-error.ts';
import { count } from '../../console-output.ts';
import { ProgressLine } from '../../progress-line.ts';

/** `tenantry crd import`: converts existing CustomResourceDefinitions to TypeScript. */
export function configure(command: Command): void {
  command
    .argument('<source...>', 'file, folder, https URL, cluster, or - for standard input')
    .option('--out <dir>', 'the folder for the TypeScript files', 'imports')
    .option('--only <name>', 'a group, or a definition by plural.group (repeatable)', collect)
    .option('--context <name>', 'the kubectl context, for cluster (default: the current one)')
    .option('--keep-going', 'import what can be imported; without it, one problem stops the import')
    .option('--check', 'write nothing; fail if the folder differs from what would be written');
  addReportOptions(command, 'print only problems')
    .addHelpText(
      'after',
      `
Writes <out>/<group>/<plural>.ts for each definition: types for each version, the definition, and a class for
each served version. It writes everything or nothing; with --keep-going, it leaves out definitions that have
a problem. All problems are reported, with their files. Files of earlier imports and files that Tenantry did
not write are kept. The same definitions give the same bytes.

Examples:
  tenantry crd import https://github.com/cert-manager/cert-manager/releases/download/v1.19.1/cert-manager.crds.yaml
  tenantry crd import config/crd/bases --out src/imports
  tenantry crd import cluster --context production --only cert-manager.io
  helm template chart --include-crds | tenantry crd import -
  tenantry crd import config/crd/bases --check

Exit codes, also with --keep-going: 0 done; 1 user error; 2 internal error.`,
    )
    .action(async (sources: readonly string[], options: ImportOptions) => {
      process.exitCode = await runImport(sources, options);
    });
}

/** The command line of `crd import`, as commander gives it. */
export interface ImportOptions extends ReportOptions {
  readonly only?: readonly string[];
  readonly context?: string;
  readonly keepGoing?: boolean;
}

/** Imports definitions, or checks earlier imports, and reports what changed. */
export async function runImport(
  sources: readonly string[],
  options: ImportOptions,
): Promise<ExitCode> {
  checkUsage(sources, options);
  const progress = new ProgressLine(!options.quiet && options.output === 'text');
  try {
    const read = await readSources(
      sources,
      omitUndefined({
        context: options.context,
        report: (what) => progress.show(what),
      }),
    );
    const found = chosen(read, options.only);
    progress.show(`turning ${count(found.length, 'definition')} into TypeScript`);
    const imported = importDefinitions(found);
    const findings: ImportFindings = {
      problems: [...read.problems, ...imported.problems],
      failures: imported.failures,
      warnings: [
        ...read.warnings.filter(createProblemFilter(found, options.only)),
        ...imported.warnings,
      ],
    };
    const report = isWritten(findings, imported, options) ? write(imported, options) : undefined;
    progress.end();
    if (!report) return reportRefusal(findings, options);
    if ('outcome' in report) {
      const { problems } = findings;
      if (report.outcome === 'refused') {
        return reportRefusal({ ...findings, problems: [...problems, ...report.problems] }, options);
      }
      throw new Error(report.outcome === 'failed' ? report.error : 'the report holds no changes');
    }
    const definitions = imported.modules.length;
    return reportImport(
      { ...findings, definitions, changes: report, skipped: read.skipped.length },
      options,
    );
  } finally {
    progress.end();
  }
}

function checkUsage(sources: readonly string[], options: ImportOptions): void {
  for (const [name, value] of Object.entries({ ...options, source: sources })) {
    const values: readonly unknown[] = Array.isArray(value) ? value : [value];
    if (values.includes('')) throw new UsageError(`${name} must be a name, got an empty one`);
  }
  if (sources.filter((source) => source === '-').length > 1) {
    throw new UsageError('one source may be standard input, got - twice');
  }
  if (options.context !== undefined && !sources.includes('cluster')) {
    throw new UsageError('--context is for the source cluster, which must be given');
  }
}

/** Whether the folder is written or compared. It is all or nothing, unless --keep-going is given. */
function isWritten(
  findings: ImportFindings,
  { modules }: ImportResult,
  { keepGoing = false }: ImportOptions,
) {
  return computeExitCode(findings) === 0 || (keepGoing && modules.length > 0);
}

/**
 * Returns the definitions that --only names.
 * @throws {UsageError} when a name matches nothing although everything could be read
 */
function chosen(
  { found, problems }: ReadSources,
  only: readonly string[] | undefined,
): FoundDefinition[] {
  if (!only) return [...found];
  const names = found.map(listNames);
  const known = new Set(names.flat());
  const wrong = only.find((name) => !known.has(name));
  if (wrong !== undefined && problems.length === 0) {
    const hint = didYouMean(findNearest(wrong, known));
    const must = '--only must be a group or a definition that was found';
    throw new UsageError(`${must}, got ${show(wrong)}${hint}`);
  }
  return found.filter((_, i) => names[i]!.some((name) => only.includes(name)));
}

function listNames({ located }: FoundDefinition): string[] {
  const { group, names } = located.manifest.spec;
  return [group, `${names.plural}.${group}`];
}

/** Whether a warning is about a file from which something is imported. */
function createProblemFilter(
  found: readonly FoundDefinition[],
  only: readonly string[] | undefined,
) {
  const files = new Set(found.map(({ located }) => located.file));
  return ({ file }: Problem): boolean => !only || file === undefined || files.has(file);
}

/** Writes or compares the folder; returns the changes, or the reason why it is unchanged. */
function write({ modules }: ImportResult, { out, check }: ImportOptions): OutputChanges | Report {
  let output: Output | undefined;
  try {
    output = Output.open(out, { mode: check ? 'compare' : 'write' });
    const paths = new Set(modules.map(({ path }) => path));
    for (const { path, text } of modules) output.put(path, withGeneratedLine(path, text));
    for (const path of listGenerated(out)) {
      const hash = paths.has(path) ? undefined : hashFile(join(out, path));
      if (hash !== undefined) output.keep(path, hash);
    }
    return output.finish();
  } catch (error) {
    return buildErrorReport(error);
  } finally {
    output?.abort();
  }
}

function hashFile(file: string): string | undefined {
  try {
    return contentHash(readFileSync(file));
  } catch {
    return undefined;
  }
}
