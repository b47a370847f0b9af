import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { resolveProxy } from '../../connection/address.ts';
import { goProxies, type ProxyQuestion } from '@tenantry/test-tools/go/proxies';
import { runs } from '@tenantry/kube/test/yaml/runs';

const ask = await goProxies();
const withGo = ask ? test : test.skip;

const names = [
  'example.com',
  'api.example.com',
  'notexample.com',
  'com',
  'localhost',
  'a.localhost',
];
const ipv4 = ['10.0.0.1', '10.0.0.10', '10.200.0.1', '127.0.0.1', '127.9.9.9', '0.0.0.0'];
const ipv6 = ['fd12::1', 'fd12:0:0::1', 'fe80::1', '::1', '::', 'fd00::'];
const ports = ['', ':443', ':6443', ':80', ':'];

const addresses = fc.oneof(
  fc.constantFrom(...names, ...ipv4),
  fc.constantFrom(...ipv6).map((address) => `[${address}]`),
);
const host = fc.tuple(addresses, fc.constantFrom('', ':443', ':6443', ':80'));

const exception = fc.oneof(
  fc
    .tuple(
      fc.constantFrom('', '.', '*.', '*', ' '),
      fc.constantFrom(...names),
      fc.constantFrom(...ports),
    )
    .map((parts) => parts.join('')),
  fc.tuple(addresses, fc.constantFrom(...ports)).map((parts) => parts.join('')),
  fc.constantFrom(...ipv6),
  fc
    .tuple(
      fc.constantFrom(...ipv4, ...ipv6),
      fc.constantFrom('/8', '/16', '/32', '/0', '/129', '/7', '/'),
    )
    .map((parts) => parts.join('')),
  fc.constantFrom('*', '', '.', '*.', ':', ':443', '[', ']', '[]', '[]:443', 'EXAMPLE.com', '\t'),
);

const question: fc.Arbitrary<ProxyQuestion> = fc.record({
  server: fc
    .tuple(fc.constantFrom('https://', 'http://'), host)
    .map(([scheme, [name, port]]) => `${scheme}${name}${port}`),
  httpProxy: fc.constantFrom('', 'http://plain:3128'),
  httpsProxy: fc.constantFrom('', 'proxy:3128', 'https://proxy', 'HTTP://proxy:1', '10.0.0.9'),
  noProxy: fc.array(exception, { maxLength: 3 }).map((all) => all.join(',')),
});

withGo('the environment means the same as to programs in Go', () => {
  const questions = fc.sample(question, runs(20_000));
  const answers = ask!(questions);
  const differing = questions.flatMap((one, i) => {
    const { server, httpProxy, httpsProxy, noProxy } = one;
    const environment = { HTTP_PROXY: httpProxy, HTTPS_PROXY: httpsProxy, NO_PROXY: noProxy };
    const ours = resolveProxy(server, environment);
    const isSame = ours?.toLowerCase() === answers[i]?.toLowerCase();
    return isSame ? [] : [{ ...one, ours, go: answers[i] }];
  });
  expect(differing.slice(0, 10)).toEqual([]);
  expect(answers.filter((answer) => answer !== undefined).length).toBeGreaterThan(2000);
});
