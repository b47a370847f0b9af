import { afterAll, expect } from '@jest/globals';
import { listGrantAccess, PRECREATED_SERVICE_ACCOUNTS } from '../../model/operator/access.ts';
import { buildWritePolicy } from '../../model/operator/write-policy.ts';
import { listAllBindableRoles } from '../../model/classes/allowances.ts';
import { resolvePlatform } from '../../model/platform.ts';
import { buildAdoptionPolicy, buildGuardPolicy } from '../../model/policies/ownership.ts';
import { crdManifest } from '@tenantry/crd/definition';
import { accessRequest } from '../../crds/access-request.ts';
import { tenantClass } from '../../crds/tenant-class.ts';
import { tenant as tenantDefinition } from '../../crds/tenant.ts';
import type { DriftPolicy, TenantClassSpec, TenantSpec } from '../../crds/types.ts';
import { roleObjects } from '@tenantry/kube/access';
import { TENANT_LABEL } from '@tenantry/kube/cascade-root';
import { parseQuantity } from '@tenantry/kube/quantity';
import { AccessRequest, Tenant, TenantClass, wholeKinds } from '../../operator/cluster/kinds.ts';
import { MAX_HEALINGS } from '../../operator/heal/attempts.ts';
import { tenantController } from '../../operator/tenant/tenant-controller.ts';
import type { Client } from '@tenantry/runtime/client/client';
import { findCondition } from '@tenantry/runtime/conditions/conditions';
import { LimitRange, Namespace, ResourceQuota, ServiceAccount } from '@tenantry/runtime/kinds/core';
import { NetworkPolicy } from '@tenantry/runtime/kinds/networking';
import { PodDisruptionBudget } from '@tenantry/runtime/kinds/policy';
import { ClusterRole, Role, RoleBinding } from '@tenantry/runtime/kinds/rbac';
import type { ClusterAccess } from '@tenantry/testing/controlplane/cluster';
import { until } from '@tenantry/testing/waiting/until';
import { applyManifests, clientOf, closeClients, runAs } from '../examples/operator.ts';
import { ownClusters } from '@tenantry/testing/test/controlplane/shared';
import { testsOfOurMinor } from './minor.ts';
import { Account, isAllowed, STREAMED, type NeverUsed } from './accounts.ts';

const given = await ownClusters();
const { test } = given;
afterAll(closeClients);

const RBAC = 'rbac.authorization.k8s.io';
const NAME = 'tenantry-operator';
const SYSTEM = 'tenantry-system';

const standard: TenantClassSpec = {
  allow: { clusterRoles: ['view'] },
  presets: {
    roles: [
      {
        name: 'deployer',
        rules: [{ apiGroups: ['apps'], resources: ['deployments'], verbs: ['get', 'patch'] }],
      },
    ],
  },
  defaults: {
    access: { roles: [{ preset: 'deployer', groups: ['pay'] }] },
    disruptionBudgets: [
      { name: 'budget', selector: { matchLabels: { app: 'web' } }, minAvailable: 1 },
    ],
    limits: { items: [{ type: 'Container', default: { cpu: '1' } }] },
  },
};

interface World {
  readonly cluster: ClusterAccess;
  readonly admin: Client;
  readonly account: Account;
  statusOf(name: string): Promise<Awaited<ReturnType<typeof statusIn>>>;
}

async function statusIn(admin: Client, name: string) {
  const { metadata, status } = await admin.get(Tenant, { name });
  const ready = findCondition(status?.conditions, 'Ready');
  const degraded = findCondition(status?.conditions, 'Degraded');
  return { ...status, ready, degraded, isNow: status?.observedGeneration === metadata.generation };
}

/** Returns the objects that install an operator, without the Lease, which this operator does not use. */
function rightsOf(most: DriftPolicy, clusterRoles: readonly string[]) {
  const platform = resolvePlatform({ operator: { driftPolicy: most } });
  const controller = tenantController({ platform, cluster: 'in-cluster' });
  const access = [...controller.access, ...listGrantAccess(most, clusterRoles)];
  const bounds = buildWritePolicy({ platform, namespace: SYSTEM, access, clusterRoles });
  const roles = Object.values(roleObjects({ name: NAME, namespace: SYSTEM, access }));
  return { platform, controller, access, bounds, roles };
}

/** Runs a test in a cluster with the guard and an operator that has exactly the rights of its policy. */
async function withOperator(
  most: DriftPolicy,
  play: (world: World) => Promise<void>,
): Promise<void> {
  const { platform, controller, access, bounds, roles } = rightsOf(
    most,
    listAllBindableRoles([{ name: 'default', spec: standard }]),
  );
  await using cluster = await given.newCluster();
  const metadata = { name: NAME, namespace: SYSTEM };
  await applyManifests(cluster, [
    crdManifest(accessRequest),
    crdManifest(tenantDefinition),
    crdManifest(tenantClass),
    ...buildGuardPolicy(platform),
    ...buildAdoptionPolicy(platform),
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: SYSTEM } },
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata },
    ...Object.values(bounds),
    ...roles,
  ]);
  const account = await Account.of(cluster, metadata, access);
  const admin = clientOf(cluster.admin);
  await admin.create(TenantClass, { metadata: { name: 'default' }, spec: standard });
  const operator = runAs(account.client, controller);
  try {
    await play({ cluster, admin, account, statusOf: (name) => statusIn(admin, name) });
  } finally {
    await operator.stop();
  }
  expect(operator.logs.filter((line) => line.includes('"level":"error"'))).toEqual([]);
}

const isWell = async ({ statusOf }: World, name: string) => {
  const { ready, isNow, drift } = await statusOf(name);
  return isNow && ready?.status === 'True' && drift === undefined;
};

const declare = async ({ admin }: World, name: string, spec: TenantSpec) => {
  await admin.create(Tenant, { metadata: { name }, spec });
};

/** Returns the operator's writes to tenants' objects, without dry runs. */
function writes({ cluster, account }: World): string[] {
  const verbs = new Set(['create', 'update', 'patch', 'delete']);
  return cluster
    .auditLog()
    .filter(({ user, verb }) => user.username === account.user && verbs.has(verb))
    .filter(
      ({ stage, requestURI }) => stage === 'ResponseComplete' && !requestURI.includes('dryRun'),
    )
    .filter(({ objectRef }) => !['tenants', 'events', 'leases'].includes(objectRef?.resource ?? ''))
    .map(({ verb, objectRef, responseStatus }) =>
      [verb, objectRef?.resource, objectRef?.name ?? '', responseStatus?.code].join(' '),
    );
}

const NEVER: readonly NeverUsed[] = [
  ...[Tenant, ...wholeKinds].map(({ group, plural }): NeverUsed => [
    { group, resource: plural, verbs: ['list'] },
    STREAMED,
  ]),
  [
    { group: 'events.k8s.io', resource: 'events', verbs: ['patch'] },
    'only a repeated event is patched',
  ],
  [
    {
      group: RBAC,
      resource: 'clusterroles',
      verbs: ['bind'],
      resourceNames: ['admin', 'edit', 'view'],
    },
    'the API server checks this right when the operator creates a binding',
  ],
  [{ group: RBAC, resource: 'roles', verbs: ['bind', 'escalate'] }, 'the same'],
];

const { group, plural } = AccessRequest;
/** Only an operator that heals grants requested access. */
const NEVER_WHEN_HEALING: readonly NeverUsed[] = [
  ...NEVER,
  [{ group, resource: plural, verbs: ['list'] }, STREAMED],
];

const spec: TenantSpec = {
  driftPolicy: 'Heal',
  access: { editors: { groups: ['pay'] } },
  quota: { hard: { pods: '10' } },
  serviceAccounts: [{ name: 'robot' }],
  // The API server fills in the directions of the policy.
  network: { policies: [{ name: 'closed', spec: { podSelector: {} } }] },
};

/** Changes one field in an object of each remaining kind, and waits until it is restored. */
async function disturb(world: World): Promise<void> {
  const { admin } = world;
  const at = { namespace: 'pay', labelSelector: TENANT_LABEL };
  const range = (await admin.list(LimitRange, at)).items[0]!.metadata;
  const role = (await admin.list(Role, at)).items[0]!.metadata;
  const binding = (await admin.list(RoleBinding, at)).items[0]!.metadata;
  await admin.patch(LimitRange, range, { spec: { limits: [] } });
  await admin.patch(Role, role, {
    rules: [{ apiGroups: [''], resources: ['secrets'], verbs: ['get'] }],
  });
  await admin.patch(RoleBinding, binding, {
    subjects: [{ kind: 'User', name: 'eve', apiGroup: RBAC }],
  });
  const closed = { name: 'closed', namespace: 'pay' };
  await admin.patch(NetworkPolicy, closed, { spec: { policyTypes: ['Egress'] } });
  const robot = { name: 'robot', namespace: 'pay' };
  await admin.patch(ServiceAccount, robot, { metadata: { labels: { [TENANT_LABEL]: null } } });
  await until('every object is restored', async () => {
    const [limits, rules, subjects, labels] = [
      (await admin.get(LimitRange, range)).spec?.limits,
      (await admin.get(Role, role)).rules,
      (await admin.get(RoleBinding, binding)).subjects,
      (await admin.get(ServiceAccount, robot)).metadata.labels,
    ];
    const { spec: policy } = await admin.get(NetworkPolicy, closed);
    if (policy?.policyTypes?.join() !== 'Ingress') return false;
    const isLimited = limits?.length === 1 && rules?.[0]?.resources?.[0] === 'deployments';
    return isLimited && subjects?.[0]?.name === 'pay' && labels?.[TENANT_LABEL] === 'pay';
  });
}

/** Returns the quota for the tenant itself, as opposed to the quotas that every namespace has. */
async function ownQuota(admin: World['admin'], at: { readonly namespace: string }) {
  const { items } = await admin.list(ResourceQuota, at);
  return items.find(({ metadata }) => metadata.name === 'tenant-quota');
}

test('a Tenant created with kubectl gets its namespace with all objects, and each drift is healed once', async () => {
  await withOperator('Heal', async (world) => {
    const { admin } = world;
    await declare(world, 'pay', spec);
    await until('it is created', () => isWell(world, 'pay'));
    const at = { namespace: 'pay' };
    const ones = await Promise.all(
      [ResourceQuota, RoleBinding, PodDisruptionBudget, Role, LimitRange].map(
        async (kind) =>
          (await admin.list(kind, { ...at, labelSelector: TENANT_LABEL })).items.length,
      ),
    );
    expect(ones.every((count) => count > 0)).toBe(true);

    const quota = (await ownQuota(admin, at))!.metadata;
    const policy = (await admin.list(NetworkPolicy, at)).items[0]!.metadata;
    const bindings = (await admin.list(RoleBinding, at)).items;
    const edit = bindings.find(({ roleRef }) => roleRef.name === 'edit')!;
    const before = writes(world).length;

    await admin.patch(ResourceQuota, quota, {
      spec: { hard: { pods: '99', 'count/jobs.batch': '7' } },
    });
    await until('the quota is healed', () => isWell(world, 'pay'));
    await until('the quota is restored', async () => {
      const { spec: liveSpec } = await admin.get(ResourceQuota, quota);
      return liveSpec?.hard?.['pods'] === '10' && liveSpec.hard['count/jobs.batch'] === undefined;
    });
    await admin.patch(NetworkPolicy, policy, {
      spec: { egress: [{}], policyTypes: ['Ingress', 'Egress'] },
    });
    await until('the network policy is healed', async () => {
      const { spec: liveSpec } = await admin.get(NetworkPolicy, policy);
      return liveSpec?.egress === undefined && isWell(world, 'pay');
    });
    await disturb(world);
    const budget = (await admin.list(PodDisruptionBudget, at)).items[0]!.metadata;
    await admin.patch(PodDisruptionBudget, budget, {
      spec: { minAvailable: null, maxUnavailable: 3 },
    });
    await until('the budget is healed', async () => {
      const { spec: liveSpec } = await admin.get(PodDisruptionBudget, budget);
      return liveSpec?.minAvailable === 1 && liveSpec.maxUnavailable === undefined;
    });
    await admin.delete(RoleBinding, edit.metadata);
    await admin.create(RoleBinding, {
      metadata: { name: edit.metadata.name, namespace: 'pay' },
      roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name: 'admin' },
      subjects: [{ kind: 'User', name: 'eve', apiGroup: RBAC }],
    });
    await until('the binding has its role again', async () => {
      const found = await admin.list(RoleBinding, at);
      const now = found.items.find(({ metadata: { name } }) => name === edit.metadata.name);
      return now?.roleRef.name === 'edit' && now.subjects?.[0]?.name === 'pay';
    });
    await admin.patch(
      Namespace,
      { name: 'pay' },
      {
        metadata: { labels: { 'pod-security.kubernetes.io/enforce': 'privileged' } },
      },
    );
    await until('the namespace is healed', async () => {
      const { metadata } = await admin.get(Namespace, { name: 'pay' });
      return metadata.labels?.['pod-security.kubernetes.io/enforce'] !== 'privileged';
    });
    await until('all is well', () => isWell(world, 'pay'));
    const done = writes(world).slice(before);
    expect(done.filter((line) => !line.endsWith(' 200') && !line.endsWith(' 201'))).toEqual([]);
    // The surplus is removed first, then the declaration is applied.
    expect(done.filter((line) => line.startsWith('patch resourcequotas'))).toHaveLength(2);
    expect(done.filter((line) => line.startsWith('patch namespaces'))).toHaveLength(1);
    expect(done.filter((line) => line.startsWith('delete'))).toHaveLength(1);
    await world.account.expectExactAccess(NEVER_WHEN_HEALING);
  });
});

test('a total is never exceeded, neither when the declaration changes meanwhile nor while a removed namespace holds its share', async () => {
  await withOperator('Heal', async (world) => {
    const { admin } = world;
    const total = { pods: 12 };
    const entry = (name: string, weight: number) => ({ name, quota: { weight } });
    const of = (...weights: readonly [string, number][]): TenantSpec => ({
      driftPolicy: 'Heal',
      quota: { total },
      namespaces: weights.map(([name, weight]) => entry(name, weight)),
    });
    const end = new AbortController();
    const held = new Map<string, bigint>();
    const sums: bigint[] = [];
    const watching = (async () => {
      const options = { labelSelector: TENANT_LABEL, signal: end.signal };
      for await (const event of admin.watch(ResourceQuota, options)) {
        if (event.type === 'BOOKMARK') continue;
        const { metadata, spec: liveSpec } = event.object;
        const amount =
          event.type === 'DELETED' ? 0n : parseQuantity(liveSpec?.hard?.['pods'] ?? '0')!;
        held.set(metadata.namespace!, amount);
        sums.push([...held.values()].reduce((a, b) => a + b, 0n));
      }
    })();
    watching.catch(() => undefined);
    await declare(world, 'pay', of(['a', 1], ['b', 1]));
    await until('it is created', () => isWell(world, 'pay'));
    for (const [a, b] of [
      [5, 1],
      [1, 5],
      [2, 1],
      [1, 11],
      [11, 1],
      [1, 3],
    ] as const) {
      const { spec: next } = { spec: of(['a', a], ['b', b]) };
      await admin.patch(Tenant, { name: 'pay' }, { spec: next });
    }
    await until('the last declaration is applied', () => isWell(world, 'pay'));
    const podsOf = async (namespace: string) =>
      (await ownQuota(admin, { namespace }))?.spec?.hard?.['pods'];
    expect([await podsOf('a'), await podsOf('b')]).toEqual(['3', '9']);

    await admin.patch(Tenant, { name: 'pay' }, { spec: of(['a', 1], ['c', 1]) });
    await until('the quotas wait', async () => {
      const { degraded } = await world.statusOf('pay');
      return degraded?.reason === 'QuotaWaits';
    });
    expect([await podsOf('a'), await podsOf('c')]).toEqual(['3', '0']);
    const left = (await ownQuota(admin, { namespace: 'b' }))!.metadata;
    await admin.delete(ResourceQuota, left);
    await until('the share that was held is released', async () => {
      const both = [await podsOf('a'), await podsOf('c')];
      return both.every((amount) => amount === '6');
    });
    end.abort(new Error('the test is over'));
    expect(sums.filter((sum) => sum > 12_000_000_000n)).toEqual([]);
    expect(sums.length).toBeGreaterThan(5);
  });
});

/** A field manager that changes something again and again. */
const rival = { fieldManager: 'rival' };

test('a manager that reverts healing is reported, and left alone for a while', async () => {
  await withOperator('Heal', async (world) => {
    const { admin, statusOf } = world;
    await declare(world, 'pay', spec);
    await until('it is created', () => isWell(world, 'pay'));
    const quota = (await ownQuota(admin, { namespace: 'pay' }))!.metadata;
    const podsNow = async () => (await admin.get(ResourceQuota, quota)).spec?.hard?.['pods'];
    for (let i = 1; i < MAX_HEALINGS; i += 1) {
      await admin.patch(ResourceQuota, quota, { spec: { hard: { pods: `9${i}` } } }, rival);
      await until('it is healed', async () => (await podsNow()) === '10');
    }
    // The quota was created once, and healed four times.
    await admin.patch(ResourceQuota, quota, { spec: { hard: { pods: '99' } } }, rival);
    const { degraded, drift } = await until('the conflict is reported', async () => {
      const now = await statusOf('pay');
      return now.degraded?.reason === 'Fought' && now;
    });
    expect(degraded?.message).toContain('ResourceQuota pay/');
    expect(degraded?.message).toContain('by rival');
    expect(drift).toEqual([expect.objectContaining({ manager: 'rival', live: '"99"' })]);
    expect(await podsNow()).toBe('99');
  });
});

/** Returns a policy that refuses disruption budgets. */
const obstacle = (reason: string) => {
  const apiVersion = 'admissionregistration.k8s.io/v1';
  const metadata = { name: 'obstacle.example.com' };
  const rule = { apiGroups: ['policy'], apiVersions: ['v1'], operations: ['CREATE'] };
  const resourceRules = [{ ...rule, resources: ['poddisruptionbudgets'] }];
  const validations = [{ expression: 'false', message: reason }];
  const spec = { matchConstraints: { resourceRules }, validations };
  return [
    { apiVersion, kind: 'ValidatingAdmissionPolicy', metadata, spec },
    {
      apiVersion,
      kind: 'ValidatingAdmissionPolicyBinding',
      metadata,
      spec: { policyName: metadata.name, validationActions: ['Deny'] },
    },
  ];
};

test('a refusal of the API server is reported verbatim, and all other objects are created', async () => {
  await withOperator('Heal', async (world) => {
    const { admin, cluster, statusOf } = world;
    await applyManifests(cluster, obstacle('no budgets on Fridays'));
    await until('the policy is in force', async () => {
      const metadata = { name: 'probe', namespace: 'default' };
      const probe = { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata, spec: {} };
      return (await cluster.admin.create(probe, { dryRun: true })).status === 422;
    });
    await declare(world, 'pay', spec);
    const { degraded, drift } = await until('the refusal is reported', async () => {
      const now = await statusOf('pay');
      return now.degraded?.reason === 'HealRefused' && now;
    });
    expect(degraded?.message).toContain('no budgets on Fridays');
    expect(drift?.map(({ type, kind }) => `${type} ${kind}`)).toEqual([
      'Missing PodDisruptionBudget',
    ]);
    expect((await admin.list(RoleBinding, { namespace: 'pay' })).items.length).toBeGreaterThan(0);
  });
});

test('a newly allowed ClusterRole is reported by name, retried ever less often, and bound once the rights exist', async () => {
  await withOperator('Heal', async (world) => {
    const { admin, cluster, statusOf } = world;
    await admin.create(ClusterRole, {
      metadata: { name: 'secret-reader' },
      rules: [{ apiGroups: [''], resources: ['secrets'], verbs: ['get'] }],
    });
    // The second ClusterRole does not exist.
    const more = ['secret-reader', 'to-come'];
    const allow = { clusterRoles: ['view', ...more] };
    await admin.patch(TenantClass, { name: 'default' }, { spec: { allow } });
    for (const role of more) {
      await declare(world, role, {
        ...spec,
        access: { clusterRoles: [{ name: role, groups: ['pay'] }] },
      });
    }
    for (const role of more) {
      const { degraded, drift } = await until(`${role} is reported`, async () => {
        const now = await statusOf(role);
        return now.degraded?.reason === 'MayNotBind' && now;
      });
      expect(degraded?.message).toContain(`the operator may not bind ClusterRole ${role}`);
      expect(drift?.map(({ type, kind }) => `${type} ${kind}`)).toEqual(['Missing RoleBinding']);
    }
    const rights = rightsOf('Heal', ['admin', 'edit', ...allow.clusterRoles]);
    await applyManifests(cluster, [...Object.values(rights.bounds), ...rights.roles]);
    for (const role of more) await until('it is bound', () => isWell(world, role));
    const tried = writes(world).filter((line) => /rolebindings .* (403|404)$/.test(line));
    expect(tried.length).toBeGreaterThanOrEqual(more.length);
    expect(tried.length).toBeLessThanOrEqual(4 * more.length);
  });
});

test('to RBAC a ServiceAccount without a namespace is one of the binding’s namespace, and to the operator it is drift', async () => {
  await withOperator('Create', async (world) => {
    const { admin, cluster, statusOf } = world;
    await admin.create(Namespace, { metadata: { name: 'ci' } });
    const bot = { namespace: 'ci', name: 'bot' };
    const allow = { clusterRoles: ['view'], serviceAccounts: [bot] };
    await admin.patch(TenantClass, { name: 'default' }, { spec: { allow } });
    await declare(world, 'pay', {
      ...spec,
      driftPolicy: 'Create',
      access: { roles: [{ preset: 'deployer', serviceAccounts: [bot] }] },
    });
    await until('it is created', () => isWell(world, 'pay'));
    const { items } = await admin.list(RoleBinding, { namespace: 'pay' });
    const { metadata } = items.find(({ roleRef }) => roleRef.name === 'deployer')!;
    const may = (namespace: string) => {
      const user = `system:serviceaccount:${namespace}:bot`;
      const right = { group: 'apps', resource: 'deployments', namespace: 'pay' };
      return isAllowed(cluster, user, { ...right, verb: 'patch' });
    };
    await until('RBAC has the account', () => may('ci'));
    expect(await may('pay')).toBe(false);
    const group = { apiGroup: RBAC, kind: 'Group', name: 'pay' };
    const subjects = [group, { kind: 'ServiceAccount', name: 'bot' }];
    const { subjects: stored } = await admin.patch(RoleBinding, metadata, { subjects });
    // The API server accepts the subjects, and fills nothing in.
    expect(stored).toEqual(subjects);
    await until('RBAC has another account', async () => !(await may('ci')) && (await may('pay')));
    const { drift = [] } = await until('the drift is reported', async () => {
      const now = await statusOf('pay');
      return now.drift !== undefined && now;
    });
    expect(drift.map(({ type, kind, field }) => `${type} ${kind} ${field}`)).toEqual([
      'Missing RoleBinding subjects[kind=ServiceAccount,namespace=ci,name=bot]',
      'Extra RoleBinding subjects[kind=ServiceAccount,name=bot]',
    ]);
  });
});

test('a namespace belongs to a tenant only by its own label, and namespaces of others are not touched', async () => {
  await withOperator('Heal', async (world) => {
    const { admin, statusOf } = world;
    await admin.create(Namespace, { metadata: { name: 'legacy' } });
    const other = { [TENANT_LABEL]: 'other', 'tenantry.dev/adopt-by': 'thief' };
    await admin.create(Namespace, { metadata: { name: 'theirs', labels: other } });
    for (const [name, namespace] of [
      ['pay', 'legacy'],
      ['thief', 'theirs'],
    ] as const) {
      await declare(world, name, { ...spec, namespaces: [{ name: namespace }] });
      await until(`${namespace} is left alone`, async () => {
        const { degraded } = await statusOf(name);
        return degraded?.reason === 'NamespaceNotOurs';
      });
      expect((await admin.list(RoleBinding, { namespace })).items).toEqual([]);
    }
    const heir = { metadata: { labels: { 'tenantry.dev/adopt-by': 'pay' } } };
    await admin.patch(Namespace, { name: 'legacy' }, heir);
    await until('it is adopted', () => isWell(world, 'pay'));
    expect((await admin.list(RoleBinding, { namespace: 'theirs' })).items).toEqual([]);
    const theirs = await admin.get(Namespace, { name: 'theirs' });
    expect(theirs.metadata.labels?.[TENANT_LABEL]).toBe('other');
  });
});

test('the operator only creates objects where the platform allows no more, and changes nothing of a cordoned tenant', async () => {
  await withOperator('Create', async (world) => {
    const { admin, statusOf } = world;
    await declare(world, 'away', { ...spec, cordoned: true });
    await declare(world, 'pay', spec);
    await until('it is created', () => isWell(world, 'pay'));
    const { ready, driftPolicy } = await statusOf('pay');
    expect(driftPolicy).toBe('Create');
    expect(ready?.message).toContain('driftPolicy Heal is requested, but only Create is allowed');

    const binding = (await admin.list(RoleBinding, { namespace: 'pay' })).items[0]!.metadata;
    await admin.delete(RoleBinding, binding);
    await until('it is created again', async () => {
      const { items } = await admin.list(RoleBinding, { namespace: 'pay' });
      return items.some(({ metadata: { name } }) => name === binding.name);
    });
    const quota = (await ownQuota(admin, { namespace: 'pay' }))!.metadata;
    await admin.patch(ResourceQuota, quota, { spec: { hard: { pods: '99' } } });
    await until(
      'the remaining drift is reported',
      async () => (await statusOf('pay')).ready?.reason === 'Drifted',
    );
    expect(writes(world).filter((line) => !line.startsWith('create'))).toEqual([]);
    await until('the cordon is reported', async () => {
      const { ready: readyCondition } = await statusOf('away');
      return readyCondition?.reason === 'Cordoned';
    });
    const all = await admin.list(Namespace);
    expect(all.items.map(({ metadata: { name } }) => name)).not.toContain('away');
    const { group, plural: resource } = Tenant;
    const left = { group, resource, verbs: ['patch'] } as const;
    const because = 'it removes finalizers that are left from Heal';
    const accounts = {
      group: '',
      resource: 'serviceaccounts',
      verbs: ['patch'],
      resourceNames: PRECREATED_SERVICE_ACCOUNTS,
    } as const;
    await world.account.expectExactAccess([
      ...NEVER,
      [left, because],
      [accounts, 'it completes accounts that controllers create, and no controller runs here'],
    ]);
  });
});

/** A policy that changes quotas as they are written. */
const meddler = [
  {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'MutatingAdmissionPolicy',
    metadata: { name: 'meddler.example.com' },
    spec: {
      failurePolicy: 'Fail',
      reinvocationPolicy: 'Never',
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
      mutations: [
        {
          patchType: 'JSONPatch',
          jsonPatch: {
            expression: '[JSONPatch{op: "add", path: "/spec/hard/pods", value: "77"}]',
          },
        },
      ],
    },
  },
  {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'MutatingAdmissionPolicyBinding',
    metadata: { name: 'meddler.example.com' },
    spec: { policyName: 'meddler.example.com' },
  },
];

testsOfOurMinor(test)(
  'an object that is changed as it is written is reported, and not written again',
  async () => {
    await withOperator('Heal', async (world) => {
      const { admin, cluster, statusOf } = world;
      await declare(world, 'pay', spec);
      await until('it is created', () => isWell(world, 'pay'));
      await applyManifests(cluster, meddler);
      const quota = (await ownQuota(admin, { namespace: 'pay' }))!.metadata;
      const before = writes(world).length;
      await until('the policy is in force', async () => {
        const label = { metadata: { labels: { touched: `${Date.now()}` } } };
        const { spec: liveSpec } = await admin.patch(ResourceQuota, quota, label);
        return liveSpec?.hard?.['pods'] === '77';
      });
      const { degraded } = await until('the change is reported', async () => {
        const now = await statusOf('pay');
        return now.degraded?.reason === 'ChangedOnWrite' && now;
      });
      expect(degraded?.message).toContain('ResourceQuota pay/');
      expect(writes(world).slice(before)).toEqual([]);
    });
  },
);
