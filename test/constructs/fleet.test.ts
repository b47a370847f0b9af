import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { claimOf } from '../../constructs/tenant/desired.ts';
import { Fleet } from '../../constructs/tenant/fleet.ts';
import { matchesName, resolvePlatform } from '../../constructs/tenant/platform.ts';
import { runs } from '../kube/yaml/runs.ts';
import { layout, tenantFile } from '../../constructs/layout.ts';

const at = () => ['spec', 'namespaces'];

test('two tenants cannot have one name', () => {
  const fleet = new Fleet();
  expect(fleet.claim({ name: 'a', namespaces: ['a'] }, 'one.yaml', at)).toEqual([]);
  expect(fleet.claim({ name: 'a', namespaces: ['b'] }, 'two.yaml', at)).toMatchObject([
    {
      path: ['metadata', 'name'],
      message: "must be the only tenant of its name, got 'a', which one.yaml declares",
      rule: 'duplicate-tenant',
    },
  ]);
});

test('a namespace is of one tenant, on whichever cluster', () => {
  const fleet = new Fleet();
  fleet.claim({ name: 'a', namespaces: ['shared', 'x'] }, 'one.yaml', at);
  expect(fleet.claim({ name: 'b', namespaces: ['y', 'shared'] }, 'two.yaml', at)).toMatchObject([
    {
      message:
        "must be a namespace of one tenant only, got 'shared', which tenant a has (one.yaml)",
      rule: 'duplicate-namespace',
    },
  ]);
});

test('a namespace of a tenant’s own name can be taken by another one before (CVE-2024-22031)', () => {
  const fleet = new Fleet();
  fleet.claim(claimOf({ name: 'a', spec: { namespaces: [{ name: 'b' }] } }), 'one.yaml', at);
  expect(fleet.claim(claimOf({ name: 'b', spec: {} }), 'two.yaml', at)).toHaveLength(1);
});

test('prefixes that run together are told apart by the whole name', () => {
  const fleet = new Fleet();
  const claim = (name: string, namespacePrefix: string, namespace: string) =>
    fleet.claim(
      claimOf({ name, spec: { namespacePrefix, namespaces: [{ name: namespace }] } }),
      `${name}.yaml`,
      at,
    );
  expect(claim('a', 'a-', 'b-c')).toEqual([]);
  expect(claim('b', 'a-b-', 'd')).toEqual([]);
  expect(claim('c', 'a-b-', 'c')).toHaveLength(1);
});

const label = fc.stringMatching(/^[a-z0-9]([a-z0-9-]{0,4}[a-z0-9])?$/);
const tenants = fc.uniqueArray(
  fc.record({ name: label, namespaces: fc.uniqueArray(label, { minLength: 1, maxLength: 3 }) }),
  { selector: ({ name }) => name, maxLength: 6 },
);

test('whatever tenants there are, those without a problem share no namespace and no file', () => {
  fc.assert(
    fc.property(tenants, (list) => {
      const fleet = new Fleet();
      const good = list.filter((claim) => fleet.claim(claim, claim.name, at).length === 0);
      const names = good.flatMap(({ namespaces }) => namespaces);
      expect(new Set(names).size).toBe(names.length);
      const files = good.flatMap(({ name, namespaces }) => [
        layout.tenant('eu', name),
        ...namespaces.map((one) => layout.namespace('eu', name, one)),
      ]);
      expect(new Set(files).size).toBe(files.length);
      for (const { name, namespaces } of good) {
        expect(tenantFile(layout.tenant('eu', name))).toEqual({ cluster: 'eu', tenant: name });
        expect(tenantFile(layout.namespace('eu', name, namespaces[0]!))).toEqual({
          cluster: 'eu',
          tenant: name,
          namespace: namespaces[0],
        });
      }
    }),
    runs(200),
  );
});

test('who is taken is known before it is claimed', () => {
  const fleet = new Fleet();
  fleet.claim({ name: 'a', namespaces: ['x'] }, 'one.yaml', at);
  expect(fleet.isTaken({ name: 'a', namespaces: [] })).toBe(true);
  expect(fleet.isTaken({ name: 'b', namespaces: ['y', 'x'] })).toBe(true);
  expect(fleet.isTaken({ name: 'b', namespaces: ['y'] })).toBe(false);
});

test('a tenant that names no class has the platform’s default one', () => {
  expect(new Fleet().classOf({ name: 'a', spec: {} })).toMatchObject({
    name: 'default',
    spec: { ceilings: { namespaces: 10, podSecurity: 'baseline' } },
  });
  const fleet = new Fleet(resolvePlatform({ defaultClass: 'standard' }));
  expect(fleet.classOf({ name: 'a', spec: {} })).toMatchObject({
    path: ['spec', 'className'],
    message: "must be a declared TenantClass (there is none), got 'standard'",
  });
  const standard = { name: 'standard', spec: {} };
  expect(fleet.addClass(standard)).toBeUndefined();
  expect(fleet.classOf({ name: 'a', spec: {} })).toBe(standard);
  expect(fleet.classOf({ name: 'a', spec: { className: 'standart' } })).toMatchObject({
    message: "must be a declared TenantClass (standard), got 'standart'; did you mean 'standard'?",
  });
});

test('nobody gets round the platform’s ceilings by naming the built-in class', () => {
  const fleet = new Fleet(resolvePlatform({ defaultClass: 'strict' }));
  fleet.addClass({ name: 'strict', spec: { ceilings: { quota: { pods: 1 } } } });
  expect(fleet.classes.map(({ name }) => name)).toEqual(['strict']);
  expect(fleet.classOf({ name: 'a', spec: { className: 'default' } })).toMatchObject({
    message: "must be a declared TenantClass (strict), got 'default'",
  });
});

test('a class named default takes the place of the built-in one', () => {
  const fleet = new Fleet();
  const own = { name: 'default', spec: { description: 'ours' } };
  fleet.addClass(own);
  expect(fleet.classOf({ name: 'a', spec: {} })).toBe(own);
  expect(fleet.classes).toEqual([own]);
});

test('two classes cannot have one name', () => {
  const fleet = new Fleet();
  fleet.addClass({ name: 'a', spec: {} });
  expect(fleet.addClass({ name: 'a', spec: {} })).toMatchObject({
    message: "must be the only class of its name, got 'a' again",
    rule: 'duplicate-class',
  });
});

test('a pattern is met by what equals it, or by what begins with it', () => {
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

test('a cluster without words of its own trusts what the platform trusts', () => {
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
