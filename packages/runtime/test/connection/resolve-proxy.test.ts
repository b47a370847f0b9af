import { expect, test } from '@jest/globals';
import { resolveProxy } from '../../connection/address.ts';

const proxy = 'http://proxy:3128';

test.each<
  [what: string, environment: Record<string, string>, server: string, is: string | undefined]
>([
  ['nothing', {}, 'https://api', undefined],
  ['an empty one', { HTTPS_PROXY: '' }, 'https://api', undefined],
  ['a proxy', { HTTPS_PROXY: proxy }, 'https://api:6443', proxy],
  ['small letters', { https_proxy: proxy }, 'https://api', proxy],
  [
    'both, of which upper case applies',
    { HTTPS_PROXY: proxy, https_proxy: 'http://b' },
    'https://api',
    proxy,
  ],
  [
    'both, upper case empty',
    { HTTPS_PROXY: '', https_proxy: 'http://b' },
    'https://api',
    'http://b',
  ],
  ['one of http alone', { HTTP_PROXY: proxy }, 'https://api', undefined],
  ['one of http', { HTTP_PROXY: proxy, HTTPS_PROXY: 'http://b' }, 'http://api', proxy],
  ['one of all', { ALL_PROXY: proxy }, 'https://api', undefined],
  ['no scheme', { HTTPS_PROXY: 'proxy:3128' }, 'https://api', proxy],
  ['no scheme, and no port', { HTTPS_PROXY: 'proxy' }, 'https://api', 'http://proxy'],
  ['a proxy with TLS', { HTTPS_PROXY: 'https://me:s@proxy' }, 'https://api', 'https://me:s@proxy'],
  [
    'exceptions in small letters',
    { HTTPS_PROXY: proxy, no_proxy: 'api' },
    'https://api',
    undefined,
  ],
])('with %s: %j, %s is reached through %s', (_, environment, server, expected) => {
  expect(resolveProxy(server, environment)).toBe(expected);
});

test.each<[exceptions: string, server: string, isExcepted: boolean]>([
  ['*', 'https://api.example.com', true],
  ['example.com', 'https://example.com', true],
  ['example.com', 'https://api.example.com:6443', true],
  ['example.com', 'https://API.Example.COM', true],
  ['EXAMPLE.com', 'https://api.example.com', true],
  ['example.com', 'https://notexample.com', false],
  ['.example.com', 'https://api.example.com', true],
  ['.example.com', 'https://example.com', false],
  ['*.example.com', 'https://api.example.com', true],
  ['*.example.com', 'https://example.com', false],
  ['a, example.com ,b', 'https://example.com', true],
  ['a,,b', 'https://example.com', false],
  ['example.com:6443', 'https://example.com:6443', true],
  ['example.com:6443', 'https://example.com', false],
  ['example.com:443', 'https://example.com', true],
  [':443', 'https://example.com', false],
  ['10.0.0.1', 'https://10.0.0.1:6443', true],
  ['10.0.0.1', 'https://10.0.0.10', false],
  ['10.0.0.1:6443', 'https://10.0.0.1:6443', true],
  ['10.0.0.1:6443', 'https://10.0.0.1', false],
  ['10.0.0.0/8', 'https://10.200.0.1', true],
  ['10.0.0.0/8', 'https://11.0.0.1', false],
  ['10.0.0.0/33', 'https://10.0.0.1', false],
  ['0.0.0.0/0', 'https://example.com', false],
  ['0.0.0.1', 'https://10.0.0.0.1.example.com', false],
  ['fd00::/8', 'https://[fd12::1]:6443', true],
  ['fd00::/8', 'https://[fe80::1]', false],
  ['fd12::1', 'https://[fd12:0::1]', true],
  ['[fd12::1]:6443', 'https://[fd12::1]:6443', true],
  ['[fd12::1]:6443', 'https://[fd12::1]', false],
  ['', 'https://localhost:6443', true],
  ['', 'https://127.0.0.1:6443', true],
  ['', 'https://127.9.9.9', true],
  ['', 'https://[::1]:6443', true],
  ['', 'https://localhost.example.com', false],
])('NO_PROXY=%j exempts %s from the proxy: %s', (exceptions, server, isExcepted) => {
  const environment = { HTTPS_PROXY: proxy, NO_PROXY: exceptions };
  expect(resolveProxy(server, environment)).toBe(isExcepted ? undefined : proxy);
});

test.each([
  ['socks5://me:secret@proxy:1080', `, as SOCKS is not supported, got 'socks5://***@proxy:1080'`],
  ['http://me:/secret@proxy:1', `, got 'http://***@proxy:1'`],
  ['http://me:100%@proxy:1', `, got 'http://***@proxy:1'`],
  ['http://me:100%25@proxy:port', `, got 'http://***@proxy:port'`],
  ['ftp://proxy', `, got 'ftp://proxy'`],
  ['http://a b', `, got 'http://a b'`],
])('%s is refused, without its password in the message', (value, rest) => {
  expect(() => resolveProxy('https://api', { HTTPS_PROXY: value })).toThrow(
    new Error(`HTTPS_PROXY must be a URL such as 'http://proxy:3128'${rest}`),
  );
});
