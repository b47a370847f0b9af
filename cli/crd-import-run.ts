import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { importDefinitions, type Found, type Imported } from '../crds/import.ts';
import { InvalidInput, nearest, show, type Problem } from '../kube/problem.ts';
import { isUpToDate, type Changes } from '../synth/output/changes.ts';
import { Output } from '../synth/output/output.ts';
import { readOwned } from '../synth/output/ownership.ts';
import { contentHash } from '../synth/output/statindex.ts';
import { reportOf, type Report } from '../synth/report.ts';
import { filesOf, newsLines, staleLines } from './changes.ts';
import { readSources, type ReadSources } from './crd-import-source.ts';
import type { ExitCode } from './ending.ts';
import { colorsOf, UsageError, type ColorChoice } from './settings.ts';
import {
  beginning,
  count,
  elapsed,
  grouped,
  paintIf,
  tellJson,
  tellProblems,
  warningLines,
  type Paint,
} from './words.ts';

/** The command line of `crd import`, as commander gives it. */
export interface ImportOptions {
  readonly out: string;
  readonly only?: readonly string[];
  readonly context?: string;
  readonly check?: boolean;
  readonly output: 'text' | 'json';
  readonly quiet?: boolean;
  readonly color: ColorChoice;
}

const COMMAND = 'crd import';
/** Of warnings, in a terminal; JSON has all. */
const LISTED = 20;

/** Imports definitions, or checks what was imported, and reports what changed. */
export async function runImport(
  sources: readonly string[],
  options: ImportOptions,
): Promise<ExitCode> {
  checkUsage(sources, options);
  const progress = new Line(!options.quiet && options.output === 'text');
  try {
    const read = await readSources(sources, {
      ...(options.context !== undefined && { context: options.context }),
      say: (what) => progress.show(what),
    });
    const found = chosen(read, options.only);
    progress.show(`turning ${count(found.length, 'definition')} into TypeScript`);
    const imported = importDefinitions(found);
    const problems = [...read.problems, ...imported.problems];
    const warnings = [...read.warnings.filter(isOf(found, options.only)), ...imported.warnings];
    if (problems.length > 0) return refuse({ problems, warnings }, options, progress);
    const report = write(imported, options);
    progress.end();
    if ('outcome' in report) {
      if (report.outcome === 'refused') return refuse({ ...report, warnings }, options, progress);
      throw new Error(report.outcome === 'failed' ? report.error : 'the report holds no changes');
    }
    return tell({ imported, warnings, changes: report, skipped: read.skipped.length }, options);
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

/**
 * The definitions that --only names.
 * @throws {UsageError} when a name names none, though everything could be read
 */
function chosen({ found, problems }: ReadSources, only: readonly string[] | undefined): Found[] {
  if (!only) return [...found];
  const names = found.map(namesOf);
  const known = new Set(names.flat());
  const wrong = only.find((name) => !known.has(name));
  if (wrong !== undefined && problems.length === 0) {
    const meant = nearest(wrong, known);
    const hint = meant === undefined ? '' : `; did you mean ${show(meant)}?`;
    const must = '--only must be a group or a definition that was found';
    throw new UsageError(`${must}, got ${show(wrong)}${hint}`);
  }
  return found.filter((_, i) => names[i]!.some((name) => only.includes(name)));
}

function namesOf({ located }: Found): string[] {
  const { group, names } = located.manifest.spec;
  return [group, `${names.plural}.${group}`];
}

/** Whether a warning is about a file from which something is imported. */
function isOf(found: readonly Found[], only: readonly string[] | undefined) {
  const files = new Set(found.map(({ located }) => located.file));
  return ({ file }: Problem): boolean => !only || file === undefined || files.has(file);
}

/** What the folder became, or would; or why it is as it was. */
function write({ modules }: Imported, { out, check }: ImportOptions): Changes | Report {
  let output: Output | undefined;
  try {
    output = Output.open(out, { mode: check ? 'compare' : 'write' });
    const paths = new Set(modules.map(({ path }) => path));
    for (const { path, text } of modules) output.put(path, text);
    for (const path of readOwned(out) ?? []) {
      const hash = paths.has(path) ? undefined : hashOf(join(out, path));
      if (hash !== undefined) output.keep(path, hash);
    }
    return output.finish();
  } catch (error) {
    return reportOf(error);
  } finally {
    output?.abort();
  }
}

function hashOf(file: string): string | undefined {
  try {
    return contentHash(readFileSync(file));
  } catch {
    return undefined;
  }
}

interface Result {
  readonly imported: Imported;
  readonly warnings: readonly Problem[];
  readonly changes: Changes;
  readonly skipped: number;
}

function tell(result: Result, options: ImportOptions): ExitCode {
  const { imported, changes, skipped, warnings } = result;
  const code = options.check && !isUpToDate(changes) ? 1 : 0;
  const definitions = imported.modules.length;
  if (options.output === 'json') {
    const outcome = code === 0 ? 'done' : 'refused';
    const files = filesOf(changes);
    tellJson(COMMAND, { outcome, definitions, skipped, files, problems: [], warnings });
    return code;
  }
  const paint = paintFor(options);
  if (!options.quiet) tellWarnings(warnings, paint.err);
  const seconds = `${elapsed().toFixed(1)} s`;
  if (code === 1) {
    const { out } = options;
    const stale = staleLines(changes, { out, must: 'what is imported', paint: paint.err });
    for (const line of stale) console.error(line);
    console.error('Run the same without --check and commit the result.');
    return code;
  }
  if (options.quiet) return code;
  const size = count(definitions, 'definition');
  if (options.check) {
    console.log(`${size}: ${options.out} is up to date (${seconds})`);
    return code;
  }
  console.log(`${paint.out('bold', size)} in ${options.out} (${seconds})`);
  const unchanged = definitions - changes.written.filter((path) => path.endsWith('.ts')).length;
  if (skipped > 0) console.log(`${count(skipped, 'object')} of other kinds skipped`);
  console.log(`${count(changes.written.length, 'file')} written, ${grouped(unchanged)} unchanged`);
  for (const line of beginning(newsLines(changes, paint.out), 10)) console.log(`  ${line}`);
  return code;
}

function refuse(
  { problems, warnings }: Pick<Imported, 'problems' | 'warnings'>,
  options: ImportOptions,
  progress: Line,
): ExitCode {
  progress.end();
  const sorted = new InvalidInput(problems).problems;
  if (options.output === 'json') {
    tellJson(COMMAND, { outcome: 'refused', problems: sorted, warnings });
    return 1;
  }
  tellProblems(sorted, `${options.out} is as it was`, paintFor(options).err);
  return 1;
}

function tellWarnings(warnings: readonly Problem[], paint: Paint): void {
  for (const line of warningLines(warnings.slice(0, LISTED), paint)) console.error(line);
  if (warnings.length > LISTED) {
    console.error(`and ${count(warnings.length - LISTED, 'warning')} more; --output json has all`);
  }
}

function paintFor({ color }: ImportOptions): { readonly out: Paint; readonly err: Paint } {
  const { out, err } = colorsOf(color);
  return { out: paintIf(out), err: paintIf(err) };
}

/** What takes long, on one line of a terminal, which is wiped at the end. */
class Line {
  readonly #enabled: boolean;
  #shown = false;

  constructor(enabled: boolean) {
    this.#enabled = enabled && process.stderr.isTTY;
  }

  show(what: string): void {
    if (!this.#enabled) return;
    process.stderr.write(`\r\u001b[K${what}`);
    this.#shown = true;
  }

  end(): void {
    if (this.#shown) process.stderr.write('\r\u001b[K');
    this.#shown = false;
  }
}
