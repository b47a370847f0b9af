import type { Equivalent } from './equivalents.ts';

/** The used part of Stryker's report: https://github.com/stryker-mutator/mutation-testing-elements */
export interface Report {
  readonly files: Readonly<Record<string, ReportedFile>>;
}

interface ReportedFile {
  readonly source: string;
  readonly mutants: readonly ReportedMutant[];
}

interface ReportedMutant {
  readonly location: { readonly start: Position; readonly end: Position };
  readonly replacement: string;
  readonly status: 'Killed' | 'Timeout' | 'Survived' | 'NoCoverage' | 'Ignored' | 'RuntimeError';
}

interface Position {
  readonly line: number;
  readonly column: number;
}

/** One change of the code, and whether a test detected it. */
export interface Mutant {
  readonly file: string;
  readonly lineNumber: number;
  /** The line in which the change starts. */
  readonly line: string;
  readonly from: string;
  readonly to: string;
  readonly killed: boolean;
}

/** Returns every mutant that was tried. A mutant that makes tests hang counts as detected. */
export function mutantsOf({ files }: Report): Mutant[] {
  return Object.entries(files).flatMap(([file, { source, mutants }]) =>
    mutants
      .filter(({ status }) => status !== 'Ignored' && status !== 'RuntimeError')
      .map(({ location: { start, end }, replacement, status }) => ({
        file,
        lineNumber: start.line,
        line: source.split('\n')[start.line - 1]!.trim(),
        from: inOneLine(source.slice(offsetOf(source, start), offsetOf(source, end))),
        to: inOneLine(replacement),
        killed: status === 'Killed' || status === 'Timeout',
      })),
  );
}

/** Lines and columns are counted from 1. */
function offsetOf(source: string, { line, column }: Position): number {
  const before = source.split('\n').slice(0, line - 1);
  return before.reduce((sum, { length }) => sum + length + 1, column - 1);
}

const MAX_LENGTH = 72;

function inOneLine(code: string): string {
  const line = code.replaceAll(/\s+/g, ' ').trim();
  return line.length > MAX_LENGTH ? `${line.slice(0, MAX_LENGTH)}…` : line;
}

/** The result of a run of some mutants. */
export interface Outcome {
  readonly mutants: number;
  readonly killed: number;
  readonly equivalent: number;
  readonly survivors: readonly Mutant[];
  /** Notes on these files that match no survivor of this run. */
  readonly stale: readonly Equivalent[];
}

/** Sorts mutants into killed, equivalent and surviving ones. */
export function judge(mutants: readonly Mutant[], equivalents: readonly Equivalent[]): Outcome {
  const alive = mutants.filter(({ killed }) => !killed);
  const isNoted = (mutant: Mutant) => equivalents.some((noted) => isSame(noted, mutant));
  const survivors = alive.filter((mutant) => !isNoted(mutant));
  const files = new Set(mutants.map(({ file }) => file));
  return {
    mutants: mutants.length,
    killed: mutants.length - alive.length,
    equivalent: alive.length - survivors.length,
    survivors,
    stale: equivalents.filter(
      (noted) => files.has(noted.file) && !alive.some((mutant) => isSame(noted, mutant)),
    ),
  };
}

const isSame = (noted: Equivalent, { file, line, from, to }: Mutant): boolean =>
  noted.file === file && noted.line === line && noted.from === from && noted.to === to;

/** In percent of the mutants that a test can kill. */
export function scoreOf({ mutants, killed, equivalent }: Outcome): number {
  const killable = mutants - equivalent;
  return killable === 0 ? 100 : (100 * killed) / killable;
}
