import { expect, test } from '@jest/globals';
import type { TenantClassSpec } from '../../crds/tenant-class.ts';
import type { TenantSpec } from '../../crds/tenant.ts';
import { TenantTrials } from '../../import/tenant-trials.ts';
import { desired } from '../../model/desired.ts';
import { resolvePlatform } from '../../model/platform.ts';

const platform = resolvePlatform({});
const classSpec: TenantClassSpec = {
  ceilings: { namespaces: 3, quota: { pods: 20 } },
  allow: { labels: [{ key: 'example.com/a' }, { key: 'example.com/b' }] },
};
const klass = { name: 'imported', spec: classSpec };
const shop: TenantSpec = {
  quota: { hard: { pods: 10 } },
  labels: { 'example.com/a': '1', 'example.com/b': '2' },
  access: { viewers: { groups: ['shop'] } },
};
const exception = {
  tenants: ['shop'],
  reason: 'Year end',
  ceilings: { quota: { pods: 50 } },
};

function tryShop(spec = shop, withClass = klass): TenantTrials {
  const trials = new TenantTrials({}, platform);
  expect(trials.findErrors({ name: 'shop', spec }, withClass)).toEqual([]);
  return trials;
}

test('a rendering is used again for exactly the same data, read from elsewhere', () => {
  const tenant = { name: 'shop', spec: structuredClone(shop) };
  const found = tryShop().findRendered(tenant, structuredClone(klass));
  expect(found).toEqual(desired(tenant, structuredClone(klass), platform));
  expect(found?.namespaces).toHaveLength(1);
});

test('exceptions for other tenants, and who shares one for what reason, make no difference', () => {
  const others = { ...exception, tenants: ['bank'] };
  const spec = { ...classSpec, exceptions: [others] };
  expect(tryShop().findRendered({ name: 'shop', spec: shop }, { ...klass, spec })).toBeDefined();
  const large = { ...shop, quota: { hard: { pods: 30 } } };
  const own = { ...klass, spec: { ...classSpec, exceptions: [exception] } };
  const shared = { ...exception, tenants: ['bank', 'shop'], reason: 'Found in the source' };
  const written = { ...klass, spec: { ...classSpec, exceptions: [others, shared] } };
  expect(tryShop(large, own).findRendered({ name: 'shop', spec: large }, written)).toBeDefined();
});

test.each([
  ['another name', { name: 'bank', spec: shop }, klass],
  ['another value', { name: 'shop', spec: { ...shop, quota: { hard: { pods: '10' } } } }, klass],
  ['a field more', { name: 'shop', spec: { ...shop, description: 'A shop' } }, klass],
  ['a field without a value', { name: 'shop', spec: { ...shop, contact: undefined } }, klass],
  [
    'another order of keys',
    { name: 'shop', spec: { ...shop, labels: { 'example.com/b': '2', 'example.com/a': '1' } } },
    klass,
  ],
  ['labels of the Tenant', { name: 'shop', spec: shop, labels: { a: 'b' } }, klass],
  ['another class', { name: 'shop', spec: shop }, { ...klass, name: 'other' }],
  [
    'another ceiling of the class',
    { name: 'shop', spec: shop },
    { ...klass, spec: { ...classSpec, ceilings: { namespaces: 3, quota: { pods: 21 } } } },
  ],
  [
    'an exception of its own',
    { name: 'shop', spec: shop },
    { ...klass, spec: { ...classSpec, exceptions: [exception] } },
  ],
  ['a parent of the class', { name: 'shop', spec: shop }, { ...klass, base: klass }],
])('a rendering is not used again for %s', (_difference, tenant, other) => {
  expect(
    tryShop().findRendered(tenant as { name: string; spec: TenantSpec }, other),
  ).toBeUndefined();
});

test('what the rules refuse is not kept', () => {
  const trials = new TenantTrials({}, platform);
  const tenant = { name: 'shop', spec: { quota: { hard: { pods: 30 } } } };
  expect(trials.findErrors(tenant, klass).map(({ rule }) => rule)).toContain('ceiling-quota');
  expect(trials.findRendered(tenant, klass)).toBeUndefined();
});
