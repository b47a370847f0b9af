import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Fleet } from '../../model/fleet.ts';
import { matchesName } from '../../model/name-pattern.ts';
import { resolvePlatform } from '../../model/platform.ts';
import { runs } from '@tenantry/kube/test/yaml/runs';

test("a tenant without a class has the platform's default class", () => {
  expect(new Fleet().classes.resolve({ name: 'a', spec: {} })).toMatchObject({
    name: 'default',
    spec: { ceilings: { namespaces: 10, podSecurity: 'baseline' } },
  });
  const fleet = new Fleet(resolvePlatform({ defaultClass: 'standard' }));
  expect(fleet.classes.resolve({ name: 'a', spec: {} })).toMatchObject({
    path: ['spec', 'className'],
    message: "must be a declared TenantClass (there is none), got 'standard'",
  });
  const standard = { name: 'standard', spec: {} };
  expect(fleet.classes.add(standard)).toEqual([]);
  expect(fleet.classes.resolve({ name: 'a', spec: {} })).toBe(standard);
  expect(fleet.classes.resolve({ name: 'a', spec: { className: 'standart' } })).toMatchObject({
    message: "must be a declared TenantClass (standard), got 'standart'; did you mean 'standard'?",
  });
});

test('naming the built-in class does not bypass the ceilings of the platform', () => {
  const fleet = new Fleet(resolvePlatform({ defaultClass: 'strict' }));
  fleet.classes.add({ name: 'strict', spec: { ceilings: { quota: { pods: 1 } } } });
  expect(fleet.classes.all.map(({ name }) => name)).toEqual(['strict']);
  expect(fleet.classes.resolve({ name: 'a', spec: { className: 'default' } })).toMatchObject({
    message: "must be a declared TenantClass (strict), got 'default'",
  });
});

test('a class named default replaces the built-in one', () => {
  const fleet = new Fleet();
  const own = { name: 'default', spec: { description: 'ours' } };
  fleet.classes.add(own);
  expect(fleet.classes.resolve({ name: 'a', spec: {} })).toBe(own);
  expect(fleet.classes.all).toEqual([own]);
});

test('the roles that tenants may have bound include the role of their sync account', () => {
  const fleet = new Fleet(resolvePlatform({ defaultClass: 'a' }));
  fleet.classes.add({
    name: 'a',
    spec: { roles: { applications: 'deployer', viewers: 'reader' } },
  });
  expect(fleet.classes.clusterRoles).toEqual(['admin', 'deployer', 'edit', 'reader']);
});

test('two classes cannot have the same name', () => {
  const fleet = new Fleet();
  fleet.classes.add({ name: 'a', spec: {} });
  expect(fleet.classes.add({ name: 'a', spec: {} })).toMatchObject([
    { message: "must be the only class of its name, got 'a' again", rule: 'duplicate-class' },
  ]);
});

test('a pattern matches an equal value, or a value with its prefix', () => {
  const text = fc.stringMatching(/^[ab-]{0,4}$/);
  const pattern = fc.tuple(text, fc.constantFrom('', '*')).map((parts) => parts.join(''));
  fc.assert(
    fc.property(fc.array(pattern), text, (patterns, name) => {
      const naive = patterns.some((one) => new RegExp(`^${one.replace('*', '.*')}$`).test(name));
      expect(matchesName(patterns, name)).toBe(naive);
    }),
    runs(300),
  );
});

test('a cluster without its own peers trusts those of the platform', () => {
  const dns = [{ podSelector: {} }];
  const { clusters, defaultClusters } = resolvePlatform({
    clusters: [{ name: 'eu', dns }, { name: 'us' }],
    monitoring: dns,
  });
  expect(defaultClusters).toEqual(['eu']);
  expect(clusters.map((one) => [one.dns === dns, one.monitoring === dns])).toEqual([
    [true, true],
    [false, true],
  ]);
});
