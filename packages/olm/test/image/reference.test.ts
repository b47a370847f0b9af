import { expect, test } from '@jest/globals';
import { isCatalogImage, isImage, isPinned } from '../../image/reference.ts';

const digest = 'a'.repeat(64);

test.each([
  'redis',
  'redis:8',
  'library/redis',
  'quay.io/example/redis',
  'quay.io/example/redis:v1.2.3',
  `quay.io/example/redis@sha256:${digest}`,
  `quay.io/example/redis:v1@sha256:${digest}`,
  'localhost:5000/redis',
  'localhost/redis',
  'HOST/redis',
  'registry.example.com:5000/a/b__c/d-e.f:tag_1',
  '[::1]:5000/redis',
])('%s names an image', (text) => {
  expect(isImage(text)).toBe(true);
});

test.each([
  '',
  digest,
  'Redis',
  'quay.io/Example/redis',
  'quay.io/example/redis:',
  'quay.io/example/redis:-a',
  `quay.io/example/redis@sha256:${'a'.repeat(63)}`,
  `quay.io/example/redis@sha256:${'A'.repeat(64)}`,
  `quay.io/example/redis@md5:${digest}`,
  'a b',
  'https://quay.io/example/redis',
  'quay.io//redis',
  'quay.io/redis/',
  `quay.io/${'a'.repeat(256)}`,
])('%j names none', (text) => {
  expect(isImage(text)).toBe(false);
});

test('an image is pinned by its digest', () => {
  expect([isPinned('redis:8'), isPinned(`redis@sha256:${digest}`)]).toEqual([false, true]);
});

test.each([
  ['quay.io/example/redis:v1.2.3', true],
  ['redis', true],
  ['HOST.io/redis', true],
  ['HOST/redis', false],
  ['[::1]:5000/redis', false],
  ['Redis', false],
])('a server of catalogs accepts %s as an image: %s', (text, expected) => {
  expect(isCatalogImage(text)).toBe(expected);
});
