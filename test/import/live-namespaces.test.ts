import { expect, test } from '@jest/globals';
import { importObjects } from '../../import/import-manifests.ts';
import { selectNamespaces } from '../../import/live-namespaces.ts';
import type { FoundObject, LiveFacts } from '../../import/manifests.ts';

const namespace = (name: string, labels = {}, live: LiveFacts = {}): FoundObject => ({
  object: { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } },
  live,
});

const account = (namespace: string, name: string, live: LiveFacts = {}): FoundObject => ({
  object: { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace } },
  live,
});

const parts = (found: readonly FoundObject[]) =>
  found.map(({ object: { metadata } }) => `${metadata.namespace ?? ''}/${metadata.name}`);

const team = (value: string) => ({ team: value });

test('selected namespaces are imported with their objects, and excluded ones are named by their reason', () => {
  const found = [
    namespace('kube-system', team('a')),
    namespace('shop', team('a')),
    namespace('done', team('a'), { isTerminating: true }),
    namespace('ours', { ...team('a'), 'tenantry.dev/tenant': 'ours' }),
    namespace('other', team('b')),
    account('shop', 'ci'),
    account('kube-system', 'ci'),
    account('other', 'ci'),
  ];
  const selector = { matchLabels: team('a') };
  const { objects, existing, excluded } = selectNamespaces(found, {
    selector,
    platform: undefined,
  });
  expect(parts(objects)).toEqual(['/shop', 'shop/ci']);
  expect([...existing]).toEqual(['kube-system', 'shop', 'done', 'ours', 'other']);
  expect(excluded).toEqual([
    { reason: 'they are protected (kube-*)', namespaces: ['kube-system'] },
    { reason: 'they are being deleted', namespaces: ['done'] },
    { reason: 'they belong to tenants already', namespaces: ['ours'] },
  ]);
});

const helm = (release: string): LiveFacts => ({
  manager: { id: `helm:${release}`, name: `the Helm release ${release}` },
});

const rbac = (kind: string, name: string, more: object, live: LiveFacts = {}): FoundObject => ({
  object: {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind,
    metadata: { name, namespace: 'shop' },
    ...more,
  },
  live,
});

test('nothing is reported as missing or probably wrong that others manage', () => {
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'redis' };
  const subjects = [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: 'shop' }];
  const objects = [
    namespace('shop'),
    rbac('Role', 'redis', { rules: [] }, helm('shop/redis')),
    rbac('Role', 'unbound', { rules: [] }, helm('shop/redis')),
    rbac('RoleBinding', 'mine', { roleRef, subjects }),
  ];
  const choices = { className: 'c', cluster: 'eu1', pinned: new Map<string, string>() };
  const { observations, proof } = importObjects({ objects, others: [], problems: [] }, choices);
  expect(observations).toEqual([]);
  expect(proof.objects.find(({ found }) => found.object.metadata.name === 'mine')).toMatchObject({
    verdict: 'left-out',
    reason: "it binds the Role 'redis', which is not imported",
  });
});

const verdicts = (objects: readonly FoundObject[], managedBy: readonly string[] = []) => {
  const choices = { className: 'c', cluster: 'eu1', pinned: new Map<string, string>() };
  const source = { objects, others: [], problems: [] };
  const { proof } = importObjects(source, choices, { existing: new Set(), managedBy });
  return Object.fromEntries(
    proof.objects.map((one) => [
      one.found.object.metadata.name,
      one.verdict === 'left-out' ? one.reason : one.verdict,
    ]),
  );
};

test('the manager of the Namespace is the platform, and objects of others are left out by their name', () => {
  const objects = [
    namespace('shop', {}, helm('platform/shop')),
    account('shop', 'same', helm('platform/shop')),
    account('shop', 'people'),
    account('shop', 'redis', helm('shop/redis')),
    account('shop', 'deep', { fault: 'it cannot be read: it is nested too deep' }),
  ];
  expect(verdicts(objects)).toEqual({
    deep: 'it cannot be read: it is nested too deep',
    shop: 'equal',
    same: 'equal',
    people: 'equal',
    redis: 'the Helm release shop/redis manages it',
  });
  expect(verdicts(objects, ['helm:*/redis'])).toMatchObject({ redis: 'equal' });
  // A release is that of the Namespace in one namespace only.
  const elsewhere = account('shop', 'redis', helm('platform/shop'));
  expect(verdicts([namespace('shop'), elsewhere])).toMatchObject({
    redis: 'the Helm release platform/shop manages it',
  });
});
