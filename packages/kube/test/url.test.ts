import { expect, test } from '@jest/globals';
import { parseRequestUri, parseUrl } from '../url.ts';

test.each([
  ['https://example.com', { scheme: 'https', host: 'example.com', user: false }],
  ['HTTPS://a:8443/b', { scheme: 'https', host: 'a:8443' }],
  ['https://a@b@c/d', { host: 'c', user: true }],
  ['https://[::1]:1/a', { host: '[::1]:1', path: '/a' }],
  ['https://[fe80::1%25en%200]/', { host: '[fe80::1%25en%200]' }],
  ['https://a?b#c', { host: 'a', query: 'b', fragment: 'c' }],
  ['mailto:a@b', { scheme: 'mailto', host: '', user: false }],
  ['//a/b', { scheme: '', host: 'a' }],
  ['///a', { scheme: '', host: '' }],
  ['a/b:c', { scheme: '', host: '' }],
  ['*', { scheme: '', host: '' }],
  ['https://ä.example/ä', { host: 'ä.example' }],
])('%s is parsed as in Go', (text, parts) => {
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
  'https://[::1%25]',
  'https://[::1%25%2f]',
  'https://[::1%en0]',
  'https://a\u007f',
  'https://a{b@c',
])('%s is refused as in Go', (text) => {
  expect(parseUrl(text)).toBeUndefined();
});

test('the target of a request is an absolute URL or path, in which a number sign starts no fragment', () => {
  expect(
    ['https://a', 'x://y', '/a', 'a:b', 'http://a/#%g'].map((text) => !!parseRequestUri(text)),
  ).toEqual([true, true, true, true, false]);
  expect(['', 'a', '#a'].map(parseRequestUri)).toEqual([undefined, undefined, undefined]);
  expect(parseRequestUri('http://a/b?c#d')).toMatchObject({ query: 'c#d', fragment: '' });
});
