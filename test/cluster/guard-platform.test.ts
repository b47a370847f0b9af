import { expect } from '@jest/globals';
import { TENANT_LABEL } from '../../model/ownership.ts';
import type { Client } from '@tenantry/testing/controlplane/client';
import { toReference, type Body } from '@tenantry/testing/controlplane/objects';
import { sharedCluster, uniqueName } from '@tenantry/testing/test/controlplane/shared';
import { until } from '@tenantry/testing/waiting/until';
import { bound, deliver, person, powerful, refusalOf } from './tenant.ts';

const given = await sharedCluster();
const { test } = given;

const app = { app: 'shop' };
const shop = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'shop' },
  spec: {
    replicas: 2,
    selector: { matchLabels: app },
    template: {
      metadata: { labels: app },
      spec: { containers: [{ name: 'shop', image: 'example.com/shop:1' }] },
    },
  },
};
const settings = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings' } };

/** Changes, deletes and recreates the platform's objects in a namespace, and changes the namespace's label. */
async function rules(by: Client, what: 'may' | 'may not'): Promise<void> {
  const { cluster } = given;
  const { objects, name } = await deliver(cluster, uniqueName('ruled'), {
    resources: [{ manifest: settings }],
  });
  const expected = (status: number) => (what === 'may' ? { status } : refusalOf(name));
  for (const kind of ['ConfigMap', 'ResourceQuota', 'NetworkPolicy']) {
    const object = objects.find((one) => one.kind === kind)!;
    const reference = toReference(object);
    const labels = { metadata: { labels: { [TENANT_LABEL]: null } } };
    expect(await by.patch(reference, { metadata: { annotations: { a: 'b' } } })).toMatchObject(
      expected(200),
    );
    expect(await by.delete(reference)).toMatchObject(expected(200));
    const again = { fieldManager: 'argocd-controller', force: true };
    expect(await by.apply(object, again)).toMatchObject(expected(201));
    expect(await by.patch(reference, labels)).toMatchObject(expected(200));
  }
  const namespace = toReference(objects.find(({ kind }) => kind === 'Namespace')!);
  const patch = { metadata: { labels: { team: 'blue' } } };
  expect(await by.patch(namespace, patch)).toMatchObject(expected(200));
  expect(await by.patch(namespace, patch, { subresource: 'status' })).toMatchObject(expected(200));
  expect(await by.delete(namespace)).toMatchObject(expected(200));
}

const account = (namespace: string, name: string) =>
  [
    `system:serviceaccount:${namespace}:${name}`,
    ['system:serviceaccounts', `system:serviceaccounts:${namespace}`],
  ] as const;

test('Argo CD’s application controller may do what RBAC allows', async () => {
  const [user, groups] = account('argocd', 'argocd-application-controller');
  await rules(await powerful(given.cluster, user, groups), 'may');
});

test('another service account in the namespace of Argo CD, with the same rights, may not', async () => {
  const [user, groups] = account('argocd', uniqueName('argocd-server'));
  await rules(await powerful(given.cluster, user, groups), 'may not');
});

test('an administrator, bound to cluster-admin and in no group of the guard, may', async () => {
  const role = { metadata: { name: 'cluster-admin' } };
  await rules(await bound(given.cluster, person('root'), [], role), 'may');
});

test('a user or group that the platform names may', async () => {
  const { cluster } = given;
  const groups = ['github:wagonlark/platform-admins'];
  await rules(await powerful(cluster, person('olga'), groups), 'may');
  await rules(await powerful(cluster, 'break-glass@wagonlark.example.com'), 'may');
  await rules(await powerful(cluster, person('eve'), ['github:wagonlark/platform']), 'may not');
});

test('a service account of kube-system may, since those are Kubernetes’ controllers', async () => {
  const [user, groups] = account('kube-system', uniqueName('controller'));
  await rules(await powerful(given.cluster, user, groups), 'may');
});

test('Kubernetes counts the quota, rolls out a declared Deployment, collects its ReplicaSets, and deletes the namespace', async () => {
  const { cluster } = given;
  const { admin } = cluster;
  const { namespace, objects } = await deliver(cluster, uniqueName('controlled'), {
    resources: [{ manifest: shop }],
    disruptionBudgets: [{ name: 'shop', selector: { matchLabels: app }, maxUnavailable: 1 }],
  });
  const at = async (kind: string) =>
    (await admin.get(toReference(objects.find((one) => one.kind === kind)!))).body;
  const ready = async () =>
    ((await at('Deployment')).status as { readyReplicas?: number }).readyReplicas === 2;
  await until('both replicas are ready', ready);
  await until('the quota counts both pods', async () => {
    const { used } = (await at('ResourceQuota')).status as { used?: Record<string, string> };
    return used?.['pods'] === '2' && used['requests.cpu'] === '100m';
  });
  await until('the budget counts both pods', async () => {
    const status = (await at('PodDisruptionBudget')).status as { currentHealthy?: number };
    return status.currentHealthy === 2;
  });

  const sets = { apiVersion: 'apps/v1', kind: 'ReplicaSet', namespace };
  const setsOf = async (): Promise<Body[]> => (await admin.list(sets)).body.items ?? [];
  const [first] = await setsOf();
  const deployment = toReference(objects.find(({ kind }) => kind === 'Deployment')!);
  const template = { metadata: { annotations: { version: '2' } } };
  const spec = { revisionHistoryLimit: 0, template };
  expect(await admin.patch(deployment, { spec })).toMatchObject({ status: 200 });
  await until('the old ReplicaSet is replaced by a new one', async () => {
    const names = (await setsOf()).map(({ metadata }) => metadata?.name);
    return names.length === 1 && names[0] !== first!.metadata!.name && ready();
  });
  expect((await admin.delete(deployment, { propagationPolicy: 'Background' })).status).toBe(200);
  const pods = { apiVersion: 'v1', kind: 'Pod', namespace };
  await until('its ReplicaSet and pods are garbage-collected', async () => {
    return (await setsOf()).length + (await admin.list(pods)).body.items!.length === 0;
  });

  const writes = cluster
    .auditLog()
    .filter(({ objectRef, requestObject }) => objectRef?.namespace === namespace && requestObject);
  expect(writes.filter(({ responseStatus }) => responseStatus?.code === 403)).toEqual([]);
  const controllers = [
    'deployment-controller',
    'replicaset-controller',
    'resourcequota-controller',
    'disruption-controller',
    'generic-garbage-collector',
  ];
  expect(writes.map(({ user }) => user.username)).toEqual(
    expect.arrayContaining(controllers.map((name) => `system:serviceaccount:kube-system:${name}`)),
  );

  const own = toReference(objects.find(({ kind }) => kind === 'Namespace')!);
  expect((await admin.delete(own)).status).toBe(200);
  await until('the namespace is gone', async () => (await admin.get(own)).status === 404);
});
