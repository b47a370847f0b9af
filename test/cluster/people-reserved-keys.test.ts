import { expect } from '@jest/globals';
import { RESERVED_KEYS_NAME } from '../../model/policies/reserved-keys.ts';
import type { Client } from '@tenantry/testing/controlplane/client';
import { toReference, type Body } from '@tenantry/testing/controlplane/objects';
import { until } from '@tenantry/testing/waiting/until';
import { sharedCluster, uniqueName } from '@tenantry/testing/test/controlplane/shared';
import { staffedTenant } from './people.ts';

const given = await sharedCluster();
const { test } = given;

const TRACKING = 'argocd.argoproj.io/tracking-id';
const INSTANCE = 'app.kubernetes.io/instance';

const refused = (words: string) => ({
  status: 403,
  body: {
    details: {
      causes: expect.arrayContaining([
        expect.objectContaining({
          message: expect.stringMatching(new RegExp(`'${RESERVED_KEYS_NAME}'.*${words}`, 's')),
        }),
      ]),
    },
  },
});
const isTracked = 'must not have the annotation argocd.argoproj.io/tracking-id';
const isReserved = 'reserved for Argo CD and Tenantry';

const configMap = (namespace: string, metadata: object, name = uniqueName('own')): Body => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace, ...metadata },
});

/** Returns the tracking id by which Argo CD treats the object as part of an Application. */
const forgedId = (application: string, { apiVersion, kind, metadata }: Body): string => {
  const group = apiVersion!.includes('/') ? apiVersion!.split('/')[0] : '';
  return `${application}:${group}/${kind}:${metadata!.namespace}/${metadata!.name}`;
};

const withForged = (object: Body, application = 'eu1.payments.tenantry.rbac'): Body => ({
  ...object,
  metadata: { ...object.metadata, annotations: { [TRACKING]: forgedId(application, object) } },
});

const kinds = (namespace: string): readonly Body[] => [
  configMap(namespace, {}),
  { apiVersion: 'v1', kind: 'Secret', metadata: { name: uniqueName('own'), namespace } },
  {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: uniqueName('own'), namespace },
    spec: {
      replicas: 0,
      selector: { matchLabels: { app: 'a' } },
      template: {
        metadata: { labels: { app: 'a' } },
        spec: { containers: [{ name: 'a', image: 'example.com/a' }] },
      },
    },
  },
];

test('no user of a tenant creates an object that Argo CD treats as part of an Application, of any kind or tenant', async () => {
  const { namespace, alice } = await staffedTenant(given.cluster);
  for (const object of kinds(namespace)) {
    for (const application of ['eu1.payments', 'somebody-elses', `${namespace}.eu1.web`]) {
      const forged = withForged(object, application);
      expect(await alice.create(forged, { dryRun: true })).toMatchObject(refused(isTracked));
    }
    expect(await alice.create(object)).toMatchObject({ status: 201 });
    const { annotations } = withForged(object).metadata!;
    const change = { metadata: { annotations } };
    expect(await alice.patch(toReference(object), change)).toMatchObject(refused(isTracked));
  }
});

test('no user of a tenant sets the keys that control Argo CD and Tenantry', async () => {
  const { namespace, alice } = await staffedTenant(given.cluster);
  const make = (metadata: object) => alice.create(configMap(namespace, metadata), { dryRun: true });
  for (const key of [
    'argocd.argoproj.io/sync-options',
    'argocd.argoproj.io/compare-options',
    'argocd.argoproj.io/hook',
    'argocd.argoproj.io/tracking-id',
    'link.argocd.argoproj.io/external-link',
    'policy.tenantry.dev/subjects',
    'tenantry.dev/environment',
  ]) {
    const annotations = { [key]: 'Prune=confirm' };
    expect([key, await make({ annotations })]).toMatchObject([key, refused(isReserved)]);
  }
  const labels = { 'argocd.argoproj.io/secret-type': 'cluster' };
  expect(await make({ labels })).toMatchObject(refused(isReserved));
  const kept = { 'notargocd.argoproj.io.example.com/x': 'y', 'example.com/tracking-id': 'z' };
  expect(await make({ annotations: kept })).toMatchObject({ status: 201 });
});

test('a label may name any Helm release, but no Application of the platform', async () => {
  const { namespace, alice } = await staffedTenant(given.cluster);
  const make = (value: string) =>
    alice.create(configMap(namespace, { labels: { [INSTANCE]: value } }), { dryRun: true });
  for (const value of ['fra1.payments', 'fra1.payments.tenantry.rbac', 'tenantry', 'tenantry-x']) {
    expect([value, await make(value)]).toMatchObject([value, refused(`got ${value}`)]);
  }
  for (const value of ['web', 'fra1', 'web.fra1']) {
    expect([value, await make(value)]).toMatchObject([value, { status: 201 }]);
  }
  const helm = {
    labels: { 'app.kubernetes.io/managed-by': 'Helm', [INSTANCE]: 'web' },
    annotations: { 'meta.helm.sh/release-name': 'web', 'helm.sh/hook': 'pre-install' },
  };
  const reply = await alice.create(configMap(namespace, helm), { dryRun: true });
  expect(reply).toMatchObject({ status: 201 });
});

test('the keys that Argo CD has set stay when a user changes the rest of an object', async () => {
  const { namespace, alice } = await staffedTenant(given.cluster);
  const object = withForged(configMap(namespace, {}));
  expect(await given.cluster.admin.create(object)).toMatchObject({ status: 201 });
  const change = { data: { a: 'b' } };
  expect(await alice.patch(toReference(object), change)).toMatchObject({ status: 200 });
});

test('no template passes a reserved key through a controller', async () => {
  const { cluster } = given;
  const { namespace, alice } = await staffedTenant(cluster, {
    quota: { preset: 'none', hard: { pods: 9 } },
  });
  const name = uniqueName('own');
  const claim = `c-${name}-0`;
  const annotations = {
    [TRACKING]: `eu1.payments:/PersistentVolumeClaim:${namespace}/${claim}`,
    'argocd.argoproj.io/sync-options': 'Prune=confirm',
  };
  const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
  await alice.create({
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { name, namespace },
    spec: {
      serviceName: name,
      selector: { matchLabels: { app: name } },
      template: {
        metadata: { labels: { app: name } },
        spec: { containers: [{ name: 'a', image: 'example.com/a' }] },
      },
      volumeClaimTemplates: [{ metadata: { name: 'c', annotations }, spec }],
    },
  });
  await until('the controller reports the refusal', () =>
    hasRefusalEvent(cluster.admin, namespace),
  );
  const reference = { apiVersion: 'v1', kind: 'PersistentVolumeClaim', namespace, name: claim };
  expect(await cluster.admin.get(reference)).toMatchObject({ status: 404 });
});

async function hasRefusalEvent(admin: Client, namespace: string): Promise<boolean> {
  const { body } = await admin.list({ apiVersion: 'v1', kind: 'Event', namespace });
  return JSON.stringify(body.items ?? []).includes(RESERVED_KEYS_NAME);
}

test('controllers copy the keys of what Argo CD has synced, as those of Kubernetes do for a ReplicaSet', async () => {
  const { cluster } = given;
  const { namespace, alice } = await staffedTenant(cluster, {
    quota: { preset: 'none', hard: { pods: 9 } },
  });
  const [, , deployment] = kinds(namespace);
  const { metadata } = deployment!;
  const annotations = {
    [TRACKING]: forgedId(`${namespace}.eu1.web`, deployment!),
    'argocd.argoproj.io/sync-wave': '1',
  };
  expect(
    await cluster.admin.create({ ...deployment!, metadata: { ...metadata, annotations } }),
  ).toMatchObject({ status: 201 });
  const copy = await until('the ReplicaSet is there', async () => {
    const { body } = await cluster.admin.list({
      apiVersion: 'apps/v1',
      kind: 'ReplicaSet',
      namespace,
    });
    return body.items?.[0];
  });
  expect(copy.metadata?.annotations).toMatchObject(annotations);
  alice.close();
});

test('Argo CD syncs as a tenant only the objects of an Application of that tenant', async () => {
  const { cluster } = given;
  const { tenant, namespace } = await staffedTenant(cluster);
  const name = `system:serviceaccount:tenantry-system:sync.${tenant.name}`;
  const groups = ['system:masters:none', 'system:serviceaccounts:tenantry-system'];
  const account = cluster.user(name, { groups });
  const admin = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'admin' };
  await cluster.admin.create({
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'RoleBinding',
    metadata: { name: uniqueName('sync'), namespace },
    roleRef: admin,
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name }],
  });
  const make = (application: string) =>
    account.create(withForged(configMap(namespace, {}), application), { dryRun: true });
  await until(
    'it has its rights',
    async () => (await make(`${namespace}.fra1.web`)).status === 201,
  );
  expect(await make(`${namespace}_web`)).toMatchObject({ status: 201 });
  for (const other of [
    'fra1.payments',
    'fra1.payments.tenantry.rbac',
    'else.fra1.web',
    namespace,
  ]) {
    if (other === namespace) continue;
    expect([other, await make(other)]).toMatchObject([other, refused(isTracked)]);
  }
});
