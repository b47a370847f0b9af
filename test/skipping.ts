import { test as plain } from '@jest/globals';

export type Test = (
  sentence: string,
  run: () => void | Promise<void>,
  milliseconds?: number,
) => void;

/**
 * Returns these tests or, if there is a reason, tests that are skipped and whose titles end with `[skipped: reason]`.
 */
export const testUnless = (reason: string | undefined, test: Test = plain): Test =>
  reason === undefined
    ? test
    : (sentence, run) =>
        plain.skip(`${sentence} [skipped: ${reason.replaceAll(/\s+/g, ' ')}]`, run);

/** Returns these tests in a long run, and none otherwise. */
export const inLongRuns = (test: Test): Test =>
  testUnless(
    process.env['TENANTRY_LONG'] === '1' ? undefined : '`npm run test:long` runs it',
    test,
  );
