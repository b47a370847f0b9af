import { expect, test } from '@jest/globals';
import { join } from 'node:path';
import { summarizeReport, type JestReport } from '../../scripts/jest-report.ts';
import { root } from './tracked.ts';

const none: JestReport = {
  numPassedTests: 0,
  numFailedTests: 0,
  numPendingTests: 0,
  numTodoTests: 0,
  numRuntimeErrorTestSuites: 0,
  testResults: [],
};

test('skipped tests are counted and listed with their reason', () => {
  const assertionResults = [
    { fullName: 'it installs [skipped: no network]', status: 'pending' },
    { fullName: 'it updates [skipped: no network]', status: 'pending' },
    { fullName: 'it stays', status: 'passed' },
    { fullName: 'it flies', status: 'todo' },
    { fullName: 'Node [skipped: takes long (npm run test:long)] 26 runs it', status: 'pending' },
  ];
  const name = join(root, 'test', 'a.test.ts');
  const counts = { numPassedTests: 1, numPendingTests: 3, numTodoTests: 1 };
  expect(
    summarizeReport({ ...none, ...counts, testResults: [{ name, assertionResults }] }),
  ).toEqual({
    counts: '1 passed, 0 failed, 4 skipped',
    skipped: [
      '2 skipped: no network',
      `  ${join('test', 'a.test.ts')}: it installs`,
      `  ${join('test', 'a.test.ts')}: it updates`,
      '1 skipped: without a reason',
      `  ${join('test', 'a.test.ts')}: it flies`,
      '1 skipped: takes long (npm run test:long)',
      `  ${join('test', 'a.test.ts')}: Node 26 runs it`,
    ],
  });
});

test('a file that cannot be loaded is a failure, and so is a run without a report', () => {
  const broken = { ...none, numPassedTests: 3, numRuntimeErrorTestSuites: 1 };
  expect(summarizeReport(broken).counts).toBe('3 passed, 1 failed');
  expect(summarizeReport(undefined).counts).toBe('0 passed, 1 failed');
});
