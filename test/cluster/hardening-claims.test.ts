import { expect } from '@jest/globals';
import { buildHardeningLabels } from '../../model/hardening/policy.ts';
import { ownClusters } from '@tenantry/testing/test/controlplane/shared';
import { claim, dryRun, inForce, namespaceWith, refused, hardenedCluster } from './hardened.ts';

const given = await ownClusters();
const { test } = given;
const hardened = hardenedCluster(given, '1.35');

test('a claim gets a new volume, which is deleted with it, and only the binder sets its name later', async () => {
  const cluster = await hardened();
  const { admin } = cluster;
  const namespace = await namespaceWith(cluster, { storage: 'Claims' });
  const free = await namespaceWith(cluster, {});
  const storageClassName = 'delete';
  const tried = (spec: object) => admin.create(claim(namespace, spec), dryRun);
  await inForce(() => tried({ storageClassName: 'retain' }));
  await inForce(() => tried({ storageClassName, volumeName: 'theirs' }));
  for (const [spec, message] of [
    [{ storageClassName, volumeName: 'theirs' }, 'spec.volumeName must not be set'],
    [{ storageClassName, selector: { matchLabels: { a: 'b' } } }, 'spec.selector must not be set'],
    [{ storageClassName: '' }, 'spec.storageClassName must name a StorageClass: a claim'],
    [{}, 'spec.storageClassName must name a StorageClass: a claim'],
    [{ storageClassName: 'retain' }, 'a StorageClass with reclaimPolicy Delete'],
  ] as const) {
    expect(await tried(spec)).toMatchObject(refused(message));
    expect((await admin.create(claim(free, spec), dryRun)).status).toBe(201);
  }
  expect((await admin.create(claim(namespace, { storageClassName }))).status).toBe(201);

  const reference = { apiVersion: 'v1', kind: 'PersistentVolumeClaim', name: 'data', namespace };
  const named = { spec: { volumeName: 'theirs' } };
  expect(await admin.patch(reference, named, dryRun)).toMatchObject(
    refused('spec.volumeName must not be set'),
  );
  const groups = ['system:masters'];
  for (const name of [
    'system:serviceaccount:kube-system:persistent-volume-binder',
    'system:kube-controller-manager',
  ]) {
    const binder = cluster.user(name, { groups });
    expect((await binder.patch(reference, named, dryRun)).status).toBe(200);
    const own = claim(namespace, { storageClassName, ...named.spec }, 'own');
    expect((await binder.create(own, dryRun)).status).toBe(403);
  }
  const label = { metadata: { labels: { edited: 'yes' } } };
  expect((await admin.patch(reference, label)).status).toBe(200);
});

test('a claim from before the policy stays usable', async () => {
  const cluster = await hardened();
  const { admin } = cluster;
  const namespace = await namespaceWith(cluster, {});
  const promised = await namespaceWith(cluster, { storage: 'Claims' });
  const retained = { storageClassName: 'retain' };
  await admin.create(claim(namespace, retained));
  await admin.create(claim(namespace, {}, 'late'));
  await inForce(() => admin.create(claim(promised, retained), dryRun));
  const labels = buildHardeningLabels({ storage: 'Claims' });
  await admin.patch(
    { apiVersion: 'v1', kind: 'Namespace', name: namespace },
    { metadata: { labels } },
  );
  await inForce(() => admin.create(claim(namespace, retained, 'probe'), dryRun));
  const reference = { apiVersion: 'v1', kind: 'PersistentVolumeClaim', namespace };
  const label = { metadata: { labels: { edited: 'yes' } } };
  expect((await admin.patch({ ...reference, name: 'data' }, label)).status).toBe(200);
  // The API server allows a claim without a StorageClass to get one later.
  const late = { ...reference, name: 'late' };
  expect(await admin.patch(late, { spec: retained })).toMatchObject(
    refused('a StorageClass with reclaimPolicy Delete'),
  );
  expect((await admin.patch(late, { spec: { storageClassName: 'delete' } })).status).toBe(200);
});
