import { expect, test } from '@jest/globals';
import { optionsOf } from '../../../bench/operator/options.ts';

test('1,000 tenants are looked at and then 10,000, unless it is said otherwise', () => {
  expect(optionsOf([], ['ours'])).toMatchObject({ tenants: [1000, 10_000], seconds: 60 });
  expect(optionsOf(['--tenants', '50', '--seconds', '5'], ['ours'])).toMatchObject({
    tenants: [50],
    seconds: 5,
  });
});

test('what cannot be measured is refused, with what may be said', () => {
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
