import { afterAll, expect } from '@jest/globals';
import { listGrantAccess } from '../../model/operator/access.ts';
import { APP_OBJECTS } from '../../model/app-objects.ts';
import { listAllBindableRoles } from '../../model/classes/allowances.ts';
import { resolvePlatform } from '../../model/platform.ts';
import { crdManifest } from '@tenantry/crd/definition';
import { tenantClass } from '../../crds/tenant-class.ts';
import { tenant as tenantDefinition } from '../../crds/tenant.ts';
import type { DriftPolicy, TenantClassSpec, TenantSpec } from '../../crds/types.ts';
import { roleObjects } from '@tenantry/kube/access';
import { TENANT_LABEL } from '@tenantry/kube/cascade-root';
import { Tenant, TenantClass } from '../../operator/cluster/kinds.ts';
import { FINALIZER } from '../../operator/finalize/finalizer-task.ts';
import { tenantController } from '../../operator/tenant/tenant-controller.ts';
import type { Client } from '@tenantry/runtime/client/client';
import { findCondition } from '@tenantry/runtime/conditions/conditions';
import { ifGone } from '@tenantry/runtime/errors/reaction';
import { CustomResourceDefinition } from '@tenantry/runtime/kinds/apiextensions';
import { ConfigMap, Namespace, ResourceQuota } from '@tenantry/runtime/kinds/core';
import { Event } from '@tenantry/runtime/kinds/events';
import { NetworkPolicy } from '@tenantry/runtime/kinds/networking';
import { RoleBinding } from '@tenantry/runtime/kinds/rbac';
import { startCluster, type ClusterAccess } from '@tenantry/testing/controlplane/cluster';
import { until } from '@tenantry/testing/waiting/until';
import {
  applyManifests,
  clientOf,
  closeClients,
  runAs,
  type RunningOperator,
} from '../examples/operator.ts';
import { ownClusters } from '@tenantry/testing/test/controlplane/shared';
import { Account } from './accounts.ts';
import { serve } from './crds.ts';

const given = await ownClusters();
const { test } = given;
afterAll(closeClients);

const RBAC = 'rbac.authorization.k8s.io';
const metadata = { name: 'tenantry-operator', namespace: 'tenantry-system' };
const standard: TenantClassSpec = { defaults: { quota: { hard: { pods: 10 } } } };
const spec: TenantSpec = { driftPolicy: 'Heal', access: { editors: { groups: ['pay'] } } };

interface World {
  readonly cluster: ClusterAccess;
  readonly admin: Client;
  /**
   * Starts an operator. The platform allows up to `most`, and the operator's own setting may be the lower `policy`.
   */
  operator(most?: DriftPolicy, policy?: DriftPolicy): Promise<RunningOperator>;
}

/** Runs a test in a cluster with the definitions and one class. Each operator has exactly its declared rights. */
async function within(
  play: (world: World) => Promise<void>,
  controllerManager = false,
): Promise<void> {
  await using cluster = controllerManager
    ? await startCluster({ binaries: given.binaries, controllerManager })
    : await given.newCluster();
  const admin = clientOf(cluster.admin);
  const running: RunningOperator[] = [];
  await applyManifests(cluster, [
    crdManifest(tenantDefinition),
    crdManifest(tenantClass),
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: metadata.namespace } },
  ]);
  await admin.create(TenantClass, { metadata: { name: 'default' }, spec: standard });
  const operator: World['operator'] = async (most = 'Heal', policy = 'Heal') => {
    const platform = resolvePlatform({ operator: { driftPolicy: most } });
    const clusterRoles = listAllBindableRoles([{ name: 'default', spec: standard }]);
    const controller = tenantController({ platform, cluster: 'in-cluster', policy });
    const access = [...controller.access, ...listGrantAccess(most, clusterRoles)];
    const name = `operator-${running.length}`;
    const own = { ...metadata, name };
    await applyManifests(cluster, [
      { apiVersion: 'v1', kind: 'ServiceAccount', metadata: own },
      ...Object.values(roleObjects({ ...own, access })),
    ]);
    const account = await Account.of(cluster, own, controller.access);
    const one = runAs(account.client, controller);
    running.push(one);
    return one;
  };
  try {
    await play({ cluster, admin, operator });
  } finally {
    for (const one of running) await one.stop();
  }
  const logs = running.flatMap((one) => one.logs);
  expect(logs.filter((line) => line.includes('"level":"error"'))).toEqual([]);
}

const declare = ({ admin }: World, name: string, tenantSpec: TenantSpec = spec) =>
  admin.create(Tenant, { metadata: { name }, spec: tenantSpec });

const find = ({ admin }: World, name: string) => admin.get(Tenant, { name }).catch(ifGone);

/** Returns the status and reason of a condition of the Tenant's current generation, such as `True AsDeclared`. */
async function readyOf(world: World, name: string, type = 'Ready'): Promise<string | undefined> {
  const one = await find(world, name);
  if (one?.status?.observedGeneration !== one?.metadata.generation) return undefined;
  const condition = findCondition(one?.status?.conditions, type);
  return condition && `${condition.status} ${condition.reason}`;
}

const waitForCondition = (world: World, name: string, what: string, type = 'Ready') =>
  until(`${name} reports ${what}`, async () => (await readyOf(world, name, type)) === what);

const goes = (world: World, name: string) =>
  until(`${name} is gone`, async () => (await find(world, name)) === undefined);

const bindingsIn = async ({ admin }: World, namespace: string): Promise<string[]> =>
  (await admin.list(RoleBinding, { namespace })).items.map((one) => one.metadata.name).toSorted();

const finalizersOf = async (world: World, name: string) =>
  (await find(world, name))?.metadata.finalizers ?? [];

/** Creates a role binding of another manager, with or without the label of a tenant. */
const bind = ({ admin }: World, namespace: string, name: string, tenant?: string) =>
  admin.create(RoleBinding, {
    metadata: { name, namespace, ...(tenant && { labels: { [TENANT_LABEL]: tenant } }) },
    roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name: 'admin' },
    subjects: [{ apiGroup: RBAC, kind: 'User', name: 'eve' }],
  });

/** Expects that the deletion kept the namespace and its content. */
async function expectKept({ admin }: World, name: string, uid: string): Promise<void> {
  const { metadata: kept } = await admin.get(Namespace, { name });
  expect([kept.uid, kept.deletionTimestamp, kept.labels?.[TENANT_LABEL]]).toEqual([
    uid,
    undefined,
    name,
  ]);
  const counts = await Promise.all(
    [ResourceQuota, NetworkPolicy].map(
      async (kind) => (await admin.list(kind, { namespace: name })).items.length,
    ),
  );
  // The quotas of the class, and those for affinity, priority and object counts.
  expect(counts).toEqual([4, expect.any(Number)]);
}

const uidOf = async ({ admin }: World, name: string): Promise<string> =>
  (await admin.get(Namespace, { name })).metadata.uid;

test('undeclared access is revoked, a suspended tenant loses the bindings of every manager, and the namespace of a deleted tenant stays', async () => {
  await within(async (world) => {
    const { admin, operator } = world;
    await operator();
    await declare(world, 'pay');
    await waitForCondition(world, 'pay', 'True AsDeclared');
    expect(await finalizersOf(world, 'pay')).toEqual([FINALIZER]);
    const uid = await uidOf(world, 'pay');
    const [edit = ''] = await bindingsIn(world, 'pay');
    expect(await bindingsIn(world, 'pay')).toEqual([edit]);

    await bind(world, 'pay', 'by-argocd', 'pay');
    await bind(world, 'pay', 'by-eve');
    const viewers = { editors: null, viewers: { groups: ['pay'] } } as never;
    await admin.patch(Tenant, { name: 'pay' }, { spec: { access: viewers } });
    await until('the access of the editors is revoked', async () => {
      const names = await bindingsIn(world, 'pay');
      return names.length === 3 && !names.includes(edit);
    });
    await waitForCondition(world, 'pay', 'False Drifted');
    expect((await find(world, 'pay'))?.status?.drift).toEqual([
      expect.objectContaining({ type: 'Extra', kind: 'RoleBinding', name: 'by-argocd' }),
    ]);

    await admin.patch(Tenant, { name: 'pay' }, { spec: { lifecycle: 'Suspended' } });
    await waitForCondition(world, 'pay', 'True AsDeclared');
    expect(await bindingsIn(world, 'pay')).toEqual([]);
    await bind(world, 'pay', 'again', 'pay');
    await bind(world, 'pay', 'again-by-eve');
    await until('both bindings are removed', async () => {
      const names = await bindingsIn(world, 'pay');
      return names.length === 0;
    });

    await admin.delete(Tenant, { name: 'pay' });
    await goes(world, 'pay');
    await expectKept(world, 'pay', uid);
    await until('what stays is reported', async () => {
      const { items } = await admin.list(Event);
      return items.some(({ reason, note }) => reason === 'Left' && note?.includes('Suspended'));
    });
    await declare(world, 'pay');
    await waitForCondition(world, 'pay', 'True AsDeclared');
    expect(await bindingsIn(world, 'pay')).toEqual([edit]);
    await expectKept(world, 'pay', uid);
  });
});

test('a binding that others made is removed a minute after it is no longer declared, and one that an app declares stays', async () => {
  await within(async (world) => {
    const { admin, operator } = world;
    await operator();
    await declare(world, 'pay');
    await waitForCondition(world, 'pay', 'True AsDeclared');
    const declared = await bindingsIn(world, 'pay');
    await bind(world, 'pay', 'by-eve');
    await bind(world, 'pay', 'by-app', 'pay');
    await waitForCondition(world, 'pay', 'False Drifted');
    const list = async (appObjects: string | null) => {
      const annotations = { [APP_OBJECTS]: appObjects };
      await admin.patch(Tenant, { name: 'pay' }, { metadata: { annotations } } as never);
    };
    await list(`${RBAC}/RoleBinding pay/by-app`);
    await waitForCondition(world, 'pay', 'False UndeclaredAccess');
    expect((await find(world, 'pay'))?.status?.drift).toBeUndefined();
    await list(null);
    await waitForCondition(world, 'pay', 'False Drifted');
    await until(
      'the binding is removed',
      async () => !(await bindingsIn(world, 'pay')).includes('by-app'),
      { within: 90_000 },
    );
    await waitForCondition(world, 'pay', 'False UndeclaredAccess');
    expect(await bindingsIn(world, 'pay')).toEqual(['by-eve', ...declared].toSorted());
  });
});

test('a retired tenant that is deleted while the operator is down loses all access, and an active one keeps it', async () => {
  await within(async (world) => {
    const { admin, operator } = world;
    const first = await operator();
    for (const name of ['pay', 'shop']) await declare(world, name);
    for (const name of ['pay', 'shop']) await waitForCondition(world, name, 'True AsDeclared');
    const uids = [await uidOf(world, 'pay'), await uidOf(world, 'shop')] as const;
    const kept = await bindingsIn(world, 'shop');
    expect(kept).not.toEqual([]);
    await first.stop();
    await bind(world, 'pay', 'by-argocd', 'pay');
    await admin.patch(Tenant, { name: 'pay' }, { spec: { lifecycle: 'Retired' } });
    for (const name of ['pay', 'shop']) await admin.delete(Tenant, { name });
    // The class of the tenants can no longer be read.
    await admin.delete(TenantClass, { name: 'default' });
    expect(await find(world, 'pay')).toBeDefined();
    await operator();
    for (const name of ['pay', 'shop']) await goes(world, name);
    expect(await bindingsIn(world, 'pay')).toEqual([]);
    expect(await bindingsIn(world, 'shop')).toEqual(kept);
    await expectKept(world, 'pay', uids[0]);
    await expectKept(world, 'shop', uids[1]);
  });
});

test('deleting a tenant that came from Git revokes the access that the operator granted in place of Argo CD', async () => {
  await within(async (world) => {
    const { admin, operator } = world;
    await operator();
    await declare(world, 'pay');
    await waitForCondition(world, 'pay', 'True AsDeclared');
    const uid = await uidOf(world, 'pay');
    await bind(world, 'pay', 'by-argocd', 'pay');
    const annotations = { 'argocd.argoproj.io/tracking-id': 'eu1.pay:tenantry.dev/Tenant:/pay' };
    await admin.patch(Tenant, { name: 'pay' }, { metadata: { annotations } });
    await admin.delete(Tenant, { name: 'pay' });
    await goes(world, 'pay');
    expect(await bindingsIn(world, 'pay')).toEqual(['by-argocd']);
    await expectKept(world, 'pay', uid);
  });
});

/** A policy that refuses the deletion of role bindings in the namespace `pay`. */
const refusing = [
  {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name: 'keep.example.com' },
    spec: {
      failurePolicy: 'Fail',
      matchConstraints: {
        resourceRules: [
          {
            apiGroups: [RBAC],
            apiVersions: ['v1'],
            operations: ['DELETE'],
            resources: ['rolebindings'],
          },
        ],
      },
      validations: [{ expression: "request.namespace != 'pay'", message: 'access is for ever' }],
    },
  },
  {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicyBinding',
    metadata: { name: 'keep.example.com' },
    spec: { policyName: 'keep.example.com', validationActions: ['Deny'] },
  },
] as const;

test('a tenant that cannot be deleted reports why: a refusal to the operator, or the finalizers of others', async () => {
  await within(async (world) => {
    const { admin, cluster, operator } = world;
    await operator();
    await declare(world, 'pay');
    await waitForCondition(world, 'pay', 'True AsDeclared');
    await applyManifests(cluster, refusing);
    const { name: edit = '' } = (await admin.list(RoleBinding, { namespace: 'pay' })).items[0]!
      .metadata;
    const trial = { namespace: 'pay', name: edit };
    await until('the deletion of a binding is refused', () =>
      admin.delete(RoleBinding, trial, { dryRun: true }).then(
        () => false,
        () => true,
      ),
    );
    const finalizers = [FINALIZER, 'example.com/archive'];
    await admin.patch(Tenant, { name: 'pay' }, { metadata: { finalizers } });
    await admin.patch(Tenant, { name: 'pay' }, { spec: { lifecycle: 'Retired' } });
    await admin.delete(Tenant, { name: 'pay' });
    await waitForCondition(world, 'pay', 'True HealRefused', 'Degraded');
    expect(await readyOf(world, 'pay')).toBe('False Leaving');
    const { status } = (await find(world, 'pay'))!;
    expect(findCondition(status?.conditions, 'Degraded')?.message).toContain('access is for ever');

    for (const { apiVersion, kind, metadata: at } of refusing.toReversed()) {
      await cluster.admin.delete({ apiVersion, kind, name: at.name });
    }
    await waitForCondition(world, 'pay', 'False FinalizersRemain');
    expect(await finalizersOf(world, 'pay')).toEqual(['example.com/archive']);
    const ready = findCondition((await find(world, 'pay'))?.status?.conditions, 'Ready');
    expect(ready?.message).toContain('example.com/archive');
    expect(await bindingsIn(world, 'pay')).toEqual([]);
    await admin.patch(Tenant, { name: 'pay' }, { metadata: { finalizers: [] } });
    await goes(world, 'pay');
  });
});

test('the finalizer is set only where the operator heals, and is removed with the mode; a leftover finalizer is reported and removed', async () => {
  await within(async (world) => {
    const { admin, operator } = world;
    const first = await operator();
    const specs: Record<string, TenantSpec> = {
      seen: { driftPolicy: 'Observe' },
      made: { driftPolicy: 'Create' },
      calm: spec,
      left: spec,
      frozen: spec,
    };
    for (const [name, tenantSpec] of Object.entries(specs)) await declare(world, name, tenantSpec);
    for (const name of ['made', 'calm', 'left', 'frozen']) {
      await waitForCondition(world, name, 'True AsDeclared');
    }
    await waitForCondition(world, 'seen', 'False RollingOut');
    for (const name of ['seen', 'made']) expect(await finalizersOf(world, name)).toEqual([]);
    await admin.patch(Tenant, { name: 'calm' }, { spec: { driftPolicy: 'Observe' } });
    await until(
      'the finalizer is removed',
      async () => (await finalizersOf(world, 'calm')).length === 0,
    );

    await admin.patch(Tenant, { name: 'frozen' }, { spec: { cordoned: true } });
    await waitForCondition(world, 'frozen', 'Unknown Cordoned');
    await bind(world, 'frozen', 'by-argocd', 'frozen');
    await admin.delete(Tenant, { name: 'frozen' });
    await goes(world, 'frozen');
    expect(await bindingsIn(world, 'frozen')).toContain('by-argocd');
    await first.stop();

    for (const name of ['seen', 'calm', 'left']) await admin.delete(Tenant, { name });
    await goes(world, 'seen');
    await goes(world, 'calm');
    const observing = await operator('Observe');
    await waitForCondition(world, 'left', 'False FinalizersRemain');
    const ready = findCondition((await find(world, 'left'))?.status?.conditions, 'Ready');
    expect(ready?.message).toContain(`${FINALIZER} remains from a time when the operator healed`);
    await observing.stop();
    await operator('Heal', 'Observe');
    await goes(world, 'left');
    expect(await bindingsIn(world, 'left')).not.toEqual([]);
  });
});

test('deleting the definition and serving it again deletes nothing, and Tenants without the finalizer are deleted at once', async () => {
  await within(async (world) => {
    const { admin, cluster, operator } = world;
    const names = ['pay', 'shop'];
    const first = await operator();
    for (const name of names) await declare(world, name);
    for (const name of names) await waitForCondition(world, name, 'True AsDeclared');
    const before = await Promise.all(names.map(async (name) => await bindingsIn(world, name)));
    const uids = await Promise.all(names.map((name) => uidOf(world, name)));
    await admin.patch(Tenant, { name: 'shop' }, { spec: { driftPolicy: 'Observe' } });
    await until(
      'the finalizer is removed',
      async () => (await finalizersOf(world, 'shop')).length === 0,
    );
    await first.stop();

    const definition = { name: 'tenants.tenantry.dev' };
    await admin.delete(CustomResourceDefinition, definition);
    await goes(world, 'shop');
    expect(await find(world, 'pay')).toBeDefined();
    await operator();
    await until('the definition is gone', async () => {
      const found = await admin.get(CustomResourceDefinition, definition).catch(ifGone);
      return found === undefined;
    });
    await serve(cluster.admin, crdManifest(tenantDefinition));
    for (const name of names) {
      await until(`${name} can be created`, () =>
        declare(world, name).then(
          () => true,
          () => false,
        ),
      );
    }
    for (const name of names) await waitForCondition(world, name, 'True AsDeclared');
    expect(await Promise.all(names.map((name) => bindingsIn(world, name)))).toEqual(before);
    for (const [i, name] of names.entries()) await expectKept(world, name, uids[i]!);
  });
});

test('a namespace that cannot be deleted reports what it waits for, and is created again once it is gone', async () => {
  await within(async (world) => {
    const { admin, operator } = world;
    await operator();
    await declare(world, 'pay');
    await waitForCondition(world, 'pay', 'True AsDeclared');
    const keep = { name: 'keep', namespace: 'pay' };
    await admin.create(ConfigMap, { metadata: { ...keep, finalizers: ['example.com/archive'] } });
    await admin.delete(Namespace, { name: 'pay' });
    const degraded = await until('the reason is reported', async () => {
      const { status } = await admin.get(Tenant, { name: 'pay' });
      const condition = findCondition(status?.conditions, 'Degraded');
      return condition?.message?.includes('example.com/archive') && condition;
    });
    expect(degraded.reason).toBe('NamespaceTerminating');
    expect(degraded.message).toContain('pay waits for NamespaceContentRemaining');
    await admin.patch(ConfigMap, keep, { metadata: { finalizers: [] } });
    await waitForCondition(world, 'pay', 'True AsDeclared');
  }, true);
});

test('of two Tenants the older one gets the namespace, and a protected or foreign namespace is never adopted', async () => {
  await within(async (world) => {
    const { admin, operator } = world;
    await operator();
    await declare(world, 'pay');
    await waitForCondition(world, 'pay', 'True AsDeclared');
    await declare(world, 'thief', { ...spec, namespaces: [{ name: 'pay' }, { name: 'den' }] });
    await waitForCondition(world, 'thief', 'False NamespaceTaken');
    for (const heir of ['grab', 'other']) {
      const labels = { 'tenantry.dev/adopt-by': heir };
      await admin.patch(Namespace, { name: 'kube-public' }, { metadata: { labels } });
      await declare(world, 'grab', { ...spec, namespaces: [{ name: 'kube-public' }] }).catch(
        () => undefined,
      );
      await waitForCondition(world, 'grab', 'False Refused');
    }
    const { metadata: own } = await admin.get(Namespace, { name: 'kube-public' });
    expect(own.labels?.[TENANT_LABEL]).toBeUndefined();
    const wrong = { 'tenantry.dev/adopt-by': 'somebody' };
    await admin.create(Namespace, { metadata: { name: 'legacy', labels: wrong } });
    await declare(world, 'heir', { ...spec, namespaces: [{ name: 'legacy' }] });
    await waitForCondition(world, 'heir', 'True NamespaceNotOurs', 'Degraded');
    expect(await bindingsIn(world, 'legacy')).toEqual([]);
    expect((await admin.list(Namespace)).items.map((one) => one.metadata.name)).not.toContain(
      'den',
    );

    // A label on the namespace itself is required to adopt a namespace of a deleted tenant.
    await admin.delete(Tenant, { name: 'pay' });
    await waitForCondition(world, 'thief', 'True NamespaceNotOurs', 'Degraded');
    const given = { [TENANT_LABEL]: null, 'tenantry.dev/adopt-by': 'thief' } as never;
    await admin.patch(Namespace, { name: 'pay' }, { metadata: { labels: given } });
    await waitForCondition(world, 'thief', 'True AsDeclared');
  });
});

test('a binding with a declared name and another role is reported, and only Heal replaces it', async () => {
  await within(async (world) => {
    const { admin, operator } = world;
    const policies = { seen: 'Observe', made: 'Create', healed: 'Heal' } as const;
    const names = Object.keys(policies);
    await operator();
    for (const name of names) await declare(world, name);
    for (const name of names) await waitForCondition(world, name, 'True AsDeclared');
    const [edit = ''] = await bindingsIn(world, 'seen');
    for (const [name, driftPolicy] of Object.entries(policies)) {
      await admin.patch(Tenant, { name }, { spec: { cordoned: true, driftPolicy } });
      await waitForCondition(world, name, 'Unknown Cordoned');
      await admin.delete(RoleBinding, { name: edit, namespace: name });
      await bind(world, name, edit, name);
      await admin.patch(Tenant, { name }, { spec: { cordoned: false } });
    }
    await waitForCondition(world, 'healed', 'True AsDeclared');
    for (const name of ['seen', 'made']) {
      await waitForCondition(world, name, 'False Drifted');
      const { drift = [] } = (await find(world, name))?.status ?? {};
      expect(drift.map(({ field }) => field)).toContain('roleRef.name');
    }
    const roles = await Promise.all(
      names.map(
        async (namespace) => (await admin.get(RoleBinding, { name: edit, namespace })).roleRef.name,
      ),
    );
    expect(roles).toEqual(['admin', 'admin', 'edit']);
  });
});
