import { expect, test } from '@jest/globals';
import { optionsOf } from '../../../bench/operator/options.ts';

test('by default 1,000 tenants are observed, and then 10,000', () => {
  expect(optionsOf([], ['tenantry'])).toMatchObject({ tenants: [1000, 10_000], seconds: 60 });
  expect(optionsOf(['--tenants', '50', '--seconds', '5'], ['tenantry'])).toMatchObject({
    tenants: [50],
    seconds: 5,
  });
});

test('an unknown name is rejected with the valid ones', () => {
  expect(() => optionsOf(['--only', 'flux'], ['tenantry'])).toThrow(
    "--only must be some of tenantry, got 'flux'",
  );
  expect(() => optionsOf(['--tenants', '100,100'], ['tenantry'])).toThrow(
    "--tenants must rise, got '100,100'",
  );
  expect(() => optionsOf(['--seconds', '0'], ['tenantry'])).toThrow(
    "--seconds must be a number above 0, got '0'",
  );
});
