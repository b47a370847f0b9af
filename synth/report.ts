import { writeFileSync } from 'node:fs';
import { formatProblem, InvalidInput, type Exemption, type Problem } from '../kube/problem.ts';
import { InvalidOutput } from './refusal/invalid-output.ts';
import type { PlacedHolder } from './manifests/manifests.ts';
import type { OutputChanges } from './output/changes.ts';
import { UnsafePath } from './output/folders.ts';
import { OutputLocked } from './output/lock.ts';
import { OutputNotWritten } from './output/attempt.ts';
import { ForeignFile, StrangersInOutput } from './output/foreign-files.ts';
import { UnusableOutput } from './output/place.ts';
import { SwapInterrupted } from './output/swap.ts';

/** What a run did, or would do. */
export interface Summary {
  readonly objects: number;
  readonly changes: OutputChanges;
  /** Every file of the output, sorted. */
  readonly files: readonly string[];
  /** Every Namespace and Tenant of the output. */
  readonly holders: readonly PlacedHolder[];
  readonly warnings: readonly Problem[];
  /** Who may what others may not. */
  readonly exemptions: readonly Exemption[];
}

/** How a run ended: done; refused, because of the user's input; or failed, because of us. */
export type Report =
  | { readonly outcome: 'done'; readonly summary: Summary }
  | {
      readonly outcome: 'refused';
      readonly problems: readonly Problem[];
      readonly warnings: readonly Problem[];
      /** The output was written before it was refused. Default: it is as it was. */
      readonly written?: boolean;
    }
  | { readonly outcome: 'failed'; readonly error: string };

/** The report of an error: what the user can fix, apart from what only we can. */
export function buildErrorReport(error: unknown): Report {
  if (error instanceof InvalidInput) {
    return { outcome: 'refused', problems: error.problems, warnings: error.warnings };
  }
  const messages = messagesOf(error);
  if (messages) {
    const problems = messages.map((message) => ({ path: '', message, rule: 'output' }));
    const written = error instanceof StrangersInOutput;
    return { outcome: 'refused', problems, warnings: [], ...(written && { written }) };
  }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { outcome: 'failed', error: text };
}

function messagesOf(error: unknown): readonly string[] | undefined {
  if (error instanceof InvalidOutput) return error.problems;
  const usersOwn = [
    ForeignFile,
    OutputLocked,
    OutputNotWritten,
    StrangersInOutput,
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
 * Tells a person on stderr why an app could not be synthesized: what the user can fix without a
 * stack trace, what only we can with one.
 * @returns the exit code: 1 for the user's mistake, 2 for ours
 */
export function printError(error: unknown): 1 | 2 {
  const report = buildErrorReport(error);
  if (report.outcome !== 'refused') {
    console.error(report.outcome === 'failed' ? report.error : '');
    return 2;
  }
  for (const problem of report.problems) console.error(formatProblem(problem));
  return 1;
}
