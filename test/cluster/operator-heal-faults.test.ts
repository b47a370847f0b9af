import { afterAll, expect } from '@jest/globals';
import { resolvePlatform } from '../../model/platform.ts';
import { crdManifest } from '@tenantry/crd/definition';
import { tenantClass } from '../../crds/tenant-class.ts';
import { tenant } from '../../crds/tenant.ts';
import type { TenantClassSpec, TenantSpec } from '../../crds/types.ts';
import { parseQuantity } from '@tenantry/kube/quantity';
import { Tenant, TenantClass } from '../../operator/cluster/kinds.ts';
import type { Client } from '@tenantry/runtime/client/client';
import { systemClock } from '@tenantry/runtime/clock/clock';
import { findCondition } from '@tenantry/runtime/conditions/conditions';
import { Namespace, ResourceQuota } from '@tenantry/runtime/kinds/core';
import { RoleBinding } from '@tenantry/runtime/kinds/rbac';
import { leaseElection } from '@tenantry/runtime/leader/lease-election';
import { startCluster, type ClusterAccess } from '@tenantry/testing/controlplane/cluster';
import { isWatch, isWrite, nth, type Matches } from '@tenantry/testing/faults/requests';
import { until } from '@tenantry/testing/waiting/until';
import { applyManifests, clientOf, closeClients } from '../examples/operator.ts';
import type { OperatorProps } from '../soak/operator.ts';
import { mapConcurrently } from '@tenantry/testing/test/controlplane/map-concurrently';
import { ownClusters } from '@tenantry/testing/test/controlplane/shared';
import { serve } from './crds.ts';
import { operatorOn, type ProxiedOperator } from './proxied-operator.ts';
import { untilAtRest } from './rest.ts';

const given = await ownClusters();
const { test } = given;
afterAll(closeClients);

const RBAC = 'rbac.authorization.k8s.io';
const isLong = process.env['TENANTRY_LONG'] === '1';
const label = 'tenantry.dev/tenant';
const patient = { within: 120_000 };
const platform = resolvePlatform({
  clusters: [{ name: 'eu' }],
  defaultClass: 'standard',
  operator: { driftPolicy: 'Heal' },
});
const standard: TenantClassSpec = {
  driftPolicy: 'Heal',
  defaults: { quota: { hard: { pods: 10 } }, access: { admins: { groups: ['team'] } } },
};

async function install({ admin }: ClusterAccess): Promise<void> {
  for (const one of [tenant, tenantClass]) await serve(admin, crdManifest(one));
  await clientOf(admin).create(TenantClass, { metadata: { name: 'standard' }, spec: standard });
}

const make = (client: Client, name: string, spec: TenantSpec = {}): Promise<unknown> =>
  client.create(Tenant, { metadata: { name }, spec });

/** Returns `Ready` and the reason that prevents healing, for the current generation of the Tenant. */
async function wordsOf(client: Client, name: string): Promise<string> {
  const { status, metadata } = await client.get(Tenant, { name });
  const [ready, degraded] = ['Ready', 'Degraded'].map((it) =>
    findCondition(status?.conditions, it),
  );
  const isNow = status?.observedGeneration === metadata.generation;
  const why = degraded?.status === 'True' ? degraded.reason : 'well';
  return isNow ? `${ready?.reason} ${why}` : 'of before';
}

async function waitForReasons(client: Client, name: string, words: string): Promise<string> {
  let last = '';
  await until(
    `${name} reports ${words}`,
    async () => (last = await wordsOf(client, name)) === words,
    patient,
  ).catch((error: unknown) => {
    throw new Error(`${String(error)}: ${last}`);
  });
  const { status } = await client.get(Tenant, { name });
  return findCondition(status?.conditions, 'Degraded')?.message ?? '';
}

const isWell = (client: Client, name: string) => waitForReasons(client, name, 'AsDeclared well');

const quotaIn = async (client: Client, namespace: string): Promise<string | undefined> =>
  (await client.get(ResourceQuota, { namespace, name: 'tenant-quota' })).spec?.hard?.['pods'];

const hardOf = (client: Client, namespace: string, pods: number): Promise<unknown> =>
  client.patch(
    ResourceQuota,
    { namespace, name: 'tenant-quota' },
    { spec: { hard: { pods: `${pods}` } } },
  );

const isLease: Matches = ({ url }) => url.includes('/leases');
/** Matches writes to tenants' objects: no status, event or lease. */
const isOfTenants: Matches = (one) =>
  isWrite(one) && !isLease(one) && !/\/tenants\/|\/events/.test(one.url);

/** Returns the names and versions of the objects that the operator must not touch. */
async function foreign({ admin }: ClusterAccess): Promise<string> {
  const client = clientOf(admin);
  const at = { namespace: 'foreign' };
  const all = [
    await client.get(Namespace, { name: 'foreign' }),
    ...(await client.list(RoleBinding, at)).items,
    ...(await client.list(ResourceQuota, at)).items,
  ];
  return JSON.stringify(
    all.map(({ metadata: { name, resourceVersion } }) => [name, resourceVersion]),
  );
}

async function makeForeign({ admin }: ClusterAccess): Promise<void> {
  const client = clientOf(admin);
  const labels = { [label]: 'somebody-else' };
  await client.create(Namespace, { metadata: { name: 'foreign', labels } });
  const metadata = { name: 'tenant-quota', namespace: 'foreign', labels };
  await client.create(ResourceQuota, { metadata, spec: { hard: { pods: '1' } } });
}

/**
 * A policy that refuses the tenant's own quota in one namespace, and every quota in `foreign`.
 * A probe in `foreign` detects whether the policy is in force.
 */
const naysayer = (namespace: string): readonly object[] => [
  {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name: 'naysayer.example.com' },
    spec: {
      failurePolicy: 'Fail',
      matchConstraints: {
        resourceRules: [
          {
            apiGroups: [''],
            apiVersions: ['v1'],
            operations: ['CREATE', 'UPDATE'],
            resources: ['resourcequotas'],
          },
        ],
      },
      validations: [
        {
          expression: `object.metadata.namespace != 'foreign' && !(object.metadata.namespace == '${namespace}' && object.metadata.name == 'tenant-quota')`,
          message: 'quotas are not ours',
        },
      ],
    },
  },
  {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicyBinding',
    metadata: { name: 'naysayer.example.com' },
    spec: { policyName: 'naysayer.example.com', validationActions: ['Deny'] },
  },
];

/** An unreachable webhook that must be called for role bindings in the namespaces of a tenant and in `foreign`. */
const deafWebhook = (name: string): object => ({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingWebhookConfiguration',
  metadata: { name: 'deaf.example.com' },
  webhooks: [
    {
      name: 'deaf.example.com',
      clientConfig: { url: 'https://127.0.0.1:1/' },
      failurePolicy: 'Fail',
      sideEffects: 'None',
      admissionReviewVersions: ['v1'],
      namespaceSelector: {
        matchExpressions: [{ key: label, operator: 'In', values: [name, 'somebody-else'] }],
      },
      rules: [
        {
          apiGroups: [RBAC],
          apiVersions: ['v1'],
          operations: ['CREATE', 'UPDATE'],
          resources: ['rolebindings'],
        },
      ],
    },
  ],
});

/** Waits for the refusals: the API server enforces a new policy or webhook after a delay. */
async function untilRefused(cluster: ClusterAccess): Promise<void> {
  const metadata = { name: 'asked', namespace: 'foreign' };
  const roleRef = { apiGroup: RBAC, kind: 'ClusterRole', name: 'view' };
  const asked = [
    { apiVersion: 'v1', kind: 'ResourceQuota', metadata },
    { apiVersion: `${RBAC}/v1`, kind: 'RoleBinding', metadata, roleRef },
  ];
  for (const object of asked) {
    await until(`every ${object.kind} is refused`, async () => {
      const { status } = await cluster.admin.create(object, { dryRun: true });
      return status >= 400;
    });
  }
}

const remove = async ({ admin }: ClusterAccess, kind: string, name: string): Promise<void> => {
  const reference = { apiVersion: 'admissionregistration.k8s.io/v1', kind, name };
  expect((await admin.delete(reference)).status).toBe(200);
};

test('a refusal by a policy, a webhook or a quota is reported verbatim, blocks no other object, and is healed once it is lifted', async () => {
  await using cluster = await startCluster({
    binaries: given.binaries,
    controllerManager: true,
  });
  const client = clientOf(cluster.admin);
  await install(cluster);
  await makeForeign(cluster);
  const before = await foreign(cluster);
  await applyManifests(cluster, [...naysayer('refused'), deafWebhook('unheard')]);
  await untilRefused(cluster);
  const labels = { [label]: 'counted' };
  await client.create(Namespace, { metadata: { name: 'counted', labels } });
  await client.create(ResourceQuota, {
    metadata: { name: 'brake', namespace: 'counted' },
    spec: { hard: { 'count/rolebindings.rbac.authorization.k8s.io': '0' } },
  });
  await until('the quota counts', async () => {
    const { status } = await client.get(ResourceQuota, { namespace: 'counted', name: 'brake' });
    return status?.hard !== undefined;
  });
  await using running = await operatorOn(cluster, { platform });
  running.operator.start();
  const names = ['refused', 'unheard', 'counted'];
  for (const name of names) await make(client, name);
  expect(await waitForReasons(client, 'refused', 'Drifted HealRefused')).toContain(
    'quotas are not ours',
  );
  expect(await waitForReasons(client, 'unheard', 'Drifted HealRefused')).toContain(
    'deaf.example.com',
  );
  expect(await waitForReasons(client, 'counted', 'Drifted HealRefused')).toContain(
    'exceeded quota: brake',
  );
  // The other objects exist.
  for (const namespace of ['unheard', 'counted'])
    expect(await quotaIn(client, namespace)).toBe('10');
  const bindings = await client.list(RoleBinding, { namespace: 'refused' });
  expect(bindings.items).not.toEqual([]);
  const asked = running.proxy.received.filter(isOfTenants).length;
  await systemClock.sleep(5000);
  // In fifty seconds of the operator's clock, each of the three is retried at most three times.
  expect(running.proxy.received.filter(isOfTenants).length - asked).toBeLessThan(12);

  await remove(cluster, 'ValidatingAdmissionPolicyBinding', 'naysayer.example.com');
  await remove(cluster, 'ValidatingWebhookConfiguration', 'deaf.example.com');
  await client.delete(ResourceQuota, { namespace: 'counted', name: 'brake' });
  // A restarted operator retries at once, regardless of the earlier backoff.
  await running.operator.handOver();
  for (const name of names) await isWell(client, name);

  // A namespace that is being deleted is left alone, and one that is gone is created again.
  const finalizers = ['example.com/held'];
  await client.create(RoleBinding, {
    metadata: { name: 'held', namespace: 'refused', finalizers },
    roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name: 'view' },
  });
  await client.delete(Namespace, { name: 'refused' });
  await until('the deletion is reported', async () =>
    (await wordsOf(client, 'refused')).startsWith('NamespaceTerminating'),
  );
  const written = running.proxy.received.filter(isOfTenants).length;
  await systemClock.sleep(3000);
  expect(running.proxy.received.filter(isOfTenants).length).toBe(written);
  const held = { namespace: 'refused', name: 'held' };
  await client.patch(RoleBinding, held, { metadata: { finalizers: null } } as never);
  await isWell(client, 'refused');
  expect(await foreign(cluster)).toBe(before);
  expect(running.operator.problems).toEqual([]);
});

test('the operator heals eventually after missing definitions, an API server outage, a storm of cut watches, an expired version and a clock change', async () => {
  await using cluster = await given.newCluster();
  const client = clientOf(cluster.admin);
  await using running = await operatorOn(cluster, { platform });
  const { operator, proxy, clock } = running;
  operator.start();
  await until('the operator requests Tenants', () =>
    proxy.received.some(({ url }) => url.includes('/tenants')),
  );
  await install(cluster);
  await makeForeign(cluster);
  const before = await foreign(cluster);
  await make(client, 'acme');
  await isWell(client, 'acme');

  // The API server goes down at the third write for a tenant, and comes back.
  await make(client, 'bolt', { namespaces: [{ name: 'bolt-a' }, { name: 'bolt-b' }] });
  await proxy.next({ kind: 'reset' }, nth(3, isOfTenants));
  const back = proxy.always({ kind: 'reset' });
  proxy.cut();
  await systemClock.sleep(3000);
  back();
  await isWell(client, 'bolt');

  // Watches are cut while everything is being changed.
  for (let pods = 30; pods <= 60; pods += 1) {
    await hardOf(client, ['acme', 'bolt-a', 'bolt-b'][pods % 3]!, pods);
    if (pods % 10 === 5) proxy.cut(isWatch);
  }
  const expired = { kind: 'Status', status: 'Failure', code: 410, reason: 'Expired' };
  proxy.insert(`${JSON.stringify({ type: 'ERROR', object: expired })}\n`, isWatch);
  // The date is set back, then hours pass at once, so that the operator retries the fields it fought over.
  clock.putDate(-3_600_000);
  clock.jump(7_200_000);
  for (const namespace of ['acme', 'bolt-a', 'bolt-b']) {
    const isRight = async () => (await quotaIn(client, namespace)) === '10';
    await until(`${namespace} is healed`, isRight, patient);
  }
  for (const name of ['acme', 'bolt']) await isWell(client, name);
  expect(await foreign(cluster)).toBe(before);
  expect(operator.problems).toEqual([]);
});

/** Returns whether the operator was killed as planned, rather than finished for a second without a crash. */
async function isKilled(
  { operator, proxy }: ProxiedOperator,
  met: Promise<unknown>,
  done: Promise<unknown>,
): Promise<boolean> {
  const isMet = await Promise.race([
    met.then(() => true),
    done.then(() => systemClock.sleep(1000)).then(() => false),
  ]);
  proxy.clear();
  if (isMet) await operator.crashed();
  await done;
  return isMet;
}

test('an operator that is killed before or after each of its writes heals the rest after a restart', async () => {
  await using cluster = await given.newCluster();
  const client = clientOf(cluster.admin);
  await install(cluster);
  await makeForeign(cluster);
  const before = await foreign(cluster);
  await using running = await operatorOn(cluster, { platform });
  const { operator, proxy } = running;
  operator.start();
  await make(client, 'first');
  await isWell(client, 'first');
  const isCounted: Matches = (one) => isWrite(one) && !isLease(one) && !one.url.includes('/events');
  const writes = proxy.received.filter(isCounted).length;
  expect(writes).toBeGreaterThan(5);
  let crashes = 0;
  for (const at of ['before', 'after'] as const) {
    for (let n = 1; n <= writes; n += isLong ? 1 : 2) {
      const name = `t-${at}-${n}`;
      const met = proxy.next({ kind: 'crash', at }, nth(n, isCounted));
      await make(client, name);
      // The number of status writes depends on timing.
      if (await isKilled(running, met, isWell(client, name))) crashes += 1;
    }
  }
  // The same applies to healing a change: dry run, removal, dry run, apply, status.
  for (let n = 1; n <= 6; n += 1) {
    const namespace = `t-before-${(n % 2) * 2 + 1}`;
    const met = proxy.next({ kind: 'crash', at: n % 2 ? 'before' : 'after' }, nth(n, isCounted));
    await client.patch(
      ResourceQuota,
      { namespace, name: 'tenant-quota' },
      { spec: { hard: { pods: '99', 'count/jobs.batch': '1' } } },
    );
    const isRight = async () => (await quotaIn(client, namespace)) === '10';
    const healed = until('the quota is healed', isRight, patient);
    if (await isKilled(running, met, healed)) crashes += 1;
    await isWell(client, namespace);
  }
  expect(crashes).toBeGreaterThanOrEqual(writes - 2);
  const { items } = await client.list(Tenant);
  expect(items.flatMap(({ status }) => status?.drift ?? [])).toEqual([]);
  expect(await foreign(cluster)).toBe(before);
  expect(operator.problems).toEqual([]);
});

test('of two replicas, the one that loses its lease without noticing writes nothing once the other one heals', async () => {
  await using cluster = await given.newCluster();
  const client = clientOf(cluster.admin);
  await install(cluster);
  const lease = { name: 'tenantry', namespace: 'default' };
  const leaderElection: OperatorProps['leaderElection'] = (deps) =>
    leaseElection({ ...deps, lease });
  await using one = await operatorOn(cluster, { platform, leaderElection });
  await using other = await operatorOn(cluster, { platform, leaderElection });
  const journal: string[] = [];
  const note =
    (who: string): Matches =>
    (received) => {
      if (isOfTenants(received)) journal.push(who);
      return false;
    };
  one.proxy.always({ kind: 'reset' }, note('one'));
  other.proxy.always({ kind: 'reset' }, note('other'));
  one.operator.start();
  await make(client, 'acme');
  await isWell(client, 'acme');
  other.operator.start();
  await until('the other replica requests the lease', () => other.proxy.received.some(isLease));
  // From now on its lease renewals hang, and all other requests succeed.
  one.proxy.always({ kind: 'hang' }, isLease);
  for (let pods = 20; !journal.includes('other') && pods < 500; pods += 1) {
    await hardOf(client, 'acme', pods).catch(() => undefined);
    await systemClock.sleep(100);
  }
  await until('it is healed', async () => (await quotaIn(client, 'acme')) === '10', patient);
  await isWell(client, 'acme');
  expect(journal.slice(journal.indexOf('other'))).not.toContain('one');
  expect(journal).toContain('other');
  expect(journal).toContain('one');
});

test('a tenant edited fifty times a second and a class of many tenants are healed within the total, and then nothing is written', async () => {
  await using cluster = await given.newCluster();
  const client = clientOf(cluster.admin);
  await install(cluster);
  await makeForeign(cluster);
  const before = await foreign(cluster);
  await using running = await operatorOn(cluster, { platform });
  const { operator, proxy } = running;
  operator.start();

  const total = { pods: 12 };
  const spec = (weights: readonly number[]): TenantSpec => ({
    quota: { total },
    namespaces: weights.map((weight, i) => ({ name: `part-${i}`, quota: { weight } })),
  });
  await make(client, 'parted', spec([1, 1, 1]));
  await isWell(client, 'parted');
  for (let i = 0; i < 150; i += 1) {
    const beat = systemClock.sleep(20);
    await client.patch(Tenant, { name: 'parted' }, { spec: spec([1 + (i % 7), 1 + (i % 5), 1]) });
    await beat;
  }
  await client.patch(Tenant, { name: 'parted' }, { spec: spec([10, 1, 1]) });
  await isWell(client, 'parted');
  const parts = await Promise.all([0, 1, 2].map((i) => quotaIn(client, `part-${i}`)));
  expect(parts).toEqual(['10', '1', '1']);
  expect(Math.max(...sumsIn(cluster, 'part-', 'pods'))).toBe(12);

  const names = Array.from({ length: isLong ? 500 : 40 }, (_, i) => `t${i}`);
  await mapConcurrently(names, (name) => make(client, name));
  const all = async (pods: string): Promise<boolean> => {
    const { items } = await client.list(ResourceQuota, { labelSelector: label });
    const own = items.filter(
      ({ metadata: { name, namespace = '' } }) =>
        name === 'tenant-quota' && /^t\d+$/.test(namespace),
    );
    return own.length === names.length && own.every(({ spec: it }) => it?.hard?.['pods'] === pods);
  };
  await until('all are created', () => all('10'), { within: 600_000 });
  const edited = { ...standard, defaults: { ...standard.defaults, quota: { hard: { pods: 7 } } } };
  await client.patch(TenantClass, { name: 'standard' }, { spec: edited } as never);
  await until('all follow their class', () => all('7'), { within: 600_000 });
  for (const name of names) await isWell(client, name);

  await untilAtRest({ cluster, proxy, lasting: isLong ? 60_000 : 5000 });
  expect(await foreign(cluster)).toBe(before);
  expect(operator.problems).toEqual([]);
}, 1_800_000);

/** Returns the sum that the quotas of the namespaces allowed after each write, in the order of the audit log. */
function sumsIn(cluster: ClusterAccess, prefix: string, key: string): number[] {
  const held = new Map<string, number>();
  return cluster
    .auditLog()
    .filter(({ stage, responseStatus, requestURI }) => {
      const isDone = stage === 'ResponseComplete' && (responseStatus?.code ?? 500) < 300;
      return isDone && !requestURI.includes('dryRun');
    })
    .filter(({ objectRef, verb }) => {
      const isQuota = objectRef?.resource === 'resourcequotas' && !objectRef.subresource;
      // Quotas that allow no pods of a scope are not part of a total.
      if (/^tenant-(affinity|priority)$/.test(objectRef?.name ?? '')) return false;
      return isQuota && objectRef.namespace?.startsWith(prefix) && /create|patch/.test(verb);
    })
    .flatMap(({ objectRef, requestObject }) => {
      const quota = requestObject as { readonly spec?: { readonly hard?: Record<string, string> } };
      const amount = quota.spec?.hard?.[key];
      if (amount === undefined) return [];
      held.set(objectRef!.namespace!, Number(parseQuantity(amount)! / 1_000_000_000n));
      return [[...held.values()].reduce((a, b) => a + b, 0)];
    });
}
