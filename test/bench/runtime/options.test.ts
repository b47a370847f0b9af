import { expect, test } from '@jest/globals';
import { optionsOf } from '../../../bench/runtime/options.ts';

test('10,000 custom resources are reconciled by one worker and by ten, unless it is said otherwise', () => {
  expect(optionsOf([], ['ours'])).toMatchObject({ objects: 10_000, runs: 3, workers: [1, 10] });
  expect(optionsOf(['--workers', '4', '--runs', '1'], ['ours'])).toMatchObject({
    runs: 1,
    workers: [4],
  });
});

test('what nobody knows is refused, with what may be said', () => {
  expect(() => optionsOf(['--only', 'ours,kopf'], ['ours'])).toThrow(
    "--only must be some of ours, cache, profile, got 'kopf'",
  );
  expect(() => optionsOf(['--workers', '1,'], ['ours'])).toThrow(
    "--workers must be a number above 0, got ''",
  );
  expect(() => optionsOf(['--objects', '10'], ['ours'])).toThrow(
    "--changes must be at most the 10 objects, got '400'",
  );
});
