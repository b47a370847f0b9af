import { expect } from '@jest/globals';
import { TENANT_LABEL } from '../../model/ownership.ts';
import {
  bound,
  captureRefusal,
  deliver,
  mayDo,
  person,
  reads,
  refusalOf,
} from '../cluster/tenant.ts';
import type { Client } from '@tenantry/testing/controlplane/client';
import type { Body } from '@tenantry/testing/controlplane/objects';
import {
  newNamespace,
  sharedCluster,
  uniqueName,
} from '@tenantry/testing/test/controlplane/shared';
import { until } from '@tenantry/testing/waiting/until';
import { worldOf } from './mtb/world.ts';

const given = await sharedCluster();
const { test } = given;

const RBAC = 'rbac.authorization.k8s.io';

/** A ClusterRole with these rights on Namespaces. */
const roleOnNamespaces = (verbs: readonly string[]): Body => ({
  apiVersion: `${RBAC}/v1`,
  kind: 'ClusterRole',
  metadata: { name: uniqueName('namespaces') },
  rules: [{ apiGroups: [''], resources: ['namespaces'], verbs }],
});

test('CVE-2022-46167: a service account that may patch its own Namespace cannot remove any of its labels', async () => {
  const { cluster } = given;
  const tenant = await deliver(cluster, uniqueName('owned'), { serviceAccounts: [{ name: 'ci' }] });
  const { namespace } = tenant;
  const user = `system:serviceaccount:${namespace}:ci`;
  await bound(cluster, user, [], roleOnNamespaces(['get', 'list', 'patch', 'update']));
  const account = await cluster.serviceAccount(namespace, 'ci');
  const reference = { apiVersion: 'v1', kind: 'Namespace', name: namespace };
  const before = await cluster.admin.get(reference);
  const uid = before.body.metadata!.uid!;
  const owner = { apiVersion: 'v1', kind: 'Namespace', name: namespace, uid };
  for (const metadata of [
    { labels: null },
    { labels: { [TENANT_LABEL]: null } },
    { annotations: null },
    { ownerReferences: null },
    { ownerReferences: [owner] },
    { finalizers: ['example.com/stuck'] },
  ]) {
    const reply = await account.patch(reference, { metadata });
    expect([metadata, reply]).toMatchObject([metadata, refusalOf(tenant.name)]);
  }
  expect((await cluster.admin.get(reference)).body).toEqual(before.body);
});

test('GHSA-f94q-w3w8-cj67: an update is judged by the new object and by the old one', async () => {
  const { cluster } = given;
  const user = person('alice');
  const resources = [
    { manifest: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'theirs' } } },
  ];
  const access = { admins: { users: [user] } };
  const tenant = await deliver(cluster, uniqueName('updated'), { access, resources });
  const alice = cluster.user(user);
  await reads(alice, tenant.namespace);
  const at = (name: string) => ({ name, namespace: tenant.namespace });
  const config = (name: string, labels: object = {}): Body =>
    ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { ...at(name), labels } }) as Body;
  const owned = { [TENANT_LABEL]: tenant.name };
  expect((await alice.create(config('mine'))).status).toBe(201);
  // Harmless before and after: each state alone would be accepted.
  expect(await alice.replace(config('mine', owned))).toMatchObject(captureRefusal(tenant.name));
  expect(await alice.replace(config('theirs'))).toMatchObject(refusalOf(tenant.name));
  expect((await alice.replace(config('mine', { a: 'b' }))).status).toBe(200);
});

test('GHSA-f94q-w3w8-cj67: the same holds for an update of a claim in a hardened namespace', async () => {
  const { alice, tenant, storage } = await worldOf(given.cluster, 'hardened');
  const kind = { apiVersion: 'v1', kind: 'PersistentVolumeClaim' };
  const reference = { ...kind, name: 'data', namespace: tenant.namespace };
  const requests = { storage: '1Gi' };
  const spec = { accessModes: ['ReadWriteOnce'], resources: { requests } };
  const metadata = { name: 'data', namespace: tenant.namespace };
  const claim = { ...kind, metadata, spec: { ...spec, storageClassName: storage.Delete } };
  expect((await alice.create(claim)).status).toBe(201);
  const named = await alice.patch(reference, { spec: { volumeName: 'theirs' } });
  expect(named.body.message).toContain('spec.volumeName must not be set');
  const label = { metadata: { labels: { edited: 'yes' } } };
  expect((await alice.patch(reference, label)).status).toBe(200);
  expect((await alice.delete(reference)).status).toBe(200);
});

test('CVE-2023-46254: a service account of that name in another namespace has no rights', async () => {
  const { cluster } = given;
  const name = uniqueName('machines');
  const tenant = await deliver(cluster, name, {
    serviceAccounts: [{ name: 'ci' }],
    access: { editors: { serviceAccounts: [{ name: 'ci', namespace: `${name}-shop` }] } },
  });
  const elsewhere = await newNamespace(cluster, 'elsewhere');
  const metadata = { name: 'ci', namespace: elsewhere };
  await cluster.admin.create({ apiVersion: 'v1', kind: 'ServiceAccount', metadata });
  const own = await cluster.serviceAccount(tenant.namespace, 'ci');
  const other = await cluster.serviceAccount(elsewhere, 'ci');
  const namesake = cluster.user('ci', { groups: ['ci'] });
  await reads(own, tenant.namespace);
  const may = (who: Client) => mayDo(who, 'list', 'pods', tenant.namespace);
  expect(await Promise.all([own, other, namesake].map(may))).toEqual([true, false, false]);
});

test('CVE-2023-32194: namespaces of another API group are no Namespaces', async () => {
  const { cluster } = given;
  const user = person('alice');
  const rules = [
    { apiGroups: ['example.com'], resources: ['namespaces'], verbs: ['patch', 'update', 'delete'] },
    { apiGroups: [''], resources: ['pods'], verbs: ['list'] },
  ];
  const access = { roles: [{ name: 'odd', rules, users: [user] }] };
  const klass = {
    ceilings: {
      roles: [
        { clusterRole: 'admin' as const },
        { apiGroups: ['example.com'], resources: ['*'], verbs: ['*'] },
      ],
    },
  };
  const { namespace } = await deliver(cluster, uniqueName('grouped'), { access }, { klass });
  const alice = cluster.user(user);
  await reads(alice, namespace);
  const may = (verb: string, what: string) => mayDo(alice, verb, what, namespace);
  await until('the role is hers', () => may('patch', 'namespaces.example.com'));
  expect(await Promise.all(['patch', 'update', 'delete'].map((v) => may(v, 'namespaces')))).toEqual(
    [false, false, false],
  );
  const reference = { apiVersion: 'v1', kind: 'Namespace', name: namespace };
  expect((await alice.delete(reference)).status).toBe(403);
});
