import { expect } from '@jest/globals';
import type { TenantSpec } from '../../crds/tenantry/tenant.ts';
import type { ClusterAccess } from '../../testing/controlplane/access.ts';
import { toReference, type Body } from '../../testing/controlplane/objects.ts';
import { sharedCluster, uniqueName } from '../testing/controlplane/shared.ts';
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

/** A tenant that deploys from a repository, and who Argo CD is when it does. */
async function deployingTenant(cluster: ClusterAccess) {
  const spec: TenantSpec = { argocd: { sourceRepos: [repository] } };
  const tenant = await deliver(cluster, uniqueName('deploy'), spec, { klass, impersonation });
  // Whom a client impersonates by the name of a service account, the server gives these groups.
  const groups = ['system:serviceaccounts', 'system:serviceaccounts:tenantry-system'];
  const name = `system:serviceaccount:tenantry-system:sync.${tenant.name}`;
  const sync = cluster.user(name, { groups });
  await reads(sync, tenant.namespace);
  return { tenant, namespace: tenant.namespace, sync, spec };
}

test('what a tenant commits is written with the rights of its editors, into its namespaces alone', async () => {
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

test('what people may not do in a namespace, a commit may not do either', async () => {
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

test("a tenant's people bind the account of no tenant, their own neither", async () => {
  const { cluster } = given;
  const { tenant } = await deployingTenant(cluster);
  const subjects = tenant.objects
    .filter(({ kind }) => kind === 'Namespace')
    .map(({ metadata }) => metadata?.annotations?.['policy.tenantry.dev/subjects'] ?? '');
  expect(subjects).toHaveLength(1);
  expect(subjects.join('\n')).not.toContain('sync.');
});

test('a tenant that is suspended has no account that syncs, and one that comes back has', async () => {
  const { cluster } = given;
  const { tenant, namespace, sync, spec } = await deployingTenant(cluster);
  const settle = (before: LiveTenant, more: TenantSpec) =>
    deliver(cluster, tenant.name, { ...spec, ...more }, { klass, impersonation, before });
  const suspended = await settle(tenant, { lifecycle: 'Suspended' });
  await reads(sync, namespace, false);
  await settle(suspended, {});
  await reads(sync, namespace);
});
