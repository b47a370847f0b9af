import { expect, test } from '@jest/globals';
import { resolvePlatform } from '../../../constructs/tenant/platform.ts';
import type { DriftPolicy } from '../../../crds/tenantry/types.ts';
import { classifyNamespace } from '../../../operator/heal/namespace-ownership.ts';
import { allowedPolicy } from '../../../operator/heal/policy.ts';

const platform = resolvePlatform();
const namespace = (name: string, labels: Readonly<Record<string, string>>, gone = false) => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name, labels, ...(gone && { deletionTimestamp: '2026-01-01T00:00:00Z' }) },
});
const ground = (
  name: string,
  labels?: Readonly<Record<string, string>>,
  policy: DriftPolicy = 'Heal',
) => {
  const live = labels && namespace(name, labels);
  return classifyNamespace(name, live, { tenant: 'pay', platform, policy });
};

test('a namespace belongs to a tenant by its label alone', () => {
  expect(ground('a')).toBe('absent');
  expect(ground('a', { 'tenantry.dev/tenant': 'pay' })).toBe('own');
  expect(ground('a', {})).toEqual({
    notOurs:
      'it exists, has no label tenantry.dev/adopt-by: pay, and is none of releasedNamespaces',
  });
  const going = namespace('a', { 'tenantry.dev/tenant': 'pay' }, true);
  expect(classifyNamespace('a', going, { tenant: 'pay', platform, policy: 'Heal' })).toBe(
    'terminating',
  );
});

test('an unowned namespace is adopted through a label for this tenant, under Heal; owned and protected ones never are', () => {
  const heir = { 'tenantry.dev/adopt-by': 'pay' };
  expect(ground('a', heir)).toBe('adopted');
  expect(ground('a', heir, 'Create')).toEqual({
    notOurs: 'Create adopts no namespaces; only Heal does',
  });
  expect(ground('a', { 'tenantry.dev/adopt-by': 'other' })).toHaveProperty('notOurs');
  expect(ground('a', { ...heir, 'tenantry.dev/tenant': 'other' })).toEqual({
    notOurs: 'its label names tenant other'.replace('’', "'"),
  });
  for (const name of ['kube-system', 'default', 'argocd', 'tenantry-system', 'cert-manager']) {
    expect(ground(name, { ...heir, 'tenantry.dev/tenant': 'pay' })).toHaveProperty('notOurs');
    expect(ground(name)).toHaveProperty('notOurs');
  }
});

test('an unowned namespace that the platform releases is adopted too, and one of another tenant is not', () => {
  const released = resolvePlatform({ releasedNamespaces: ['a'] });
  const groundThere = (labels: Readonly<Record<string, string>>, name = 'a') =>
    classifyNamespace(name, namespace(name, labels), {
      tenant: 'pay',
      platform: released,
      policy: 'Heal',
    });
  expect(groundThere({})).toBe('adopted');
  expect(groundThere({}, 'b')).toHaveProperty('notOurs');
  expect(groundThere({ 'tenantry.dev/tenant': 'other' })).toHaveProperty('notOurs');
});

test('no policy exceeds the allowed policy', () => {
  const all = ['Observe', 'Create', 'Heal'] as const;
  expect(all.map((asked) => all.map((most) => allowedPolicy(asked, most)))).toEqual([
    ['Observe', 'Observe', 'Observe'],
    ['Observe', 'Create', 'Create'],
    ['Observe', 'Create', 'Heal'],
  ]);
});
