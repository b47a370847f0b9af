import { expect, test } from '@jest/globals';
import { computeExitCode } from '../../cli/commands/crd/import-report.ts';

test('the exit code is 2 where the import broke down, whatever else is wrong', () => {
  const problem = { path: 'spec', message: 'must be there', rule: 'shape' };
  const failure = { problem, error: 'TypeError' };
  expect(computeExitCode({ problems: [], failures: [] })).toBe(0);
  expect(computeExitCode({ problems: [problem], failures: [] })).toBe(1);
  expect(computeExitCode({ problems: [problem], failures: [failure] })).toBe(2);
});
