import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { root } from './steps.ts';

/** The part of jest's `--json` report that is read here. */
export interface JestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
  /** Files that failed before a test of theirs could run. */
  readonly numRuntimeErrorTestSuites: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
}

export interface Report {
  /** `N passed, N failed` and, where tests were skipped, `, N skipped`. */
  readonly counts: string;
  /** By reason (what a title says: `[skipped: ...]`), and below it file and title of each test. */
  readonly skipped: readonly string[];
}

/** Counts what jest reported. A file that could not be loaded is a failure, and so is no report at all. */
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
  // A group of tests may say it for all of them: the name of each comes after it.
  const match = /^(?<group>.*?) \[skipped: (?<reason>.*?)\](?<name>$| .*)/s.exec(fullName);
  const { group = fullName, reason = 'without a reason', name = '' } = match?.groups ?? {};
  return { title: group + name, reason };
}
