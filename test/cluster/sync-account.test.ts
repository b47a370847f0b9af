import { expect } from '@jest/globals';
import type { TenantSpec } from '../../crds/tenant.ts';
import type { ClusterAccess } from '@tenantry/testing/controlplane/cluster';
import { toReference, type Body } from '@tenantry/testing/controlplane/objects';
import { sharedCluster, uniqueName } from '@tenantry/testing/test/controlplane/shared';
import { account, binding, refusedBy } from './people.ts';
import { deliver, reads, refusalOf, type LiveTenant } from './tenant.ts';

const given = await sharedCluster();
const { test } = given;
const repository = 'https://git.example.com/shop.git';
const klass = {
  allow: { sourceRepos: [repository] },
  defaults: { serviceAccounts: [{ name: 'platform' }] },
};
const impersonation = 'Enabled';

const object = (namespace: string, kind: string, more: object = {}): Body => ({
  apiVersion: 'v1',
  kind,
  metadata: { name: uniqueName('synced'), namespace },
  ...more,
});

/** Creates a tenant that deploys from a repository, and the client as which Argo CD syncs it. */
async function deployingTenant(cluster: ClusterAccess) {
  const spec: TenantSpec = { argocd: { sourceRepos: [repository] } };
  const tenant = await deliver(cluster, uniqueName('deploy'), spec, { klass, impersonation });
  // The server gives these groups to a client that impersonates a service account by name.
  const groups = ['system:serviceaccounts', 'system:serviceaccounts:tenantry-system'];
  const name = `system:serviceaccount:tenantry-system:sync.${tenant.name}`;
  const sync = cluster.user(name, { groups });
  await reads(sync, tenant.namespace);
  return { tenant, namespace: tenant.namespace, sync, spec };
}

test('a tenant’s commits are applied with the rights of its editors, and only in its namespaces', async () => {
  const { cluster } = given;
  const { namespace, sync } = await deployingTenant(cluster);
  const other = await deployingTenant(cluster);
  expect(await sync.create(object(namespace, 'ConfigMap'))).toMatchObject({ status: 201 });
  for (const place of [other.namespace, 'argocd', 'tenantry-system', 'default']) {
    expect(await sync.create(object(place, 'ConfigMap'))).toMatchObject({ status: 403 });
  }
  const outside = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: uniqueName('own') } };
  expect(await sync.create(outside)).toMatchObject({ status: 403 });
  for (const kind of ['ResourceQuota', 'LimitRange']) {
    expect(await sync.create(object(namespace, kind))).toMatchObject({ status: 403 });
  }
  const self = account('tenantry-system', `sync.${other.tenant.name}`);
  expect(await sync.create(binding(namespace, 'edit', [self]))).toMatchObject({ status: 403 });
});

test('a commit may do no more in a namespace than the tenant’s users', async () => {
  const { cluster } = given;
  const { tenant, namespace, sync } = await deployingTenant(cluster);
  const containers = [{ name: 'x', image: 'example.com/x:1' }];
  const pod = object(namespace, 'Pod', { spec: { nodeName: 'node-1', containers } });
  expect(await sync.create(pod)).toMatchObject(refusedBy('pods', 'nodeName'));
  const spec = { ports: [{ port: 80 }], externalIPs: ['192.0.2.1'] };
  expect(await sync.create(object(namespace, 'Service', { spec }))).toMatchObject(
    refusedBy('services', 'must have no externalIPs'),
  );
  const platforms = tenant.objects.find(({ kind }) => kind === 'ServiceAccount')!;
  const patch = { metadata: { annotations: { 'example.com/role': 'admin' } } };
  expect(await sync.patch(toReference(platforms), patch)).toMatchObject(refusalOf(tenant.name));
});

test("a tenant's users cannot bind the account of any tenant, not even their own", async () => {
  const { cluster } = given;
  const { tenant } = await deployingTenant(cluster);
  const subjects = tenant.objects
    .filter(({ kind }) => kind === 'Namespace')
    .map(({ metadata }) => metadata?.annotations?.['policy.tenantry.dev/subjects'] ?? '');
  expect(subjects).toHaveLength(1);
  expect(subjects.join('\n')).not.toContain('sync.');
});

test('a suspended tenant has no sync account, and a resumed one has it again', async () => {
  const { cluster } = given;
  const { tenant, namespace, sync, spec } = await deployingTenant(cluster);
  const settle = (before: LiveTenant, more: TenantSpec) =>
    deliver(cluster, tenant.name, { ...spec, ...more }, { klass, impersonation, before });
  const suspended = await settle(tenant, { lifecycle: 'Suspended' });
  await reads(sync, namespace, false);
  await settle(suspended, {});
  await reads(sync, namespace);
});
