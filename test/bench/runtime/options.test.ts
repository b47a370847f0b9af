import { expect, test } from '@jest/globals';
import { parseOptions } from '../../../bench/runtime/options.ts';

test('by default 10,000 custom resources are reconciled with one worker and with ten', () => {
  expect(parseOptions([], ['tenantry'])).toMatchObject({
    objects: 10_000,
    runs: 3,
    workers: [1, 10],
  });
  expect(parseOptions(['--workers', '4', '--runs', '1'], ['tenantry'])).toMatchObject({
    runs: 1,
    workers: [4],
  });
});

test('an unknown name is rejected with the valid ones', () => {
  expect(() => parseOptions(['--only', 'tenantry,kopf'], ['tenantry'])).toThrow(
    "--only must be some of tenantry, cache, profile, got 'kopf'",
  );
  expect(() => parseOptions(['--workers', '1,'], ['tenantry'])).toThrow(
    "--workers must be a number above 0, got ''",
  );
  expect(() => parseOptions(['--objects', '10'], ['tenantry'])).toThrow(
    "--changes must be at most the 10 objects, got '400'",
  );
});
