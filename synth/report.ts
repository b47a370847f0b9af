import { writeFileSync } from 'node:fs';
import { omitUndefined } from '@tenantry/kube/mapping';
import {
  formatProblemAndRule,
  InvalidInput,
  type Exemption,
  type Problem,
} from '@tenantry/kube/problem';
import {
  InvalidOutput,
  OutputNotWritten,
  ForeignFile,
  UnexpectedFilesInOutput,
} from './output/errors.ts';
import type { PlacedHolder } from './manifests/manifests.ts';
import type { OutputChanges } from './output/output.ts';
import { UnsafePath } from './output/folders.ts';
import { OutputLocked } from './output/area.ts';
import { UnusableOutput } from './output/location.ts';
import { SwapInterrupted } from './output/swap.ts';

/** The result of a run, made or predicted. */
export interface Summary {
  readonly objects: number;
  readonly changes: OutputChanges;
  /** Every file of the output, sorted. */
  readonly files: readonly string[];
  /** Every Namespace and Tenant of the output. */
  readonly holders: readonly PlacedHolder[];
  readonly warnings: readonly Problem[];
  /** The exceptions. */
  readonly exemptions: readonly Exemption[];
}

/**
 * The outcome of a run: done; refused, because of the user's input; or failed, because of an
 * internal error.
 */
export type Report =
  | { readonly outcome: 'done'; readonly summary: Summary }
  | {
      readonly outcome: 'refused';
      readonly problems: readonly Problem[];
      readonly warnings: readonly Problem[];
      /** Whether the output was written before it was refused. Default: it is unchanged */
      readonly written?: boolean;
    }
  | { readonly outcome: 'failed'; readonly error: string };

/** Builds the report of an error and separates user errors from internal errors. */
export function buildErrorReport(error: unknown): Report {
  if (error instanceof InvalidInput) {
    return { outcome: 'refused', problems: error.problems, warnings: error.warnings };
  }
  const messages = listMessages(error);
  if (messages) {
    const problems = messages.map((message) => ({ path: '', message, rule: 'output' }));
    const written = error instanceof UnexpectedFilesInOutput;
    return omitUndefined({ outcome: 'refused', problems, warnings: [], written });
  }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { outcome: 'failed', error: text };
}

function listMessages(error: unknown): readonly string[] | undefined {
  if (error instanceof InvalidOutput) return error.problems;
  const usersOwn = [
    ForeignFile,
    OutputLocked,
    OutputNotWritten,
    UnexpectedFilesInOutput,
    SwapInterrupted,
    UnsafePath,
    UnusableOutput,
  ];
  return usersOwn.some((type) => error instanceof type) ? [(error as Error).message] : undefined;
}

export function writeReport(file: string, report: Report): void {
  writeFileSync(file, JSON.stringify(report));
}

/**
 * Prints to stderr why an app could not be synthesized: user errors without a stack trace, internal
 * errors with one.
 * @returns the exit code: 1 for a user error, 2 for an internal error
 */
export function printError(error: unknown): 1 | 2 {
  const report = buildErrorReport(error);
  if (report.outcome !== 'refused') {
    console.error(report.outcome === 'failed' ? report.error : '');
    return 2;
  }
  for (const problem of report.problems) console.error(formatProblemAndRule(problem));
  return 1;
}

/**
 * Shows the progress of long work on a terminal, starting after one second. The line is erased at
 * the end.
 */
export class Progress {
  readonly #enabled: boolean;
  readonly #began = performance.now();
  #shown = 0;

  constructor(enabled: boolean) {
    this.#enabled = enabled && process.stderr.isTTY;
  }

  update(done: number, total: number): void {
    if (!this.#enabled) return;
    const now = performance.now();
    if (now - this.#began < 1000 || now - this.#shown < 100) return;
    this.#shown = now;
    const percent = Math.floor((100 * done) / Math.max(total, 1));
    process.stderr.write(`\r\u001b[Krendering ${done} of ${total} files (${percent} %)`);
  }

  end(): void {
    if (this.#shown > 0) process.stderr.write('\r\u001b[K');
  }
}
