import { afterAll, expect } from '@jest/globals';
import { Fleet } from '../../model/fleet.ts';
import { crdManifest } from '@tenantry/crd/definition';
import type { TenantSpec } from '../../crds/types.ts';
import { tenant } from '../../crds/tenant.ts';
import { tenantClass } from '../../crds/tenant-class.ts';
import { Tenant, TenantClass } from '../../operator/cluster/kinds.ts';
import type { Client } from '@tenantry/runtime/client/client';
import { systemClock } from '@tenantry/runtime/clock/clock';
import { findCondition } from '@tenantry/runtime/conditions/conditions';
import { CustomResourceDefinition } from '@tenantry/runtime/kinds/apiextensions';
import { Namespace, ResourceQuota } from '@tenantry/runtime/kinds/core';
import { NetworkPolicy } from '@tenantry/runtime/kinds/networking';
import { RoleBinding } from '@tenantry/runtime/kinds/rbac';
import { leaseElection } from '@tenantry/runtime/leader/lease-election';
import type { ClusterAccess } from '@tenantry/testing/controlplane/cluster';
import { isWatch, isWrite, of } from '@tenantry/testing/faults/requests';
import { until } from '@tenantry/testing/waiting/until';
import { clientOf, closeClients } from '../examples/operator.ts';
import { platform } from '../operator/given.ts';
import type { OperatorProps } from '../soak/operator.ts';
import { mapConcurrently } from '@tenantry/testing/test/controlplane/map-concurrently';
import { ownClusters } from '@tenantry/testing/test/controlplane/shared';
import { serve } from './crds.ts';
import { operatorOn, type ProxiedOperator } from './proxied-operator.ts';
import { untilAtRest } from './rest.ts';

const isLong = process.env['TENANTRY_LONG'] === '1';
const given = await ownClusters();
afterAll(closeClients);

const group = 'rbac.authorization.k8s.io';
const standard = { defaults: { quota: { hard: { pods: 10 } } } };
const admins = { access: { admins: { groups: ['team'] } } };

async function install({ admin }: ClusterAccess): Promise<void> {
  for (const one of [tenant, tenantClass]) await serve(admin, crdManifest(one));
  await clientOf(admin).create(TenantClass, { metadata: { name: 'standard' }, spec: standard });
}

/** Creates a Tenant and its declared objects, as Argo CD does. */
async function declare({ admin }: ClusterAccess, name: string, spec: TenantSpec = admins) {
  await clientOf(admin).create(Tenant, { metadata: { name }, spec });
  const fleet = new Fleet(platform);
  fleet.classes.add({ name: 'standard', spec: standard });
  for (const { objects } of fleet.desired({ name, spec }).namespaces) {
    for (const object of objects) {
      const { status } = await admin.apply(object, { fieldManager: 'argocd-controller' });
      expect(status).toBeLessThan(300);
    }
  }
}

const readyOf = async (client: Client, name: string): Promise<string> => {
  const { status, metadata } = await client.get(Tenant, { name });
  const isNow = status?.observedGeneration === metadata.generation;
  return `${findCondition(status?.conditions, 'Ready')?.reason}${isNow ? '' : ' of before'}`;
};

/** Waits until `Ready` of the Tenant has this reason. */
async function waitForReady(client: Client, name: string, reason: string): Promise<void> {
  let last = '';
  await until(
    `Ready of ${name} has the reason ${reason}`,
    async () => (last = await readyOf(client, name)) === reason,
  ).catch((error: unknown) => {
    throw new Error(`${String(error)}: ${last}`);
  });
}

const hardOf = (client: Client, name: string, pods: number): Promise<unknown> =>
  client.patch(
    ResourceQuota,
    { namespace: name, name: 'tenant-quota' },
    { spec: { hard: { pods: `${pods}` } } },
  );

/** Waits until the current drift of the quota is reported. */
const waitForDrift = (client: Client, name: string, pods: number): Promise<unknown> =>
  until(`the drift of ${name} shows ${pods} pods`, async () =>
    (await client.get(Tenant, { name })).status?.drift?.some(
      ({ field, live }) => field === 'spec.hard.pods' && live === `"${pods}"`,
    ),
  );

const expired = JSON.stringify({
  type: 'ERROR',
  object: { kind: 'Status', status: 'Failure', code: 410, reason: 'Expired' },
});

given.test(
  'without the definitions the operator waits, and recreating them deletes nothing of a tenant and restores the statuses',
  async () => {
    await using cluster = await given.newCluster();
    const client = clientOf(cluster.admin);
    await using running = await operatorOn(cluster);
    running.operator.start();
    await until('the operator requests Tenants', () =>
      running.proxy.received.some(({ url }) => url.includes('/tenants')),
    );
    await install(cluster);
    await declare(cluster, 'acme');
    await waitForReady(client, 'acme', 'AsDeclared');
    const { uid } = (await client.get(Namespace, { name: 'acme' })).metadata;
    await client.delete(CustomResourceDefinition, { name: 'tenants.tenantry.dev' });
    await until('the definition is gone', async () =>
      (await client.list(CustomResourceDefinition)).items.every(
        ({ metadata }) => metadata.name !== 'tenants.tenantry.dev',
      ),
    );
    await serve(cluster.admin, crdManifest(tenant));
    await until('Tenants can be created', () =>
      client.create(Tenant, { metadata: { name: 'acme' }, spec: admins }).then(
        () => true,
        () => false,
      ),
    );
    await waitForReady(client, 'acme', 'AsDeclared');
    expect((await client.get(Namespace, { name: 'acme' })).metadata.uid).toBe(uid);
    expect(
      await client.get(ResourceQuota, { namespace: 'acme', name: 'tenant-quota' }),
    ).toBeDefined();
    expect(running.operator.problems).toEqual([]);
  },
);

given.test(
  'statuses are right after an API server outage, a storm of cut watches, an expired version and crashes during writes',
  async () => {
    await using cluster = await given.newCluster();
    const client = clientOf(cluster.admin);
    await install(cluster);
    for (const name of ['acme', 'bolt']) await declare(cluster, name);
    await using running = await operatorOn(cluster);
    const { operator, proxy } = running;
    operator.start();
    for (const name of ['acme', 'bolt']) await waitForReady(client, name, 'AsDeclared');

    const back = proxy.always({ kind: 'reset' });
    proxy.cut();
    await hardOf(client, 'acme', 21);
    await until('all connections are closed', () => proxy.open() === 0);
    await systemClock.sleep(3000);
    back();
    await waitForDrift(client, 'acme', 21);

    for (let pods = 30; pods <= 60; pods += 1) {
      await hardOf(client, 'acme', pods);
      if (pods % 10 === 5) proxy.cut(isWatch);
    }
    await waitForDrift(client, 'acme', 60);

    proxy.insert(`${expired}\n`, isWatch);
    await hardOf(client, 'acme', 61);
    await waitForDrift(client, 'acme', 61);

    for (const [i, at] of (['before', 'after'] as const).entries()) {
      const met = proxy.next({ kind: 'crash', at }, isWrite);
      await hardOf(client, 'acme', 70 + i);
      await met;
      await operator.crashed();
      await waitForDrift(client, 'acme', 70 + i);
    }
    await hardOf(client, 'acme', 10);
    for (const name of ['acme', 'bolt']) await waitForReady(client, name, 'AsDeclared');
    const writes = proxy.received.filter(isWrite);
    const allowed = /\/tenants\/(acme|bolt)\/status|\/events(\/|\?|$)/;
    expect(writes.filter(({ url }) => !allowed.test(url))).toEqual([]);
    expect(operator.problems).toEqual([]);
  },
);

given.test(
  'drift that opens a tenant is reported although objects cannot be read, and with its author once they can',
  async () => {
    await using cluster = await given.newCluster();
    const client = clientOf(cluster.admin);
    await install(cluster);
    await declare(cluster, 'acme');
    await using running = await operatorOn(cluster);
    running.operator.start();
    await waitForReady(client, 'acme', 'AsDeclared');
    const isolation = { namespace: 'acme', name: 'tenant-isolation' };
    const isOne = of(
      NetworkPolicy,
      ({ method, url }) => method === 'GET' && /acme\/network/.test(url),
    );
    const giveBack = running.proxy.always(
      { kind: 'refuse', status: 403, reason: 'Forbidden' },
      isOne,
    );
    await client.patch(NetworkPolicy, isolation, { spec: { ingress: [{}] } } as never, {
      fieldManager: 'kubectl-edit',
    });
    await waitForReady(client, 'acme', 'Drifted');
    const [unread] = (await client.get(Tenant, { name: 'acme' })).status?.drift ?? [];
    expect(unread).toMatchObject({ type: 'Changed', kind: 'NetworkPolicy', name: isolation.name });
    expect(unread).not.toHaveProperty('manager');
    giveBack();
    await until('the author is reported', async () =>
      (await client.get(Tenant, { name: 'acme' })).status?.drift?.some(
        ({ manager }) => manager === 'kubectl-edit',
      ),
    );

    await client.create(RoleBinding, {
      metadata: { namespace: 'acme', name: 'root' },
      roleRef: { apiGroup: group, kind: 'ClusterRole', name: 'cluster-admin' },
      subjects: [{ apiGroup: group, kind: 'User', name: 'eve' }],
    });
    await until('access is reported with its role', async () =>
      (await client.get(Tenant, { name: 'acme' })).status?.undeclared?.some(
        ({ givesAccess, role }) => givesAccess && role === 'ClusterRole cluster-admin',
      ),
    );
    expect(running.operator.problems).toEqual([]);
  },
);

given.test(
  'only one of two replicas writes, and the other one reports the current state once the first is gone',
  async () => {
    await using cluster = await given.newCluster();
    const client = clientOf(cluster.admin);
    await install(cluster);
    await declare(cluster, 'acme');
    const lease = { name: 'tenantry', namespace: 'default' };
    const leaderElection: OperatorProps['leaderElection'] = (deps) =>
      leaseElection({ ...deps, lease });
    await using one = await operatorOn(cluster, { leaderElection });
    await using other = await operatorOn(cluster, { leaderElection });
    const statusWrites = ({ proxy }: ProxiedOperator) =>
      proxy.received.filter(of(Tenant, isWrite)).length;
    one.operator.start();
    await waitForReady(client, 'acme', 'AsDeclared');
    other.operator.start();
    await hardOf(client, 'acme', 21);
    await waitForDrift(client, 'acme', 21);
    expect(statusWrites(other)).toBe(0);
    one.proxy.crash();
    await hardOf(client, 'acme', 22);
    await waitForDrift(client, 'acme', 22);
    expect(statusWrites(other)).toBeGreaterThan(0);
  },
);

given.test(
  'endless names, foreign namespaces and stripped labels are reported, and keep no status from being written',
  async () => {
    await using cluster = await given.newCluster();
    const client = clientOf(cluster.admin);
    await install(cluster);
    await declare(cluster, 'acme');
    await using running = await operatorOn(cluster);
    running.operator.start();
    await waitForReady(client, 'acme', 'AsDeclared');

    const long = 'a'.repeat(600);
    const undeclaredSubject = { apiGroup: group, kind: 'User', name: long };
    const roleRef = { apiGroup: group, kind: 'ClusterRole', name: 'view' };
    const { items } = await client.list(RoleBinding, { namespace: 'acme' });
    const { name } = items[0]!.metadata;
    await client.create(RoleBinding, { metadata: { name: long, namespace: 'acme' }, roleRef });
    await client.patch(RoleBinding, { namespace: 'acme', name }, {
      subjects: [...(items[0]!.subjects ?? []), undeclaredSubject],
    } as never);
    const { status } = await until('both are reported', async () => {
      const now = await client.get(Tenant, { name: 'acme' });
      return now.status?.drift && now.status.undeclared && now;
    });
    expect(status?.drift?.[0]).toMatchObject({ type: 'Extra', kind: 'RoleBinding', name });
    expect(status?.undeclared?.[0]?.name).toMatch(/^a{252}…$/);

    await client.patch(Namespace, { name: 'acme' }, {
      metadata: { labels: { 'tenantry.dev/tenant': null } },
    } as never);
    await until('the stripped label is reported', async () =>
      (await client.get(Tenant, { name: 'acme' })).status?.drift?.some(
        ({ kind, field }) =>
          kind === 'Namespace' && field === 'metadata.labels["tenantry.dev/tenant"]',
      ),
    );
    for (const [claimant, namespace] of [
      ['system', 'kube-system'],
      ['own', platform.operatorNamespace],
      ['argo', platform.argocdNamespace],
    ] as const) {
      const spec = { namespaces: [{ name: namespace }] };
      await client.create(Tenant, { metadata: { name: claimant }, spec });
      await waitForReady(client, claimant, 'Refused');
    }
    await client.create(Tenant, {
      metadata: { name: 'thief' },
      spec: { namespaces: [{ name: 'acme' }] },
    });
    await waitForReady(client, 'thief', 'NamespaceTaken');
    expect(await readyOf(client, 'acme')).toBe('Drifted');
  },
);

given.test(
  'a storm of edits and a class of many tenants are reported correctly, and nothing is written after that',
  async () => {
    await using cluster = await given.newCluster();
    const client = clientOf(cluster.admin);
    await install(cluster);
    const names = Array.from({ length: isLong ? 1000 : 60 }, (_, i) => `t${i}`);
    await mapConcurrently(names, (name) => client.create(Tenant, { metadata: { name }, spec: {} }));
    await using running = await operatorOn(cluster);
    const { operator, proxy } = running;
    operator.start();
    const allSay = (total: number): Promise<unknown> =>
      until(
        `all tenants are compared, with ${total} objects missing`,
        async () =>
          (await client.list(Tenant)).items.every(
            ({ status, metadata }) =>
              status?.observedGeneration === metadata.generation &&
              status?.counts?.driftedObjects === total,
          ),
        { within: 120_000 },
      );
    const declaredIn = (spec: object): number => {
      const fleet = new Fleet(platform);
      fleet.classes.add({ name: 'standard', spec });
      return fleet.desired({ name: 't0', spec: {} }).namespaces[0]!.objects.length;
    };
    await allSay(declaredIn(standard));

    for (let pods = 1; pods <= 150; pods += 1) {
      const patch = { spec: { quota: { hard: { pods } } } };
      const beat = systemClock.sleep(20);
      await client.patch(Tenant, { name: 't0' }, patch);
      await beat;
    }
    await allSay(declaredIn(standard));

    const edited = { defaults: { ...standard.defaults, ...admins } };
    await client.patch(TenantClass, { name: 'standard' }, { spec: edited } as never);
    expect(declaredIn(edited)).toBeGreaterThan(declaredIn(standard));
    await allSay(declaredIn(edited));

    const written = await untilAtRest({ cluster, proxy, lasting: 10_000 });
    expect(written).toBeGreaterThan(3 * names.length);
    expect(operator.problems).toEqual([]);
  },
);
