import { afterAll, expect } from '@jest/globals';
import { TENANT_LABEL } from '@tenantry/kube/cascade-root';
import { tenantController } from '../../operator/tenant/tenant-controller.ts';
import { findCondition } from '@tenantry/runtime/conditions/conditions';
import type { Client } from '@tenantry/runtime/client/client';
import { Namespace, ResourceQuota } from '@tenantry/runtime/kinds/core';
import type { Live } from '@tenantry/runtime/kinds/kind';
import { RoleBinding } from '@tenantry/runtime/kinds/rbac';
import { until } from '@tenantry/testing/waiting/until';
import { clientOf, closeClients, runAs } from '../examples/operator.ts';
import { ownClusters } from '@tenantry/testing/test/controlplane/shared';
import { Tenant, TenantClass } from '../../operator/cluster/kinds.ts';
import { platform as somePlatform } from '../operator/given.ts';
import { crdManifest } from '@tenantry/crd/definition';
import { tenant as tenantKind } from '../../crds/tenant.ts';
import { tenantClass } from '../../crds/tenant-class.ts';
import { serve } from './crds.ts';
import { Fleet } from '../../model/fleet.ts';
import { applyDist, ownPlatform } from './tenants.ts';

const given = await ownClusters();
const { test } = given;
afterAll(closeClients);

const statusOf = async (client: Client, name: string) =>
  (await client.get(Tenant, { name })).status;

const readiness = ({ metadata: { name, generation }, status }: Live<typeof Tenant>): string => {
  const ready = findCondition(status?.conditions, 'Ready');
  const isNow = status?.observedGeneration === generation;
  return `${name} ${isNow ? ready?.status : 'waits'} ${ready?.reason} ${ready?.message}`;
};

test('objects applied from Git have no drift, and a manual change is reported by field and field manager', async () => {
  await using cluster = await given.newCluster();
  await applyDist(cluster.admin, 'fra1');
  const admin = clientOf(cluster.admin);
  const operator = runAs(
    cluster.admin,
    tenantController({ platform: ownPlatform(), cluster: 'fra1' }),
  );
  try {
    const all = await until('all tenants are compared', async () => {
      const { items } = await admin.list(Tenant);
      return items.every(({ status }) => status !== undefined) && items;
    });
    expect(all.map(readiness).filter((one) => !one.includes(' True '))).toEqual([]);
    expect(all.map(({ status }) => status?.drift).filter(Boolean)).toEqual([]);

    const quotas = await admin.list(ResourceQuota, { labelSelector: TENANT_LABEL });
    const quota = quotas.items.find(({ spec }) => spec?.hard?.['pods'] !== undefined)!;
    const { name, namespace, labels } = quota.metadata;
    const tenant = labels![TENANT_LABEL]!;
    await admin.patch(
      ResourceQuota,
      { name, namespace },
      { spec: { hard: { pods: '999', 'count/jobs.batch': '7' } } },
      { fieldManager: 'kubectl-edit' },
    );
    const status = await until('the drift is reported', async () => {
      const now = await statusOf(admin, tenant);
      return now?.drift !== undefined && now;
    });
    const hand = { kind: 'ResourceQuota', namespace, name, manager: 'kubectl-edit' };
    expect(status.drift).toEqual([
      expect.objectContaining({ ...hand, type: 'Changed', field: 'spec.hard.pods', live: '"999"' }),
      expect.objectContaining({ ...hand, type: 'Extra', field: 'spec.hard["count/jobs.batch"]' }),
    ]);
    expect(findCondition(status.conditions, 'Drifted')?.status).toBe('True');

    const bindings = await admin.list(RoleBinding, { labelSelector: `${TENANT_LABEL}=${tenant}` });
    const binding = bindings.items[0]!;
    await admin.delete(RoleBinding, binding.metadata);
    await until('the missing binding is reported', async () =>
      (await statusOf(admin, tenant))?.drift?.some(
        ({ type, kind, name }) =>
          type === 'Missing' && kind === 'RoleBinding' && name === binding.metadata.name,
      ),
    );
    const { managedFields: _, resourceVersion: __, uid: ___, ...metadata } = binding.metadata;
    await admin.create(RoleBinding, { ...binding, metadata });
    await admin.patch(ResourceQuota, { name, namespace }, { spec: { hard: quota.spec!.hard! } });
    await admin.patch(ResourceQuota, { name, namespace }, {
      spec: { hard: { 'count/jobs.batch': null } },
    } as never);
    await until('all is well again', async () => {
      const now = await statusOf(admin, tenant);
      return findCondition(now?.conditions, 'Ready')?.status === 'True' && now?.drift === undefined;
    });
    expect(await admin.get(Namespace, { name: namespace! })).toBeDefined();
  } finally {
    await operator.stop();
  }
});

test('changes while the operator is down: a class change is rolling out, a manual change is drift, and keys of a Namespace are reported', async () => {
  await using cluster = await given.newCluster();
  for (const one of [tenantKind, tenantClass]) await serve(cluster.admin, crdManifest(one));
  const admin = clientOf(cluster.admin);
  const start = () =>
    runAs(cluster.admin, tenantController({ platform: somePlatform, cluster: 'eu' }));
  const declare = async (pods: number): Promise<void> => {
    const fleet = new Fleet(somePlatform);
    fleet.classes.add({ name: 'standard', spec: classOf(pods) });
    for (const name of ['acme', 'bolt']) {
      for (const { objects } of fleet.desired({ name, spec: {} }).namespaces) {
        for (const object of objects) {
          await cluster.admin.apply(object, { fieldManager: 'argocd-controller' });
        }
      }
    }
  };
  const waitForReady = async (name: string, reason: string): Promise<void> => {
    await until(`${name} reports ${reason}`, async () => {
      const { conditions } = (await statusOf(admin, name)) ?? {};
      return findCondition(conditions, 'Ready')?.reason === reason;
    });
  };
  const metadata = { name: 'standard' };
  await admin.create(TenantClass, { metadata, spec: classOf(10) });
  for (const name of ['acme', 'bolt']) await admin.create(Tenant, { metadata: { name }, spec: {} });
  await declare(10);
  const first = start();
  await waitForReady('acme', 'AsDeclared');
  await waitForReady('bolt', 'AsDeclared');
  await admin.patch(
    Namespace,
    { name: 'acme' },
    { metadata: { labels: { 'istio-injection': 'enabled' } } },
    { fieldManager: 'kubectl-label' },
  );
  const key = await until(
    'the key is reported',
    async () => (await statusOf(admin, 'acme'))?.undeclared,
  );
  expect(key).toEqual([
    expect.objectContaining({
      kind: 'Namespace',
      field: 'metadata.labels.istio-injection',
      live: '"enabled"',
      manager: 'kubectl-label',
    }),
  ]);
  const quota = { name: 'tenant-quota', namespace: 'bolt' };
  await admin.patch(ResourceQuota, quota, { spec: { hard: { pods: '99' } } });
  await waitForReady('bolt', 'Drifted');
  await first.stop();

  await admin.patch(TenantClass, metadata, { spec: classOf(20) });
  const second = start();
  try {
    await waitForReady('acme', 'RollingOut');
    await until('bolt is compared', async () =>
      (await statusOf(admin, 'bolt'))?.drift?.some(({ desired }) => desired === '"20"'),
    );
    await waitForReady('bolt', 'Drifted');
    await declare(20);
    await waitForReady('acme', 'AsDeclared');
  } finally {
    await second.stop();
  }
});

const classOf = (pods: number) => ({ defaults: { quota: { hard: { pods } } } });
