import { expect, test } from '@jest/globals';
import { parseOptions } from '../../bench/options.ts';

const sizesOf = (...args: string[]) => parseOptions(args, ['tenantry'])?.sizes;

test('100,000 tenants are rendered on request and for the page', () => {
  expect(sizesOf()).toEqual([100, 500, 1000, 2000, 10_000]);
  expect(sizesOf('--write')).toEqual([100, 500, 1000, 2000, 10_000, 100_000]);
  expect(sizesOf('--write', '--sizes', '100')).toEqual([100]);
  expect(sizesOf('--sizes', '100,100000')).toEqual([100, 100_000]);
});

test('an unknown name is rejected with the valid ones', () => {
  expect(() => parseOptions(['--only', 'tenantry,nix'], ['tenantry', 'real'])).toThrow(
    "--only must be some of tenantry, real, got 'nix'",
  );
  expect(() => parseOptions(['--sizes', '100,many'], ['tenantry'])).toThrow(
    "--sizes must be a number above 0, got 'many'",
  );
});
