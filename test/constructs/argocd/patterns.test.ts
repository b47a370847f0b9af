import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  permitsDestination,
  permitsClusterKind,
  matchesAnyHost,
  normalizeRepository,
  permitsRepository,
} from '../../../model/argocd/patterns/allow-lists.ts';
import { escapeServerPattern } from '../../../model/argocd-names.ts';
import { typesTest } from '../../go/argocd-types.ts';

/** Realistic wildcards: gobwas/glob is inconsistent about some adjacent ones. */
const wildcard = fc.constantFrom('*', '**', '?', '[ab]', '[!a]', '[a-c]');
const literal = fc.constantFrom('a', 'b', 'shop', 'shop-', '-a', 'a/', '/b');
const pattern = fc
  .tuple(fc.array(fc.tuple(literal, wildcard), { maxLength: 2 }), literal, fc.boolean())
  .map(([pairs, last, isOpen]) => {
    const text = pairs.flat().join('');
    return text === '' || !isOpen ? `${text}${last}` : text;
  });
const alternatives = fc
  .array(pattern, { minLength: 1, maxLength: 3 })
  .map((all) => `{${all.join(',')}}`);
const glob = fc
  .tuple(fc.constantFrom('', '!'), fc.oneof(pattern, alternatives))
  .map((all) => all.join(''));
const text = fc
  .array(fc.constantFrom('a', 'b', 'c', 'shop', '-', '/'), { maxLength: 4 })
  .map((all) => all.join(''));

const sample = <T>(of: fc.Arbitrary<T>, numRuns: number): T[] =>
  fc.sample(of, { numRuns, seed: 3 });

typesTest('a project lets in the repositories that Argo CD lets in', (ask) => {
  const hosts = [
    'https://git.example.com/',
    'git@git.example.com:',
    'ssh://git@git.example.com/',
    '',
  ];
  const address = fc
    .tuple(fc.constantFrom(...hosts), text, fc.constantFrom('', '.git', '.GIT'))
    .map((all) => all.join(''));
  // In braces, Argo CD normalizes addresses differently, so they are refused.
  const allowed = fc
    .tuple(fc.constantFrom('', '!'), fc.constantFrom(...hosts), pattern)
    .map((all) => all.join(''));
  const cases = sample(
    fc.record({
      patterns: fc.array(allowed, { minLength: 1, maxLength: 3 }),
      addresses: fc.array(address, { minLength: 5, maxLength: 8 }),
    }),
    400,
  );
  const answers = ask(
    cases.map(({ patterns, addresses }) => ({
      kind: 'AppProject',
      object: { metadata: { name: 'shop' }, spec: { sourceRepos: patterns } },
      repositories: addresses,
    })),
  );
  const ours = cases.map(({ patterns, addresses }) =>
    addresses.map((one) => permitsRepository(patterns, one)),
  );
  expect(
    differences(
      cases,
      ours,
      answers.map(({ repositories }) => repositories),
    ),
  ).toEqual([]);
  expect(ours.flat().filter(Boolean).length).toBeGreaterThan(200);
});

typesTest('a project lets in the destinations that Argo CD lets in', (ask) => {
  const item = fc.record({ server: glob, name: glob, namespace: glob }, { requiredKeys: [] });
  const to = fc.record({ server: text, name: text, namespace: text });
  const cases = sample(
    fc.record({
      items: fc.array(item, { minLength: 1, maxLength: 3 }),
      destinations: fc.array(to, { minLength: 5, maxLength: 8 }),
    }),
    400,
  );
  const answers = ask(
    cases.map(({ items, destinations }) => ({
      kind: 'AppProject',
      object: { metadata: { name: 'shop' }, spec: { destinations: items } },
      destinations,
    })),
  );
  const ours = cases.map(({ items, destinations }) =>
    destinations.map((one) => permitsDestination(items, one)),
  );
  expect(
    differences(
      cases,
      ours,
      answers.map(({ destinations }) => destinations),
    ),
  ).toEqual([]);
  expect(ours.flat().filter(Boolean).length).toBeGreaterThan(100);
});

typesTest('the address of a cluster that is no pattern lets in that cluster alone', (ask) => {
  const server = 'https://[fd00::1]:6443';
  const destinations = [
    { server, name: '', namespace: 'a' },
    { server: 'https://f:6443', name: '', namespace: 'a' },
  ];
  const asked = [server, escapeServerPattern(server)].map((item) => ({
    kind: 'AppProject' as const,
    object: {
      metadata: { name: 'shop' },
      spec: { destinations: [{ server: item, namespace: 'a' }] },
    },
    destinations,
  }));
  expect(ask(asked).map((one) => one.destinations)).toEqual([
    [false, true],
    [true, false],
  ]);
});

typesTest('a project lets in the kinds outside of namespaces that Argo CD lets in', (ask) => {
  const one = fc.oneof(pattern, fc.constantFrom('[^a]*', 'a\\*', '[', '[a', 'shop]', '*'));
  const item = fc.record(
    { group: one, kind: one, name: fc.oneof(one, fc.constant('')) },
    { requiredKeys: ['group', 'kind'] },
  );
  const cases = sample(
    fc.record({
      allowed: fc.array(item, { minLength: 1, maxLength: 3 }),
      denied: fc.array(item, { maxLength: 1 }),
      objects: fc.array(fc.record({ group: text, kind: text, name: text }), {
        minLength: 5,
        maxLength: 8,
      }),
    }),
    400,
  );
  const specs = cases.map(({ allowed, denied }) => ({
    clusterResourceWhitelist: allowed,
    clusterResourceBlacklist: denied,
  }));
  const answers = ask(
    cases.map(({ objects }, i) => ({
      kind: 'AppProject',
      object: { metadata: { name: 'shop' }, spec: specs[i]! },
      kinds: objects.map((object) => ({ ...object, namespaced: false })),
    })),
  );
  const ours = cases.map(({ objects }, i) =>
    objects.map((object) => permitsClusterKind(specs[i]!, object)),
  );
  const theirs = answers.map(({ kinds }) => kinds);
  expect(differences(cases, ours, theirs)).toEqual([]);
  expect(ours.flat().filter(Boolean).length).toBeGreaterThan(30);
});

function differences(
  cases: readonly object[],
  ours: readonly (readonly boolean[])[],
  theirs: readonly (readonly boolean[])[],
): object[] {
  return cases
    .map((one, i) => ({ ...one, ours: ours[i]!, theirs: theirs[i]! }))
    .filter(({ ours: a, theirs: b }) => String(a) !== String(b));
}

test('addresses of the same repository are equal', () => {
  const addresses = [
    'git@Git.example.com:shop/web.git',
    'ssh://git@git.example.com/shop/web',
    ' git@git.example.com:shop/web ',
  ];
  expect(new Set(addresses.map(normalizeRepository))).toEqual(
    new Set(['git@git.example.com/shop/web']),
  );
});

test.each([
  ['https://git.example.com/shop/*', false],
  ['git@git.example.com:shop/**', false],
  ['registry.example.com/charts', false],
  ['oci://registry.example.com/*', false],
  ['*', true],
  ['**', true],
  ['https://*', true],
  ['https://git.example.com*', true],
  ['https://*.example.com/shop/*', true],
  ['https://git.{example.com,example.net}/shop', true],
  ['*@git.example.com:shop/web', true],
  ['!https://git.example.com/secret', true],
])('%s matches any host: %s', (one, isWide) => {
  expect(matchesAnyHost(one)).toBe(isWide);
});

test('a single star matches repositories of any path', () => {
  const address = 'https://git.example.com/shop/web';
  expect(permitsRepository(['*'], address)).toBe(true);
  expect(permitsRepository(['https://*'], address)).toBe(false);
  expect(permitsRepository(['*', '!https://git.example.com/shop/*'], address)).toBe(false);
});

typesTest('what a project denies outside of namespaces it does not let in', (ask) => {
  const spec = {
    clusterResourceWhitelist: [{ group: '*', kind: '*' }],
    clusterResourceBlacklist: [{ group: '', kind: 'Namespace', name: 'kube-*' }],
  };
  const objects = ['kube-system', 'shop'].map((name) => ({ group: '', kind: 'Namespace', name }));
  const [answer] = ask([
    {
      kind: 'AppProject',
      object: { metadata: { name: 'shop' }, spec },
      kinds: objects.map((one) => ({ ...one, namespaced: false })),
    },
  ]);
  expect(answer!.kinds).toEqual([false, true]);
  expect(objects.map((one) => permitsClusterKind(spec, one))).toEqual([false, true]);
});
