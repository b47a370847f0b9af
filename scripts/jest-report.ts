import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { root } from './steps.ts';

/** The part of jest's `--json` report that is used here. */
export interface JestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
  /** Files that failed before any of their tests could run. */
  readonly numRuntimeErrorTestSuites: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
}

export interface Report {
  /** `N passed, N failed` and, where tests were skipped, `, N skipped`. */
  readonly counts: string;
  /**
   * The skipped tests by reason (from the title: `[skipped: ...]`), with the file and the title of each
   * test.
   */
  readonly skipped: readonly string[];
}

/** Summarizes jest's report. A file that could not be loaded is a failure, and so is a missing report. */
export function summarizeReport(report: JestReport | undefined): Report {
  if (!report) return { counts: '0 passed, 1 failed', skipped: [] };
  const skipped = report.testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === 'pending' || status === 'todo')
      .map(({ fullName }) => ({ ...partsOf(fullName), file: relative(root, name) })),
  );
  const byReason = Map.groupBy(skipped, ({ reason }) => reason);
  const lines = [...byReason].flatMap(([reason, tests]) => [
    `${tests.length} skipped: ${reason}`,
    ...tests.map(({ file, title }) => `  ${file}: ${title}`),
  ]);
  const failed = report.numFailedTests + report.numRuntimeErrorTestSuites;
  const notRun = report.numPendingTests + report.numTodoTests;
  const counts = `${report.numPassedTests} passed, ${failed} failed`;
  return { counts: notRun > 0 ? `${counts}, ${notRun} skipped` : counts, skipped: lines };
}

export function readReport(file: string): Report {
  return summarizeReport(
    existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as JestReport) : undefined,
  );
}

function partsOf(fullName: string): { title: string; reason: string } {
  // The title of a group may have the reason for all its tests; their names come after it.
  const match = /^(?<group>.*?) \[skipped: (?<reason>.*?)\](?<name>$| .*)/s.exec(fullName);
  const { group = fullName, reason = 'without a reason', name = '' } = match?.groups ?? {};
  return { title: group + name, reason };
}
