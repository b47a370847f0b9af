import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { runs } from './yaml/runs.ts';
import { compareVersions, parseVersion } from '../semver.ts';
import { isRelease } from '@tenantry/olm/semver/version';

test.each([
  '0.0.0',
  '1.2.3',
  '1.2.3-rc.1',
  '1.2.3--',
  '1.2.3+0.a',
  '1.2.3-a+b',
  '18446744073709551615.0.0',
])('%s is a version', (text) => {
  expect(parseVersion(text)).toBeDefined();
});

test.each([
  '',
  '1',
  '1.2',
  'v1.2.3',
  '1.2.3.4',
  '01.2.3',
  '1.2.3-',
  '1.2.3-01',
  '1.2.3+',
  '1.2.3-a..b',
  ' 1.2.3',
  '18446744073709551616.0.0',
  '1.2.3-18446744073709551616',
])('%j is none', (text) => {
  expect(parseVersion(text)).toBeUndefined();
});

test('versions are in the order of semver.org, whatever their parts', () => {
  const order = [
    '1.0.0-alpha',
    '1.0.0-alpha.1',
    '1.0.0-alpha.beta',
    '1.0.0-beta',
    '1.0.0-beta.2',
    '1.0.0-beta.11',
    '1.0.0-rc.1',
    '1.0.0',
    '1.0.1',
    '1.10.0',
    '2.0.0',
  ];
  const versions = order.map((text) => parseVersion(text)!);
  const at = fc.nat({ max: order.length - 1 });
  fc.assert(
    fc.property(at, at, (a, b) => {
      expect(compareVersions(versions[a]!, versions[b]!)).toBe(Math.sign(a - b));
    }),
    runs(200),
  );
  expect(compareVersions(parseVersion('1.0.0+a')!, parseVersion('1.0.0+b')!)).toBe(0);
});

describe('a release', () => {
  test.each(['1', 'alpha.1', '20260102', 'a-b'])('%s is one', (text) => {
    expect(isRelease(text)).toBe(true);
  });
  test.each(['', '01', 'a..b', 'a_b', 'a'.repeat(21)])('%j is none', (text) => {
    expect(isRelease(text)).toBe(false);
  });
});
