import { describe, expect, test } from '@jest/globals';
import { parseRange } from '../../semver/version.ts';
import { parseVersion } from '@tenantry/kube/semver';

const isIn = (version: string, text: string): boolean | undefined =>
  parseRange(text)?.(parseVersion(version)!);

describe('whether a version is in a range:', () => {
  test.each([
    ['>=1.0.0 <1.2.0', '1.0.0', true],
    ['>=1.0.0 <1.2.0', '1.1.9', true],
    ['>=1.0.0 <1.2.0', '1.2.0', false],
    ['>=1.0.0 <1.2.0', '1.2.0-rc.1', true],
    ['>= 1.0.0', '1.0.0', true],
    ['1.0.0', '1.0.0+build', true],
    ['=1.0.0', '1.0.1', false],
    ['!1.0.0', '1.0.0', false],
    ['!=1.0.0', '1.0.1', true],
    ['<1.0.0 || >=2.0.0', '0.9.0', true],
    ['<1.0.0 || >=2.0.0', '1.5.0', false],
    ['<1.0.0 || >=2.0.0', '2.0.0', true],
    ['1.2.x', '1.2.9', true],
    ['1.2.x', '1.3.0', false],
    ['1.x', '1.9.0', true],
    ['1.x.x', '2.0.0', false],
    ['>1.2.x', '1.2.9', false],
    ['>1.2.x', '1.3.0', true],
    ['<=1.2.x', '1.2.9', true],
    ['<1.2.x', '1.2.0', false],
    ['!=1.x', '1.5.0', false],
    ['<=1.x', '2.0.0', false],
  ])('%s %s', (range, version, expected) => {
    expect(isIn(version, range)).toBe(expected);
  });
});

test.each([
  '',
  ' ',
  '1',
  '1.0',
  'v1.0.0',
  '^1.0.0',
  '~1.0.0',
  '>',
  '|| 1.0.0',
  '1.0.0 ||',
  'x',
  '01.0.0',
  '>1.x.3',
  'constructor1.0.0',
])('%j is no range', (text) => {
  expect(parseRange(text)).toBeUndefined();
});
