import { expect, test } from '@jest/globals';
import { ComparisonRateLimiter, Failures } from '../../../operator/tenant/tenant-reconciler.ts';
import { ApiError } from '@tenantry/runtime/errors/api-error';
import { Unreachable } from '@tenantry/runtime/errors/client-errors';

test('a lasting failure is reported immediately, and a temporary one after half a minute', () => {
  const failures = new Failures();
  expect(failures.shouldReport('a', new ApiError({ code: 403 }), 0)).toBe(true);
  for (const passing of [new ApiError({ code: 500 }), new Unreachable('reset')]) {
    failures.forget('b');
    expect(failures.shouldReport('b', passing, 0)).toBe(false);
    expect(failures.shouldReport('b', passing, 29_999)).toBe(false);
    expect(failures.shouldReport('b', passing, 30_000)).toBe(true);
  }
});

test('an internal error is reported if it lasts, and a success resets the wait', () => {
  const failures = new Failures();
  expect(failures.shouldReport('a', new Error('a mistake'), 0)).toBe(false);
  failures.forget('a');
  expect(failures.shouldReport('a', new Error('a mistake'), 40_000)).toBe(false);
  expect(failures.shouldReport('a', new Error('a mistake'), 70_000)).toBe(true);
});

test('ten expensive comparisons run immediately, then one every five seconds, separately for each tenant', () => {
  const damper = new ComparisonRateLimiter();
  for (let i = 0; i < 10; i += 1) {
    expect(damper.remaining('a', 0)).toBe(0);
    damper.consume('a', 0);
  }
  expect([damper.remaining('a', 0), damper.remaining('b', 0)]).toEqual([5_000, 0]);
  expect(damper.remaining('a', 3_000)).toBe(2_000);
  expect(damper.remaining('a', 5_000)).toBe(0);
  damper.consume('a', 5_000);
  expect(damper.remaining('a', 5_000)).toBe(5_000);
  damper.forget('a');
  expect(damper.remaining('a', 5_000)).toBe(0);
});
