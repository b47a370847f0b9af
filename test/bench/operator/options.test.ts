import { expect, test } from '@jest/globals';
import { parseOptions } from '../../../bench/operator/options.ts';

test('by default 1,000 tenants are observed, and then 10,000', () => {
  expect(parseOptions([], ['tenantry'])).toMatchObject({ tenants: [1000, 10_000], seconds: 60 });
  expect(parseOptions(['--tenants', '50', '--seconds', '5'], ['tenantry'])).toMatchObject({
    tenants: [50],
    seconds: 5,
  });
});

test('an unknown name is rejected with the valid ones', () => {
  expect(() => parseOptions(['--only', 'flux'], ['tenantry'])).toThrow(
    "--only must be some of tenantry, got 'flux'",
  );
  expect(() => parseOptions(['--tenants', '100,100'], ['tenantry'])).toThrow(
    "--tenants must rise, got '100,100'",
  );
  expect(() => parseOptions(['--seconds', '0'], ['tenantry'])).toThrow(
    "--seconds must be a number above 0, got '0'",
  );
});
