import { expect, test } from '@jest/globals';
import { TenantClass } from '../../../operator/cluster/kinds.ts';
import { ConfigMap, LimitRange, ResourceQuota, ServiceAccount } from '@tenantry/runtime/kinds/core';
import { NetworkPolicy } from '@tenantry/runtime/kinds/networking';
import { Role, RoleBinding } from '@tenantry/runtime/kinds/rbac';
import { FaultyTenants } from './faulty-tenants.ts';

const apiGroup = 'rbac.authorization.k8s.io';
const user = (name: string) => ({ apiGroup, kind: 'User', name });
const group = (name: string) => ({ apiGroup, kind: 'Group', name });
const named = (name: string) => ({ namespace: 'acme', name });
const clusterRole = (name: string) => ({ apiGroup, kind: 'ClusterRole', name });

const undeclared = (given: FaultyTenants) =>
  (given.status?.undeclared ?? []).map(({ kind, name, field, givesAccess = false }) =>
    [kind, name, field, givesAccess ? 'gives access' : 'gives none'].filter(Boolean).join(' '),
  );

test('a manual binding to cluster-admin is reported with role, subjects and author, and the tenant is not ready', async () => {
  await using given = await FaultyTenants.begin();
  const subjects = [user('eve'), { kind: 'ServiceAccount', namespace: 'else', name: 'bot' }];
  given.api.create(RoleBinding, {
    metadata: named('root'),
    roleRef: clusterRole('cluster-admin'),
    subjects,
  });
  await given.pass(1);
  expect(given.ready).toBe('False UndeclaredAccess');
  expect(given.message).toBe(
    'access that nobody declared: RoleBinding acme/root gives ClusterRole cluster-admin to User eve, ServiceAccount else/bot',
  );
  expect(given.status?.undeclared).toEqual([
    expect.objectContaining({
      name: 'root',
      givesAccess: true,
      role: 'ClusterRole cluster-admin',
      subjects: ['User eve', 'ServiceAccount else/bot'],
      manager: 'somebody',
    }),
  ]);
  expect(given.status?.counts).toMatchObject({ undeclared: 1, undeclaredAccess: 1 });
  expect(given.events).toContainEqual(
    'Warning UndeclaredAccess: RoleBinding acme/root gives ClusterRole cluster-admin to User eve, ServiceAccount else/bot by somebody',
  );
  expect(given.value('tenantry_tenant_undeclared_access{tenant="acme"}')).toBe(1);
  given.api.delete(RoleBinding, named('root'));
  await given.pass(1);
  expect(given.ready).toBe('True AsDeclared');
});

test("an object that tenants' users may create leaves the tenant ready, and is reported", async () => {
  await using given = await FaultyTenants.begin();
  given.api.create(RoleBinding, {
    metadata: named('team'),
    roleRef: { apiGroup, kind: 'Role', name: 'deployer' },
    subjects: [group('team')],
  });
  given.api.create(NetworkPolicy, {
    metadata: named('within'),
    spec: { podSelector: {}, ingress: [{ from: [{ podSelector: {} }] }] },
  });
  await given.pass(1);
  expect(given.ready).toBe('True AsDeclared');
  expect(undeclared(given)).toEqual([
    'NetworkPolicy within gives none',
    'RoleBinding team gives none',
  ]);
  expect(given.events.filter((one) => one.startsWith('Warning Undeclared:'))).toHaveLength(1);
});

test.each([
  ['everybody', { ingress: [{}] }, 'ingress from everywhere; for all pods'],
  [
    'other namespaces',
    { ingress: [{ from: [{ namespaceSelector: {} }] }] },
    'ingress from {"namespaceSelector":{}}; for all pods',
  ],
  [
    'addresses',
    { ingress: [{ from: [{ ipBlock: { cidr: '0.0.0.0/0' } }] }] },
    'ingress from 0.0.0.0/0; for all pods',
  ],
])('a network policy that opens a tenant to %s gives access', async (_, spec, effect) => {
  await using given = await FaultyTenants.begin();
  given.api.create(NetworkPolicy, {
    metadata: named('open'),
    spec: { podSelector: {}, ...spec },
  } as never);
  await given.pass(1);
  expect(given.ready).toBe('False UndeclaredAccess');
  expect(given.status?.undeclared?.[0]).toMatchObject({ givesAccess: true, effect });
});

test('in a class that lets users bind any subject, no binding gives too much', async () => {
  await using given = await FaultyTenants.begin();
  given.api.patch(TenantClass, { name: 'standard' }, {
    spec: { selfService: { roleBindings: { policy: 'Disabled' } } },
  } as never);
  await given.pass(3);
  given.api.create(RoleBinding, {
    metadata: named('root'),
    roleRef: clusterRole('view'),
    subjects: [user('eve')],
  });
  await given.pass(1);
  expect(undeclared(given)).toEqual(['RoleBinding root gives none']);
});

test('a role with wildcards gives access, and one without is not reported', async () => {
  await using given = await FaultyTenants.begin();
  const rules = [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }];
  given.api.create(Role, { metadata: named('everything'), rules });
  given.api.create(Role, {
    metadata: named('escalating'),
    rules: [{ apiGroups: [apiGroup], resources: ['roles'], verbs: ['escalate'] }],
  });
  given.api.create(Role, {
    metadata: named('plain'),
    rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }],
  });
  await given.pass(1);
  expect(undeclared(given)).toEqual([
    'Role escalating gives access',
    'Role everything gives access',
  ]);
  expect(given.status?.undeclared?.[1]?.effect).toBe('* on *');
});

test('manual quotas and limits are reported with their limits, and those of a cloud provider are not', async () => {
  await using given = await FaultyTenants.begin();
  given.api.create(ResourceQuota, { metadata: named('stop'), spec: { hard: { pods: '0' } } });
  given.api.create(ResourceQuota, {
    metadata: named('gke-resource-quotas'),
    spec: { hard: { pods: '1500' } },
  });
  given.api.create(LimitRange, {
    metadata: named('tiny'),
    spec: { limits: [{ type: 'Pod', max: { cpu: '1m' } }] },
  });
  await given.pass(1);
  expect(given.ready).toBe('True AsDeclared');
  expect(given.status?.undeclared?.map(({ name, effect }) => [name, effect])).toEqual([
    ['tiny', 'limits: [{"type":"Pod","max":{"cpu":"1m"}}]'],
    ['stop', 'hard: {"pods":"0"}'],
  ]);
});

test('a cloud role on a service account is reported, and gives access if the account is declared', async () => {
  const spec = { serviceAccounts: [{ name: 'deployer' }] } as never;
  await using given = await FaultyTenants.begin({ spec });
  given.api.create(ServiceAccount, {
    metadata: { ...named('own'), annotations: { 'eks.amazonaws.com/role-arn': 'arn:aws:iam::1' } },
  });
  await given.pass(1);
  expect(undeclared(given)).toEqual([
    'ServiceAccount own metadata.annotations["eks.amazonaws.com/role-arn"] gives none',
  ]);
  expect(given.ready).toBe('True AsDeclared');
  const labels = { 'azure.workload.identity/use': 'true' };
  given.api.patch(ServiceAccount, named('deployer'), { metadata: { labels } });
  await given.pass(1);
  expect(undeclared(given)).toEqual([
    'ServiceAccount deployer metadata.labels["azure.workload.identity/use"] gives access',
    'ServiceAccount own metadata.annotations["eks.amazonaws.com/role-arn"] gives none',
  ]);
  expect(given.ready).toBe('False UndeclaredAccess');
});

test('an owner reference added to a declared object is reported with its consequence', async () => {
  await using given = await FaultyTenants.begin();
  const boom = given.api.create(ConfigMap, { metadata: named('boom') });
  const { uid } = boom.metadata;
  const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'boom', uid }];
  given.api.patch(NetworkPolicy, named('tenant-isolation'), { metadata: { ownerReferences } });
  await given.pass(1);
  expect(given.status?.undeclared).toEqual([
    expect.objectContaining({
      kind: 'NetworkPolicy',
      name: 'tenant-isolation',
      field: `metadata.ownerReferences[uid=${uid}]`,
      live: '"ConfigMap boom"',
      effect: 'deleted with ConfigMap boom',
      manager: 'somebody',
    }),
  ]);
});

test('a declared object that is being deleted behind a finalizer is drift, with its finalizers', async () => {
  await using given = await FaultyTenants.begin();
  const finalizers = ['example.com/hold'];
  given.api.patch(NetworkPolicy, named('tenant-isolation'), { metadata: { finalizers } });
  await given.pass(1);
  expect(given.ready).toBe('True AsDeclared');
  given.api.delete(NetworkPolicy, named('tenant-isolation'));
  await given.pass(1);
  expect(given.ready).toBe('False Drifted');
  expect(given.status?.drift?.map(({ type, field, live }) => [type, field, live])).toEqual([
    ['Extra', 'metadata.deletionTimestamp', expect.stringMatching(/^"2026-/)],
    ['Extra', 'metadata.finalizers', '["example.com/hold"]'],
  ]);
});

test('many harmless objects do not hide access, and an object that cannot be read completely counts as access', async () => {
  await using given = await FaultyTenants.begin();
  for (let i = 0; i < 40; i += 1) {
    given.api.create(RoleBinding, {
      metadata: named(`harmless-${i}`),
      roleRef: { apiGroup, kind: 'Role', name: 'any' },
    });
  }
  await given.managed.pass(2_000);
  given.deny('get rolebindings');
  given.api.create(RoleBinding, {
    metadata: named('huge'),
    roleRef: clusterRole('view'),
    subjects: Array.from({ length: 300 }, (_, i) => user(`user-with-a-long-name-${i}`)),
  });
  given.api.create(RoleBinding, {
    metadata: named('root'),
    roleRef: clusterRole('cluster-admin'),
    subjects: [user('eve')],
  });
  await given.pass(1);
  expect(undeclared(given).slice(0, 2).toSorted()).toEqual([
    'RoleBinding huge gives access',
    'RoleBinding root gives access',
  ]);
  expect(given.status?.counts).toMatchObject({ undeclared: 42, undeclaredAccess: 2 });
});
