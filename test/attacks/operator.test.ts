import { afterAll, expect } from '@jest/globals';
import { resolvePlatform } from '../../model/platform.ts';
import { crdManifest } from '@tenantry/crd/definition';
import { tenantClass } from '../../crds/tenant-class.ts';
import { tenant as tenantDefinition } from '../../crds/tenant.ts';
import type { TenantSpec } from '../../crds/types.ts';
import { TENANT_LABEL } from '@tenantry/kube/cascade-root';
import { Tenant, TenantClass } from '../../operator/cluster/kinds.ts';
import { tenantController } from '../../operator/tenant/tenant-controller.ts';
import type { Client } from '@tenantry/runtime/client/client';
import { findCondition } from '@tenantry/runtime/conditions/conditions';
import { Namespace, ResourceQuota } from '@tenantry/runtime/kinds/core';
import { RoleBinding } from '@tenantry/runtime/kinds/rbac';
import type { OwnCluster } from '@tenantry/testing/test/controlplane/lender';
import { until } from '@tenantry/testing/waiting/until';
import {
  applyManifests,
  clientOf,
  closeClients,
  runAs,
  type RunningOperator,
} from '../examples/operator.ts';
import { ownClusters } from '@tenantry/testing/test/controlplane/shared';

/**
 * Vulnerabilities of other controllers, tried on the operator of a cluster without the guard. The operator heals and
 * has all rights, so neither admission nor RBAC stops it: its program must.
 */

const given = await ownClusters();
const { test } = given;

const USER = 'operator';
const RBAC = 'rbac.authorization.k8s.io';

let cluster: OwnCluster;
let admin: Client;
let operator: RunningOperator;

async function start(): Promise<void> {
  cluster = await given.newCluster();
  admin = clientOf(cluster.admin);
  await applyManifests(cluster, [
    crdManifest(tenantDefinition),
    crdManifest(tenantClass),
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'argocd' } },
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'tenantry-system' } },
  ]);
  await admin.create(TenantClass, { metadata: { name: 'default' }, spec: { driftPolicy: 'Heal' } });
  const platform = resolvePlatform({ operator: { driftPolicy: 'Heal' } });
  const everything = cluster.user(USER, { groups: ['system:masters'] });
  operator = runAs(
    everything,
    tenantController({ platform, cluster: 'in-cluster', rolloutDeadline: 1000 }),
  );
}

let starting: Promise<void> | undefined;

/** Defines a test on the cluster of this file. */
const attack = (sentence: string, run: () => Promise<void>): void =>
  test(sentence, async () => {
    await (starting ??= start());
    await run();
  });

afterAll(async () => {
  await starting?.catch(() => undefined);
  await operator?.stop();
  closeClients();
  await cluster?.stop();
});

const declare = (name: string, spec: TenantSpec) =>
  admin.create(Tenant, { metadata: { name }, spec });

async function standing(name: string) {
  const { metadata, status } = await admin.get(Tenant, { name });
  const ready = findCondition(status?.conditions, 'Ready');
  const isNow = status?.observedGeneration === metadata.generation;
  return { ...status, ready, isNow, size: JSON.stringify(status ?? {}).length };
}

/** Waits until the operator has observed the current Tenant, and returns its Ready condition. */
const judged = (name: string) =>
  until(`${name} is judged`, async () => {
    const one = await standing(name);
    return one.isNow && one.ready?.reason !== 'RollingOut' && one;
  });

const isWell = (name: string) =>
  until(`${name} is well`, async () => (await standing(name)).ready?.status === 'True');

/** Returns the places where the operator wrote, without dry runs, statuses and events. */
const written = (): string[] =>
  cluster
    .auditLog()
    .filter(({ user, stage }) => user.username === USER && stage === 'ResponseComplete')
    .filter(({ verb }) => ['create', 'update', 'patch', 'delete'].includes(verb))
    .filter(({ requestURI }) => !requestURI.includes('dryRun'))
    .filter(({ objectRef }) => !['tenants', 'events', 'leases'].includes(objectRef?.resource ?? ''))
    .map(({ verb, objectRef: { resource = '', namespace, name = '' } = {} }) =>
      [verb, resource, namespace ?? name].join(' '),
    );

const role = (
  apiGroups: readonly string[],
  resources: readonly string[],
  verbs: readonly string[],
) =>
  ({
    access: { roles: [{ name: 'own', rules: [{ apiGroups, resources, verbs }], users: ['eve'] }] },
  }) as TenantSpec;
const manifest = (apiVersion: string, kind: string, more: object = {}) =>
  ({
    resources: [{ manifest: { apiVersion, kind, metadata: { name: 'x' }, ...more } }],
  }) as TenantSpec;
const named = (...names: readonly string[]): TenantSpec => ({
  namespaces: names.map((name) => ({ name })),
});

const refused: Readonly<Record<string, TenantSpec>> = {
  'CVE-2024-39690: kube-system': named('mine', 'kube-system'),
  'CVE-2024-39690: default': named('default'),
  'CVE-2024-39690: the namespace of Argo CD': named('argocd'),
  'CVE-2024-39690: the namespace of the operator': named('tenantry-system'),
  'CVE-2025-55205: a label by which a namespace passes for the platform’s': {
    labels: { 'kubernetes.io/metadata.name': 'kube-system' },
  },
  'CVE-2025-55205: a label by which a namespace passes for another tenant’s': {
    labels: { [TENANT_LABEL]: 'alice' },
  },
  'CVE-2022-46167: a role that patches the own Namespace': role([''], ['namespaces'], ['patch']),
  'CVE-2026-30963, CVE-2026-55636: a role that finalizes it': role(
    [''],
    ['namespaces/finalize'],
    ['update'],
  ),
  'CVE-2023-32194: a role on namespaces of two groups': role(
    ['example.com', ''],
    ['namespaces'],
    ['patch'],
  ),
  'CVE-2026-22872, CVE-2026-65835: a role that gives itself any': role(
    [RBAC],
    ['clusterroles'],
    ['escalate'],
  ),
  'CVE-2026-22872, CVE-2026-65835: a ClusterRole': manifest(`${RBAC}/v1`, 'ClusterRole', {
    rules: [],
  }),
  'CVE-2026-22872, CVE-2026-65835: a List with a Namespace': manifest('v1', 'List', {
    items: [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'more' } }],
  }),
  'CVE-2026-22872, CVE-2026-65835: a Tenant': manifest('tenantry.dev/v1alpha1', 'Tenant', {
    spec: {},
  }),
  'CVE-2023-46254: a service account of somebody else’s namespace': {
    access: { admins: { serviceAccounts: [{ name: 'ci', namespace: 'kube-system' }] } },
  },
  'CVE-2023-46254: a service account as a user': {
    access: { admins: { users: ['system:serviceaccount:kube-system:ci'] } },
  },
  'CVE-2023-46254: the group of administrators': {
    access: { admins: { groups: ['system:masters'] } },
  },
};

attack('an invalid Tenant of any author is refused, and nothing is written for it', async () => {
  const cases = Object.entries(refused).map(([what, spec], i) => ({
    what,
    spec,
    name: `mallory-${i}`,
  }));
  for (const { name, spec } of cases) await declare(name, spec);
  const reasons = await Promise.all(
    cases.map(async ({ what, name }) => [what, (await judged(name)).ready?.reason]),
  );
  expect(reasons).toEqual(cases.map(({ what }) => [what, 'Refused']));
  expect(written()).toEqual([]);
});

attack(
  'GHSA-f94q-w3w8-cj67: a Tenant that was well and takes more is judged as it is now',
  async () => {
    await declare('late', {});
    await isWell('late');
    const before = written();
    await admin.patch(Tenant, { name: 'late' }, { spec: named('late', 'kube-system') });
    expect((await judged('late')).ready?.reason).toBe('Refused');
    expect(written()).toEqual(before);
  },
);

attack(
  'CVE-2024-22031: of two Tenants whose prefix and name come to one namespace the older keeps it',
  async () => {
    await declare('alice', { namespacePrefix: 'alice-', ...named('shop') });
    await isWell('alice');
    const before = written();
    await declare('mallory', { namespacePrefix: 'ali', ...named('ce-shop') });
    const { ready } = await judged('mallory');
    expect([ready?.reason, ready?.message]).toEqual([
      'NamespaceTaken',
      "namespace alice-shop is tenant alice's",
    ]);
    expect(written()).toEqual(before);
  },
);

attack(
  'CVE-2025-55205: a tenant’s label on a system namespace is reported, and nothing is written there',
  async () => {
    await declare('bob', {});
    await isWell('bob');
    const before = written();
    const spoofed = { metadata: { labels: { [TENANT_LABEL]: 'bob' } } };
    const { metadata } = await admin.patch(Namespace, { name: 'kube-public' }, spoofed);
    await until('it is reported', async () =>
      (await standing('bob')).drift?.some(
        ({ type, name }) => type === 'Extra' && name === 'kube-public',
      ),
    );
    await admin.patch(Namespace, { name: 'kube-public' }, {
      metadata: { labels: { [TENANT_LABEL]: null } },
    } as never);
    await isWell('bob');
    expect(written()).toEqual(before);
    const { uid } = (await admin.get(Namespace, { name: 'kube-public' })).metadata;
    expect(uid).toBe(metadata.uid);
  },
);

attack(
  'CVE-2022-46167: a namespace without its tenant’s label is reported with the field manager, and never taken over by force',
  async () => {
    await declare('carol', {});
    await isWell('carol');
    const before = written();
    const stripped = { metadata: { labels: { [TENANT_LABEL]: null } } };
    await admin.patch(Namespace, { name: 'carol' }, stripped as never, { fieldManager: 'owner' });
    const status = await until('it is reported', async () => {
      const one = await standing('carol');
      return one.drift !== undefined && one;
    });
    expect(status.drift).toEqual([
      expect.objectContaining({
        type: 'Missing',
        kind: 'Namespace',
        name: 'carol',
        field: `metadata.labels["${TENANT_LABEL}"]`,
      }),
    ]);
    expect(findCondition(status.conditions, 'Degraded')?.reason).toBe('NamespaceNotOurs');
    expect(written()).toEqual(before);
    const adopted = { metadata: { labels: { 'tenantry.dev/adopt-by': 'carol' } } };
    await admin.patch(Namespace, { name: 'carol' }, adopted);
    await isWell('carol');
  },
);

attack(
  'CVE-2023-46254: a service account of the same name in another namespace is no subject that was declared',
  async () => {
    await declare('dave', {
      serviceAccounts: [{ name: 'ci' }],
      access: { editors: { serviceAccounts: [{ name: 'ci', namespace: 'dave' }] } },
    });
    await isWell('dave');
    const { items } = await admin.list(RoleBinding, { namespace: 'dave' });
    const { metadata, subjects } = items[0]!;
    const moved = [{ kind: 'ServiceAccount', name: 'ci', namespace: 'kube-public' }];
    await admin.patch(RoleBinding, metadata, { subjects: moved });
    await until('it is put back', async () => {
      const now = await admin.get(RoleBinding, metadata);
      return now.subjects?.[0]?.namespace === 'dave' && now;
    });
    expect(subjects).toEqual([{ kind: 'ServiceAccount', name: 'ci', namespace: 'dave' }]);
  },
);

attack(
  'CVE-2019-6287, CVE-2021-36775: a removed member is in no binding, neither its own nor a shared one',
  async () => {
    await declare('erin', {
      access: { admins: { users: ['erin', 'eve'] }, viewers: { users: ['eve'] } },
    });
    await isWell('erin');
    await admin.patch(Tenant, { name: 'erin' }, {
      spec: { access: { admins: { users: ['erin'] }, viewers: null } },
    } as never);
    await until('eve is in no binding', async () => {
      const { items } = await admin.list(RoleBinding, { namespace: 'erin' });
      return items.every((one) => one.subjects?.every(({ name }) => name !== 'eve'));
    });
    const { items } = await admin.list(RoleBinding, { namespace: 'erin' });
    expect(items.map(({ roleRef }) => roleRef.name)).toEqual(['admin']);
  },
);

attack('a Tenant with as many errors as possible has a status of some kilobytes', async () => {
  const rules = Array.from({ length: 60 }, (_, i) => ({
    apiGroups: [RBAC],
    resources: [`clusterroles${i}`],
    verbs: ['escalate', 'bind', 'impersonate'],
  }));
  await declare('bomb', {
    access: { roles: [{ name: 'own', rules, users: ['eve'] }] },
  } as TenantSpec);
  const { ready, size } = await judged('bomb');
  expect(ready?.reason).toBe('Refused');
  expect(size).toBeLessThan(8192);
});

attack(
  'an owner who changes a quota back and forth makes a bounded number of writes and events',
  async () => {
    await declare('flap', { quota: { hard: { pods: '10' } } });
    await isWell('flap');
    const before = written().length;
    const { items } = await admin.list(ResourceQuota, { namespace: 'flap' });
    const { metadata } = items.find((one) => one.metadata.name === 'tenant-quota')!;
    for (let i = 0; i < 40; i += 1) {
      const patch = { spec: { hard: { pods: String(100 + i) } } };
      await admin.patch(ResourceQuota, metadata, patch, { fieldManager: 'owner' });
      await until('it is looked at', async () => {
        const one = await standing('flap');
        const now = await admin.get(ResourceQuota, metadata);
        return now.spec?.hard?.['pods'] === '10' || one.drift !== undefined;
      });
    }
    const { conditions } = await standing('flap');
    expect(findCondition(conditions, 'Degraded')?.reason).toBe('Fought');
    expect(written().length - before).toBeLessThanOrEqual(6);
    const events = cluster
      .auditLog()
      .filter(({ user, objectRef }) => user.username === USER && objectRef?.resource === 'events')
      .filter(({ requestObject }) => JSON.stringify(requestObject ?? '').includes('"flap"'));
    expect(events.length).toBeLessThanOrEqual(30);
  },
);
