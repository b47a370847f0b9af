import { expect } from '@jest/globals';
import { TENANT_LABEL } from '../../model/ownership.ts';
import type { Client } from '@tenantry/testing/controlplane/client';
import { toReference, type Body, type Reply } from '@tenantry/testing/controlplane/objects';
import {
  newNamespace,
  sharedCluster,
  uniqueName,
} from '@tenantry/testing/test/controlplane/shared';
import { until } from '@tenantry/testing/waiting/until';
import { applied, attackedTenant, force, stateOf, withLabels } from './attacked.ts';
import { captureRefusal, refusalOf } from './tenant.ts';

const given = await sharedCluster();
const { test } = given;

const world = () => attackedTenant(given.cluster);

const label = { metadata: { labels: { [TENANT_LABEL]: null } } };

test('the guard also covers the subresources of a namespace (CVE-2026-30963, CVE-2026-55636)', async () => {
  const here = await world();
  const { tenant, alice, mallory } = here;
  const before = await stateOf(given.cluster, here);
  const namespace = before.find(({ kind }) => kind === 'Namespace')!;
  const stripped = withLabels(namespace, {});
  const reference = toReference(namespace);
  const attempts = (by: Client): Promise<Reply>[] => [
    by.replace(stripped, { subresource: 'status' }),
    by.patch(reference, label, { subresource: 'status' }),
    by.apply(applied(namespace, { labels: { [TENANT_LABEL]: 'other' } }), {
      ...force,
      subresource: 'status',
    }),
    by.put(reference, 'finalize', stripped),
    by.put(reference, 'finalize', { ...namespace, spec: { finalizers: [] } }),
  ];
  for (const reply of await Promise.all(attempts(mallory))) {
    expect(reply).toMatchObject(captureRefusal(tenant.name));
  }
  for (const reply of await Promise.all(attempts(alice))) expect(reply.status).toBe(403);
  expect(await stateOf(given.cluster, here)).toEqual(before);
});

test('only Kubernetes updates the usage of a quota or a disruption budget', async () => {
  const here = await world();
  const before = await stateOf(given.cluster, here);
  for (const object of before) {
    if (object.kind !== 'ResourceQuota' && object.kind !== 'PodDisruptionBudget') continue;
    const status = { status: { used: { pods: '0' }, disruptionsAllowed: 9 }, ...label };
    const options = { subresource: 'status' };
    const reply = await here.mallory.patch(toReference(object), status, options);
    expect(reply).toMatchObject(refusalOf(here.tenant.name));
  }
  expect(await stateOf(given.cluster, here)).toEqual(before);
});

test('nobody changes the subjects or the role of a binding of the platform', async () => {
  const here = await world();
  const { tenant, alice, mallory } = here;
  const before = await stateOf(given.cluster, here);
  const binding = before.find(({ metadata }) => metadata?.name === 'tenant-clusterrole-admin')!;
  const subjects = [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'eve' }];
  const roleRef = { ...(binding['roleRef'] as object), name: 'cluster-admin' };
  for (const by of [alice, mallory]) {
    expect(await by.patch(toReference(binding), { subjects })).toMatchObject(
      refusalOf(tenant.name),
    );
    expect([403, 422]).toContain((await by.replace({ ...binding, roleRef })).status);
    expect(await by.delete(toReference(binding))).toMatchObject(refusalOf(tenant.name));
    const again = { ...binding, metadata: applied(binding, {}).metadata!, subjects };
    expect([403, 409]).toContain((await by.create(again)).status);
  }
  expect(await stateOf(given.cluster, here)).toEqual(before);
});

test('neither a new nor an existing object gets the label of a tenant (CVE-2024-39690, CVE-2025-55205)', async () => {
  const here = await world();
  const { tenant, alice, mallory } = here;
  const unowned = await newNamespace(given.cluster, 'unowned');
  const labels = { labels: { [TENANT_LABEL]: tenant.name } };
  for (const name of [unowned, 'kube-system', 'default']) {
    const reference = { apiVersion: 'v1', kind: 'Namespace', name };
    const { body } = await given.cluster.admin.get(reference);
    const captures = await Promise.all([
      mallory.patch(reference, { metadata: labels }),
      mallory.patch(reference, { metadata: labels }, { type: 'strategic' }),
      mallory.patch(reference, { metadata: labels }, { subresource: 'status' }),
      mallory.apply(applied(body, labels), force),
      mallory.replace(withLabels(body, labels.labels)),
      mallory.put(reference, 'finalize', withLabels(body, labels.labels)),
    ]);
    for (const reply of captures) expect(reply).toMatchObject(captureRefusal(tenant.name));
    expect((await given.cluster.admin.get(reference)).body).toEqual(body);
  }
  for (const owner of [tenant.name, 'other']) {
    const metadata = { namespace: tenant.namespace, labels: { [TENANT_LABEL]: owner } };
    const forged = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { ...metadata, name: 'forged' },
    };
    expect(await alice.create(forged)).toMatchObject(captureRefusal(owner));
    const nameless = { ...forged, metadata: { ...metadata, generateName: 'forged-' } };
    expect(await alice.create(nameless)).toMatchObject(captureRefusal(owner));
    expect(await alice.apply(forged, force)).toMatchObject(captureRefusal(owner));
    const namespace = {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: uniqueName('forged') },
    };
    expect(await mallory.create(withLabels(namespace, metadata.labels))).toMatchObject(
      captureRefusal(owner),
    );
  }
});

test('a tenant’s users keep control of the objects that they create themselves', async () => {
  const { tenant, alice, names } = await world();
  const { namespace } = tenant;
  const at = { namespace, name: 'mine' };
  const rbac = 'rbac.authorization.k8s.io';
  const own: Body[] = [
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: at, data: { a: 'b' } },
    {
      apiVersion: `${rbac}/v1`,
      kind: 'RoleBinding',
      metadata: at,
      roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: 'view' },
      subjects: [{ apiGroup: rbac, kind: 'User', name: names.alice }],
    },
    {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'NetworkPolicy',
      metadata: at,
      spec: { podSelector: { matchLabels: { app: 'mine' } }, policyTypes: ['Ingress'] },
    },
    deployment(at, {}),
  ];
  for (const object of own) {
    const reference = toReference(object);
    expect(await alice.create(object, { fieldValidation: 'Strict' })).toMatchObject({
      status: 201,
    });
    const edited = { metadata: { labels: { edited: 'yes' } } };
    expect(await alice.patch(reference, edited)).toMatchObject({ status: 200 });
    expect(await alice.apply(applied(object, edited.metadata), force)).toMatchObject({
      status: 200,
    });
    expect(
      await alice.patch(reference, { metadata: { labels: { [TENANT_LABEL]: tenant.name } } }),
    ).toMatchObject(captureRefusal(tenant.name));
    expect((await alice.delete(reference)).status).toBe(200);
  }
});

test('a label in a pod template does not reach the objects that a controller creates', async () => {
  const { tenant, alice } = await world();
  const forged = deployment(
    { namespace: tenant.namespace, name: 'forged' },
    { [TENANT_LABEL]: 'other' },
  );
  expect(await alice.create(forged)).toMatchObject({ status: 201 });
  const message = await until('the controller is refused its ReplicaSet', async () => {
    const { status } = (await alice.get(toReference(forged))).body;
    const { conditions = [] } = (status ?? {}) as {
      conditions?: readonly { reason: string; message: string }[];
    };
    return conditions.find(({ reason }) => reason === 'ReplicaSetCreateError')?.message;
  });
  expect(message).toContain('an object of tenant other must be in a namespace of the tenant');
  const sets = { apiVersion: 'apps/v1', kind: 'ReplicaSet', namespace: tenant.namespace };
  const { items } = (await alice.list(sets, { labelSelector: `${TENANT_LABEL}=other` })).body;
  expect(items).toEqual([]);
  expect((await alice.delete(toReference(forged))).status).toBe(200);
});

test('an administrator of a tenant may write exactly those subresources that docs/guard.md excludes from the guard', async () => {
  await world();
  const role = { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', name: 'admin' };
  const rules = (await given.cluster.admin.get(role)).body['rules'] as {
    resources: string[];
    verbs: string[];
  }[];
  const reading = new Set(['get', 'list', 'watch']);
  const written = rules
    .filter(({ verbs }) => verbs.some((verb) => !reading.has(verb)))
    .flatMap(({ resources }) => resources.filter((resource) => resource.includes('/')));
  // Of these, only scale, rollback and eviction change or delete something stored in etcd.
  const known = new Set([
    ...['attach', 'exec', 'portforward', 'proxy', 'eviction'].map((sub) => `pods/${sub}`),
    'services/proxy',
    'serviceaccounts/token',
    'deployments/rollback',
    ...['deployments', 'replicasets', 'statefulsets', 'replicationcontrollers'].map(
      (resource) => `${resource}/scale`,
    ),
  ]);
  expect(written.filter((resource) => !known.has(resource))).toEqual([]);
});

function deployment(
  metadata: { namespace: string; name: string },
  extra: Record<string, string>,
): Body {
  const labels = { app: metadata.name };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata,
    spec: {
      selector: { matchLabels: labels },
      template: {
        metadata: { labels: { ...labels, ...extra } },
        spec: { containers: [{ name: 'shop', image: 'example.com/shop:1' }] },
      },
    },
  };
}
