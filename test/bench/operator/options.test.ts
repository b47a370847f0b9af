import { expect, test } from '@jest/globals';
import { optionsOf } from '../../../bench/operator/options.ts';

test('by default 1,000 tenants are observed, and then 10,000', () => {
  expect(optionsOf([], ['ours'])).toMatchObject({ tenants: [1000, 10_000], seconds: 60 });
  expect(optionsOf(['--tenants', '50', '--seconds', '5'], ['ours'])).toMatchObject({
    tenants: [50],
    seconds: 5,
  });
});

test('an unknown name is rejected with the valid ones', () => {
  expect(() => optionsOf(['--only', 'flux'], ['ours'])).toThrow(
    "--only must be some of ours, got 'flux'",
  );
  expect(() => optionsOf(['--tenants', '100,100'], ['ours'])).toThrow(
    "--tenants must rise, got '100,100'",
  );
  expect(() => optionsOf(['--seconds', '0'], ['ours'])).toThrow(
    "--seconds must be a number above 0, got '0'",
  );
});
