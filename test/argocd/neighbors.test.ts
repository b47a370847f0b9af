import { expect } from '@jest/globals';
import type { Body, ObjectReference } from '@tenantry/testing/controlplane/objects';
import { until } from '@tenantry/testing/waiting/until';
import { tenant } from '../cli/project.ts';
import { argoCdTests } from './tests.ts';
import { sharedWorld } from './world.ts';

const given = await argoCdTests();
const { test } = given;

const shop = (users: readonly string[]) => ({
  'tenants/shop.yaml': tenant('shop', { access: { editors: { users } } }),
});
const bank = { 'tenants/bank.yaml': tenant('bank', { access: { editors: { users: ['bea'] } } }) };

const worldOf = sharedWorld(given, () => ({ files: { ...shop(['alice', 'bob']), ...bank } }));

const RBAC = 'rbac.authorization.k8s.io';
const tenants = ['eu1.shop', 'eu1.bank'];

/** An object that Argo CD would count as a part of an Application if its project allowed that. */
const forged = (application: string, name: string): Body => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: {
    name,
    namespace: 'bank',
    annotations: {
      'argocd.argoproj.io/tracking-id': `${application}:/ConfigMap:bank/${name}`,
      'argocd.argoproj.io/sync-options': 'Prune=confirm',
    },
  },
});

test('an object in another tenant’s namespace blocks no Application, even if it bypassed the admission policy', async () => {
  const { argoCd, cluster, company, seen } = await worldOf();
  await argoCd.refresh(tenants);
  for (const name of tenants) await argoCd.untilTenantSettled(name, company.git.head);
  await seen.expectMay('shop', ['alice', 'bob']);

  const applications = ['eu1.shop', 'eu1.shop.tenantry.rbac', 'eu1.shop.tenantry.resources'];
  for (const [i, application] of applications.entries()) {
    const { status } = await cluster.admin.create(forged(application, `forged-${i}`));
    expect(status).toBe(201);
  }
  const revoked = await company.merge('Revoke bob', shop(['alice']));
  await argoCd.refresh(tenants);
  await seen.expectMay('shop', ['alice']);
  await argoCd.untilTenantSettled('eu1.shop', revoked);
  for (const [i] of applications.entries()) {
    const reference = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      namespace: 'bank',
      name: `forged-${i}`,
    };
    expect((await cluster.admin.get(reference)).status).toBe(200);
  }
});

test('a file in a tenant’s folder gives nobody access to another tenant, in any part of the folder', async () => {
  const { argoCd, cluster, company } = await worldOf();
  const stray = (namespace: string): string =>
    JSON.stringify({
      apiVersion: `${RBAC}/v1`,
      kind: 'RoleBinding',
      metadata: { name: 'mallory', namespace },
      roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name: 'admin' },
      subjects: [{ apiGroup: RBAC, kind: 'User', name: 'mallory' }],
    });
  const folder = 'dist/clusters/eu1/tenants/shop';
  const parts = { '': '', 'rbac/': '.tenantry.rbac', 'resources/': '.tenantry.resources' };
  for (const [part, suffix] of Object.entries(parts)) {
    company.git.commit('Stray', { [`${folder}/${part}stray.yaml`]: stray('bank') });
    await argoCd.refresh(tenants);
    const { status } = await argoCd.untilApplication(
      'it refuses the file',
      `eu1.shop${suffix}`,
      (one) => /not permitted in project/.test(one.status?.operationState?.message ?? ''),
    );
    expect(status!.operationState!.message).toContain('bank');
    const binding: ObjectReference = {
      apiVersion: `${RBAC}/v1`,
      kind: 'RoleBinding',
      namespace: 'bank',
      name: 'mallory',
    };
    expect((await cluster.admin.get(binding)).status).toBe(404);
    company.git.commit('No stray', { [`${folder}/${part}stray.yaml`]: undefined });
  }
  await argoCd.refresh(tenants);
  await until('all is well again', async () => {
    await argoCd.untilTenantSettled('eu1.shop');
    return true;
  });
});

test('a revocation in one tenant takes effect even if the same commit gives the same access in another', async () => {
  const { argoCd, company, seen } = await worldOf();
  await company.merge('Give alice access', shop(['alice']));
  await argoCd.refresh(tenants);
  await seen.expectMay('shop', ['alice']);
  // To Git the files of the one are renamed to those of the other.
  const moved = await company.merge('Move alice', {
    'tenants/shop.yaml': tenant('shop', { namespaces: [{ name: 'shop' }] }),
    'tenants/twin.yaml': tenant('twin', { access: { editors: { users: ['alice'] } } }),
  });
  await argoCd.refresh([...tenants, 'eu1.twin']);
  await seen.expectMay('shop', []);
  await argoCd.untilTenantSettled('eu1.shop', moved);
  await seen.expectMay('twin', ['alice']);
});
