import { expect, test } from '@jest/globals';
import { isRequestUri, parseUrl } from '../../../crds/validation/url.ts';

test.each([
  ['https://example.com', { scheme: 'https', host: 'example.com', user: false }],
  ['HTTPS://a:8443/b', { scheme: 'https', host: 'a:8443' }],
  ['https://a@b@c/d', { host: 'c', user: true }],
  ['https://[::1]:1/a', { host: '[::1]:1' }],
  ['https://a?b#c', { host: 'a', query: 'b', fragment: 'c' }],
  ['mailto:a@b', { scheme: 'mailto', host: '', user: false }],
  ['//a/b', { scheme: '', host: 'a' }],
  ['///a', { scheme: '', host: '' }],
  ['a/b:c', { scheme: '', host: '' }],
  ['*', { scheme: '', host: '' }],
  ['https://ä.example/ä', { host: 'ä.example' }],
])('%s is taken apart as in Go', (text, parts) => {
  expect(parseUrl(text)).toMatchObject(parts);
});

test.each([
  ':a',
  'a:b'.replace('a', '1'),
  'https://a b',
  'https://a/%2',
  'https://a#%g0',
  'https://%41/',
  'https://a:b:1',
  'https://a:1a',
  'https://[::1',
  'https://a[::1]',
  'https://[1.2.3.4]',
  'https://[::1::2]',
  'https://a\u007f',
  'https://a{b@c',
])('%s is refused as in Go', (text) => {
  expect(parseUrl(text)).toBeUndefined();
});

test('what came in a request has a scheme and a host', () => {
  expect(['https://a', 'http://a/b?c', 'x://y'].map(isRequestUri)).toEqual([true, true, true]);
  expect(['', '/a', 'a', 'a:b', 'https:///a'].map(isRequestUri)).not.toContain(true);
});
