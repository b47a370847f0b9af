import { expect, test } from '@jest/globals';
import { isMailAddress } from '../../rules/presentation.ts';

test.each([
  'jo@example.com',
  'Jo Doe <jo@example.com>',
  '"Doe, Jo" <jo@example.com>',
  'jo@example.com (Jo)',
  'jo@[192.0.2.1]',
  'Team: jo@example.com;',
  '=?utf-8?q?J=C3=B6?= <jo@example.com>',
  'jö@exämple.com',
])('%s is one address', (text) => {
  expect(isMailAddress(text)).toBe(true);
});

test.each([
  '',
  'jo',
  'jo@',
  '@example.com',
  'jo@example.com, ann@example.com',
  'https://example.com',
  'jo doe@example.com',
  'jo..doe@example.com',
  'jo@example.com.',
  'Jo <jo@example.com',
  '"Jo"',
])('%j is not one address', (text) => {
  expect(isMailAddress(text)).toBe(false);
});

test.each([
  '""@example.com',
  'jo@[x]',
  'Team: jo@example.com, ann@example.com;',
  'jo@example.com (Jo',
])('%s is accepted, because rare forms are not parsed', (text) => {
  expect(isMailAddress(text)).toBe(true);
});
