import { expect, test } from '@jest/globals';
import { optionsOf } from '../../../bench/runtime/options.ts';

test('by default 10,000 custom resources are reconciled with one worker and with ten', () => {
  expect(optionsOf([], ['tenantry'])).toMatchObject({ objects: 10_000, runs: 3, workers: [1, 10] });
  expect(optionsOf(['--workers', '4', '--runs', '1'], ['tenantry'])).toMatchObject({
    runs: 1,
    workers: [4],
  });
});

test('an unknown name is rejected with the valid ones', () => {
  expect(() => optionsOf(['--only', 'tenantry,kopf'], ['tenantry'])).toThrow(
    "--only must be some of tenantry, cache, profile, got 'kopf'",
  );
  expect(() => optionsOf(['--workers', '1,'], ['tenantry'])).toThrow(
    "--workers must be a number above 0, got ''",
  );
  expect(() => optionsOf(['--objects', '10'], ['tenantry'])).toThrow(
    "--changes must be at most the 10 objects, got '400'",
  );
});
