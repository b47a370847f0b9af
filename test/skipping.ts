import { test as plain } from '@jest/globals';

export type Test = (
  sentence: string,
  run: () => void | Promise<void>,
  milliseconds?: number,
) => void;

/** These tests; or ones that skip, where there is a reason: their titles end with `[skipped: reason]`. */
export const testUnless = (reason: string | undefined, test: Test = plain): Test =>
  reason === undefined
    ? test
    : (sentence, run) =>
        plain.skip(`${sentence} [skipped: ${reason.replaceAll(/\s+/g, ' ')}]`, run);

/** These tests in a run that may take long, and else none. */
export const inLongRuns = (test: Test): Test =>
  testUnless(
    process.env['TENANTRY_LONG'] === '1' ? undefined : '`npm run test:long` runs it',
    test,
  );
