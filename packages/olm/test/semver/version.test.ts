import { expect, test } from '@jest/globals';
import { formatVersion, parseOlmVersion } from '../../semver/version.ts';

test.each([
  ['1.2.3', '1.2.3'],
  [' v1.2 ', '1.2.0'],
  ['4', '4.0.0'],
  ['01.002.3-rc.1+b', '1.2.3-rc.1+b'],
  ['0.0', '0.0.0'],
])('%j is read as %s', (text, shown) => {
  expect(formatVersion(parseOlmVersion(text)!)).toBe(shown);
});

test.each(['', 'v', '1.2-rc', '1.x', 'latest', '1.2.3.4', '-1'])('%j is no version', (text) => {
  expect(parseOlmVersion(text)).toBeUndefined();
});
