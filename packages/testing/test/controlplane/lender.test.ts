import { afterAll, beforeAll, expect } from '@jest/globals';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '../../controlplane/client.ts';
import type { Body } from '../../controlplane/objects.ts';
import { until } from '../../waiting/until.ts';
import { isAllowed } from '@tenantry/test-tools/cluster/accounts';
import { ofOneVersion, serve } from '@tenantry/test-tools/cluster/crds';
import { clusterMinor } from '@tenantry/test-tools/cluster/minor';
import { EtcdStore } from './etcd-store.ts';
import { borrowCluster, ClusterPool, type OwnCluster } from './lender.ts';
import { ownClusters } from './shared.ts';

const { test } = await ownClusters();

const RBAC = 'rbac.authorization.k8s.io';
const toy = { apiVersion: 'toys.example.com/v1', kind: 'Toy', plural: 'toys' };
const core = (kind: string, name: string, more: object = {}): Body => ({
  apiVersion: 'v1',
  kind,
  metadata: { name, ...(kind === 'Namespace' ? {} : { namespace: 'shop' }) },
  ...more,
});
const eve = { kind: 'User', apiGroup: RBAC, name: 'eve' };

const ofConfigMaps = {
  failurePolicy: 'Fail',
  matchConstraints: {
    resourceRules: [
      { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] },
    ],
  },
};
const policyName = 'never.example.com';
const inDefault = { name: 'settings', namespace: 'default' };

/** Two policies: one rejects every new ConfigMap, the other makes every ConfigMap immutable. */
const policies = [
  {
    kind: 'ValidatingAdmissionPolicy',
    spec: {
      ...ofConfigMaps,
      validations: [{ expression: 'false', message: 'no more settings' }],
    },
  },
  {
    kind: 'ValidatingAdmissionPolicyBinding',
    spec: { policyName, validationActions: ['Deny'] },
  },
  {
    kind: 'MutatingAdmissionPolicy',
    spec: {
      ...ofConfigMaps,
      reinvocationPolicy: 'Never',
      mutations: [
        {
          patchType: 'JSONPatch',
          jsonPatch: {
            expression: '[JSONPatch{op: "add", path: "/immutable", value: true}]',
          },
        },
      ],
    },
  },
  { kind: 'MutatingAdmissionPolicyBinding', spec: { policyName } },
].map((one) => ({
  ...one,
  apiVersion: 'admissionregistration.k8s.io/v1',
  metadata: { name: policyName },
}));
const [validating, mutating] = [policies.slice(0, 2), policies.slice(2)];

const messages: string[] = [];
const lender = new ClusterPool((line) => void messages.push(line));
let address = '';
beforeAll(async () => {
  address = await lender.listen();
});
afterAll(() => lender.close());

/** Returns all stored data except what the API server writes from time to time. */
async function storedIn({ details }: OwnCluster): Promise<Map<string, string>> {
  const store = new EtcdStore(join(details.folder, 'etcd.sock'));
  const all = (await store.entries()).map(({ key, value }) => [
    Buffer.from(key, 'base64').toString(),
    value,
  ]) as [string, string][];
  return new Map(all.filter(([key]) => !key.startsWith('/registry/leases/kube-system/')));
}

const make = async (admin: Client, object: Body): Promise<void> => {
  const { status, body } = await admin.create(object);
  if (status !== 201) throw new Error(body.message);
};

/** Leaves behind the worst that a test can leave. */
async function leave({ admin }: OwnCluster): Promise<void> {
  await serve(admin, ofOneVersion(toy, { type: 'object' }));
  const finalizers = ['example.com/held'];
  await make(admin, { ...toy, metadata: { name: 'held', finalizers } });
  await make(admin, core('Namespace', 'shop'));
  await make(
    admin,
    core('ConfigMap', 'held', { metadata: { name: 'held', namespace: 'shop', finalizers } }),
  );
  await admin.delete({ apiVersion: 'v1', kind: 'Namespace', name: 'shop' });
  const roleRef = { apiGroup: RBAC, kind: 'ClusterRole', name: 'cluster-admin' };
  const metadata = { name: 'eve-is-root' };
  const kind = 'ClusterRoleBinding';
  await make(admin, { apiVersion: `${RBAC}/v1`, kind, metadata, roleRef, subjects: [eve] });
  await admin.delete({ apiVersion: `${RBAC}/v1`, kind: 'ClusterRole', name: 'view' });
  const labels = { metadata: { labels: { changed: 'yes' } } };
  await admin.patch({ apiVersion: 'v1', kind: 'Namespace', name: 'kube-public' }, labels);
  for (const object of validating) await make(admin, object);
  const asked = core('ConfigMap', 'settings', { metadata: inDefault });
  await until('it is refused', async () =>
    (await admin.create(asked, { dryRun: true })).body.message?.includes('no more settings'),
  );
}

test('a returned control plane is lent again in its initial state', async () => {
  const first = await borrowCluster(address);
  const before = await storedIn(first);
  expect([...before.keys()]).toContain('/registry/namespaces/kube-public');
  await leave(first);
  expect([...(await storedIn(first)).keys()]).toContain('/registry/namespaces/shop');
  expect(first.auditLog()).not.toEqual([]);
  await first.stop();

  const again = await borrowCluster(address);
  expect(again.server).toBe(first.server);
  expect(again.auditLog().filter(({ user }) => user.username === 'admin')).toEqual([]);
  expect(await storedIn(again)).toEqual(before);
  expect(
    (await again.admin.request({ method: 'GET', path: '/apis/toys.example.com' })).status,
  ).toBe(404);
  const reading = { group: '', resource: 'secrets', verb: 'get' } as const;
  expect(await isAllowed(again, 'eve', reading)).toBe(false);
  // This works immediately: neither the deleted policy nor the deletion of a namespace of this name rejects it.
  await make(again.admin, core('Namespace', 'shop'));
  await make(again.admin, core('ConfigMap', 'settings'));
  await serve(again.admin, ofOneVersion(toy, { type: 'object' }));
  const { body } = await again.admin.list({ apiVersion: toy.apiVersion, kind: toy.kind });
  expect(body.items).toEqual([]);
  expect(again.auditLog().map(({ verb }) => verb)).toContain('create');
  expect(messages).toEqual([]);
  await again.stop();
});

// Kubernetes 1.36 is the first version that serves mutating admission policies.
const testWhereServed = Number(clusterMinor.split('.')[1]) >= 36 ? test : () => {};

testWhereServed('a deleted mutating policy no longer changes objects', async () => {
  const first = await borrowCluster(address);
  const asked = core('ConfigMap', 'settings', { metadata: inDefault });
  const made = async ({ admin }: OwnCluster) => (await admin.create(asked, { dryRun: true })).body;
  for (const object of mutating) await make(first.admin, object);
  await until('the policy is in force', async () => (await made(first))['immutable']);
  await first.stop();
  await using again = await borrowCluster(address);
  expect([again.server, (await made(again))['immutable']]).toEqual([first.server, undefined]);
});

test('two concurrent borrowers get different control planes', async () => {
  await using one = await borrowCluster(address);
  await using other = await borrowCluster(address);
  expect(other.server).not.toBe(one.server);
});

test('a control plane whose cached state cannot be observed is not lent again, and a message reports it', async () => {
  const first = await borrowCluster(address);
  await make(first.admin, {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingWebhookConfiguration',
    metadata: { name: 'deaf.example.com' },
    webhooks: [],
  });
  await first.stop();
  await until('it is ended', () => !existsSync(first.details.folder), { within: 120_000 });
  expect(messages).toEqual([expect.stringContaining('webhookconfigurations/deaf.example.com')]);
  await using next = await borrowCluster(address);
  expect(next.server).not.toBe(first.server);
});

test('a borrower without the secret of the run is refused', async () => {
  await expect(borrowCluster(`${address.split(':')[0]}:guessed`)).rejects.toThrow(
    'the lender has gone',
  );
});
